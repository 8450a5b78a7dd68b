"""``python -m synthetic.review``: a page for people to judge recordings on, and their verdicts taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pedkit.entrypoint import run
from pedkit.hints import conform

app = typer.Typer(
    help="Let people judge whether the recordings of a set say what their labels say (docs/synthetic/review.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_SET = typer.Argument(help="Folder of a finished set.", metavar="SET_DIR")
_OF = typer.Option("--of", help="Only this selection of it: accepted = what synthetic.verify accepted.")


@app.command("page")
def page(
    folder: Annotated[Path, _SET],
    *,
    out: Annotated[Path, typer.Option(help="HTML file to write.")],
    reviewer: Annotated[str, typer.Option(help="Who will listen; each gets an order of their own.")] = "reviewer",
    sample: Annotated[int | None, typer.Option(help="Number of recordings to draw; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Of sample and orders; give all reviewers the same.")] = 0,
    embed: Annotated[bool, typer.Option("--embed", help="Put the recordings into the file.")] = False,
    of: Annotated[str | None, _OF] = None,
) -> None:
    """Write the page of one reviewer."""

    def write() -> None:
        from synthetic.made_set import MadeSet
        from synthetic.review.page import write_page

        made = MadeSet(folder, of)
        count = write_page(made, out, reviewer=reviewer, sample=sample, seed=seed, embed=embed)
        size = out.stat().st_size / 1e6
        print(f"{out}: {count} recordings for {reviewer} to judge ({size:.1f} MB); open it in a browser")

    run(write)


@app.command("merge")
def merge(
    folder: Annotated[Path, _SET],
    files: Annotated[list[Path], typer.Argument(help="CSV files of the page, one a reviewer.", metavar="CSV...")],
    *,
    keep: Annotated[
        str, typer.Option(help="all: what everybody accepted who judged it; any: one is enough.")
    ] = "all",
    with_unreviewed: Annotated[
        bool, typer.Option("--with-unreviewed", help="Keep what nobody has judged too.")
    ] = False,
    of: Annotated[str | None, _OF] = None,
) -> None:
    """Take verdicts back: agreement, disagreements, and manifests of what was accepted."""

    def take() -> None:
        from synthetic.made_set import MadeSet
        from synthetic.review.merge import Keep, merge_reviews
        from synthetic.review.summary import summary

        rule = conform(keep, Keep, "--keep")
        record = merge_reviews(MadeSet(folder, of), files, keep=rule, with_unreviewed=with_unreviewed)
        print(summary(folder, record))

    run(take)


if __name__ == "__main__":
    app(prog_name="python -m synthetic.review")
