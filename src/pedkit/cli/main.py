"""The command ``pedkit``: its verbs, each in a file of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec

import typer
from typer.core import TyperCommand

from pedkit.cli.check import check
from pedkit.cli.doctor import doctor
from pedkit.cli.export import export
from pedkit.cli.filter import filter_
from pedkit.cli.mix import mix
from pedkit.cli.ngram import ngram
from pedkit.cli.prepare import PrepareCommand, prepare
from pedkit.cli.reference import reference
from pedkit.cli.split import split
from pedkit.entrypoint import run as run_to_the_end
from pedkit.version import __version__

P = ParamSpec("P")

app = typer.Typer(
    help="Train and judge models that hear how somebody pronounced something.",
    epilog="Training and evaluation are programs of a clone: python train.py --help, python evaluate.py --help.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _verb(name: str, function: Callable[P, None], command: type[TyperCommand] = TyperCommand) -> None:
    """Add a verb that ends with one sentence on failure, also on Ctrl-C, which typer would word itself."""

    @functools.wraps(function)
    def verb(*args: P.args, **kwargs: P.kwargs) -> None:
        run_to_the_end(lambda: function(*args, **kwargs))

    app.command(name, cls=command)(verb)


_verb("prepare", prepare, PrepareCommand)
for _name, _function in (
    ("reference", reference),
    ("check", check),
    ("mix", mix),
    ("filter", filter_),
    ("split", split),
    ("export", export),
    ("ngram", ngram),
    ("doctor", doctor),
):
    _verb(_name, _function)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"pedkit {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and leave."
    ),
) -> None:
    del version  # the callback has dealt with it


def run() -> None:
    """Run the command line."""
    app(prog_name="pedkit")
