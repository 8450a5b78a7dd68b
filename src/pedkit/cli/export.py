"""``pedkit export RUN DIR``: a trained model as a folder that transformers loads; ``--push`` uploads one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    run: Annotated[Path, typer.Argument(help="Run folder, as python train.py writes it.")],
    out: Annotated[Path, typer.Argument(help="Folder to write; with --push: one that was written before.")],
    *,
    checkpoint: Annotated[
        str | None, typer.Option(help="Another checkpoint than the kept one: its path in the run folder.")
    ] = None,
    evaluation: Annotated[
        Path | None, typer.Option(help="Folder of python evaluate.py, for the metrics of the model card.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option(help="Licence of the model, as the hub names it: mit, cc-by-4.0, ...")
    ] = None,
    merge: Annotated[
        bool,
        typer.Option(help="Audio language models: merge the adapters, in float32, and measure the PER again."),
    ] = False,
    device: Annotated[
        str | None, typer.Option(help="With --merge: where to measure: cpu, cuda, mps. Default: cpu.")
    ] = None,
    push: Annotated[
        str | None, typer.Option(help="OWNER/NAME on the Hugging Face Hub: upload the folder, write nothing here.")
    ] = None,
    public: Annotated[bool, typer.Option(help="With --push: a new repository is open to everybody.")] = False,
) -> None:
    """Write the kept checkpoint so that others can load it: a model, or the adapters of one, with a model card."""
    from pedkit.cli.command_line import command_line
    from pedkit.errors import PedkitError

    written = {"--evaluation": evaluation, "--licence": licence, "--merge": merge, "--device": device}
    if push is not None and (asked := [option for option, value in written.items() if value]):
        raise PedkitError(
            f"{', '.join(asked)} cannot go with --push, which uploads a folder as it is",
            hint=f"first: pedkit export {run} {out} {asked[0]} ..., then the same without it and with --push",
        )
    if push is None and public:
        raise PedkitError("--public is for a repository on the hub", hint="add --push OWNER/NAME")
    if device is not None and not merge:
        raise PedkitError("--device is where a merged model is measured", hint="add --merge, or leave it out")
    if push is None:
        from pedkit.export import export_run

        export_run(
            run, out, checkpoint=checkpoint, evaluation=evaluation, licence=licence, command=command_line(),
            merge=merge, device=device or "cpu",
        )  # fmt: skip
        print(f"{out}: read its README.md; --push OWNER/NAME uploads the folder")
        return
    from pedkit.export import push_folder
    from pedkit.export.record import read_record
    from pedkit.recognizers.run import run_checkpoint

    if not out.is_dir():
        raise PedkitError(
            "no such folder", file=out, hint=f"first: pedkit export {run} {out}, and read its README.md"
        )
    if read_record(out)["revision"] != run_checkpoint(run, checkpoint).revision:
        raise PedkitError(f"holds another model than {run}", file=out, hint="export it anew")
    print(push_folder(out, push, public=public))
