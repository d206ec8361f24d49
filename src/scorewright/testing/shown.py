"""What evaluations came to, in the terminal after the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorewright.reports.markdown import bars
from scorewright.reports.report import Report
from scorewright.reports.sentences import NONE, heading, interval, number
from scorewright.reports.terminal import renderable, shown, table_of
from scorewright.testing.gating import Gated

if TYPE_CHECKING:
    from rich.console import RenderableType

_STYLES = {"passed": "bold green", "failed": "bold red", "skipped": "bold yellow"}


def show(reporter: pytest.TerminalReporter, gates: Sequence[Gated], written: Sequence[Path], /) -> None:
    """A table for each, and the verdict with its rule; all that a report holds where it did not pass, or with -v."""
    verbosity = reporter.config.get_verbosity()
    told = [gate for gate in gates if verbosity >= 0 or gate.outcome == "failed"]
    if told or written:
        reporter.section("scorewright")
    for gate in told:
        reporter.write(_text(reporter, gate, whole=verbosity > 0 or gate.outcome == "failed"))
    for path in written:
        reporter.write_line(f"report: {path}")


def _text(reporter: pytest.TerminalReporter, gate: Gated, *, whole: bool) -> str:
    from io import StringIO

    from rich.console import Console

    writer = reporter.config.get_terminal_writer()
    file = StringIO()
    console = Console(
        file=file,
        width=writer.fullwidth,
        force_terminal=writer.hasmarkup,
        no_color=not writer.hasmarkup,
        color_system="standard" if writer.hasmarkup else None,
        highlight=False,
        legacy_windows=False,
    )
    console.print(renderable(gate.report) if whole else _brief(gate.report))
    if whole and gate.outcome != "skipped":  # the verdict and what it rests on stand there already
        console.print(gate.coverage)
    else:
        for line in gate.lines:
            console.print(shown(line, 2_000), style=_STYLES[gate.outcome] if line is gate.lines[0] else "")
    console.print()
    return file.getvalue()


def _brief(report: Report) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    return Group(
        Text.assemble((shown(report.name).plain, "bold"), f"  {heading(report)}"),
        table_of(
            ["scorer", "mean", "95 % interval", "coverage", "distribution"],
            (
                [
                    shown(each.id),
                    Text(number(each.mean.value), "bold"),
                    Text(interval(each.mean)),
                    Text(str(each.mean.coverage), "" if each.mean.coverage.is_whole else "yellow"),
                    Text(NONE if each.histogram is None else bars(each.histogram.counts), "cyan"),
                ]
                for each in report.scorers
            ),
        ),
    )
