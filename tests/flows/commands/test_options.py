"""Groups of options: written once, at their place in a command, and one object for it."""

from typing import Annotated

import typer
from typer.testing import CliRunner

from flows.commands.options import read_options, retrain_options, takes
from smoothrank.datasets.options import ReadOptions


def call(command, *arguments):
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_a_group_stands_where_its_parameter_does_and_is_one_object():
    seen = []

    @takes(read=read_options)
    def show(
        name: str,
        loud: Annotated[bool, typer.Option("--loud")] = False,
        *,
        read: ReadOptions,
        last: Annotated[int, typer.Option()] = 1,
    ) -> None:
        """Show it."""
        seen.append((name, loud, read, last))

    assert call(show, "here", "--sep", "tab", "--last", "3").exit_code == 0
    assert seen == [("here", False, ReadOptions(sep="tab"), 3)]
    options = ["--loud", "--sep", "--decimal", "--thousands", "--encoding", "--date-format"]
    said = call(show, "--help").stdout
    places = [said.index(option) for option in [*options, "--last"]]
    assert places == sorted(places)
    assert "Show it." in said


def test_a_group_may_have_groups():
    options = retrain_options(budget="1m", drop=["a", "b"], id_="c", group="who", sep=";")
    assert options.budget == 60.0
    assert (options.columns.drop, options.columns.id) == (("a", "b"), "c")
    assert (options.split.group, options.read.sep) == ("who", ";")
