"""What a suite came to, as a person reads it. What comes from files, models and users is shown, never interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from scorewright.cli.table import LISTED, NONE, bars, columns_of, console_on, counted, number, shown, titled
from scorewright.suites import Coverage, FailedItem, Place, ScorerSummary, Summary
from scorewright.suites.deciding import Decision, Verdict

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

_MOST_NAMED = 60
_MOST_REASON = 120
_UNBOUNDED = 10_000
_NUMBERS = ("min", "median", "max")
_VERDICTS: dict[Verdict, tuple[str, str]] = {
    "passed": ("passed", "bold green"),
    "scored": ("a threshold was missed", "bold red"),
    "failed": ("failed", "bold red"),
    "inconclusive": ("inconclusive", "bold yellow"),
    "incomplete": ("incomplete", "bold yellow"),
}
_DECISIONS: dict[Decision, tuple[str, str]] = {
    "met": ("met", "bold green"),
    "missed": ("missed", "bold red"),
    "undecided": ("undecided", "bold yellow"),
}


def print_outcome(summary: Summary, file: TextIO, unit: str = "row", /) -> None:
    """Scorers, thresholds and gates, the worst scores, failures, broken rows, rows that are not scorable, verdict.

    `unit` is what an item is called: a row, or a run of a trace.
    """
    console = console_on(file)
    with console.capture() as captured:  # rich would end the process when nobody reads any more
        for part in _parts(summary, unit, console):
            console.print()
            console.print(part)
        console.print()
    file.write(captured.get())


def _parts(summary: Summary, unit: str, console: Console) -> Iterator[RenderableType]:
    from rich.console import Group

    yield _heading(summary, unit)
    if summary.scorers:
        scorers = _scorers(summary, drawn=True)
        width = console.measure(scorers, options=console.options.update(max_width=_UNBOUNDED)).maximum
        yield scorers if width <= console.width else _scorers(summary, drawn=False)
    asked = [*_asked(summary)]
    if asked:
        yield Group(*asked)
    if any(each.lowest for each in summary.scorers.values()):
        yield _lowest(summary)
    if summary.failures:
        yield Group(*_failures(summary))
    if summary.broken:
        yield Group(*_broken(summary, unit))
    if summary.reasons:
        yield Group(*_unscored(summary))
    if asked or summary.verdict != "passed":
        yield _verdict(summary)


def _heading(summary: Summary, unit: str) -> Text:
    from rich.text import Text

    parts = [counted(summary.n_items, unit)]
    if summary.n_before:
        parts.append(f"{summary.n_before} done before")
    if summary.n_broken:
        parts.append(counted(summary.n_broken, f"broken {unit}"))
    parts.append(counted(len(summary.scorers), "scorer"))
    if summary.spent.attempts:
        parts.append(counted(summary.spent.attempts, "request"))
        dollars = summary.spent.dollars
        parts.append("cost unknown" if dollars is None else f"${dollars:.4f}")
    return Text.assemble((shown(summary.source or summary.suite), "bold"), f"  {' · '.join(parts)}")


def _scorers(summary: Summary, *, drawn: bool) -> Table:
    from rich.text import Text

    names = ["scorer", "mean", "coverage", *_NUMBERS, *(["distribution"] if drawn else [])]
    table = columns_of(*names, right=("mean", *_NUMBERS))
    for each in summary.scorers.values():
        mean, spread = each.mean.value, each.spread
        table.add_row(
            _name(each),
            Text(NONE if mean is None else number(mean), "bold"),
            _coverage(each.mean.coverage, summary.n_broken),
            *(Text(NONE if spread is None else number(at)) for at in spread or (0.0, 0.0, 0.0)),
            *([bars(each.histogram) if spread is not None else Text(NONE, "dim")] if drawn else []),
        )
    return table


def _name(each: ScorerSummary) -> Text:
    from rich.text import Text

    name = Text(shown(each.id, _MOST_NAMED), "bold")
    if each.name != each.id.rpartition("/")[2]:
        name.append(f"\n{shown(each.name, _MOST_NAMED)}", "not bold")
    if each.better == "lower":
        name.append("\n↓ lower is better", "not bold dim")
    return name


def _coverage(coverage: Coverage, n_broken: int) -> Text:
    """Broken rows count as rows that have no score."""
    from rich.text import Text

    whole = coverage.n + n_broken
    said = Text(f"{coverage.n_scored}/{whole} scored", "" if coverage.n_scored == whole else "yellow")
    for count, name, style in (
        (coverage.n_not_scorable, "not scorable", "yellow"),
        (coverage.n_failed, "failed", "red"),
        (n_broken, "broken", "red"),
    ):
        if count:
            said.append(f" · {count} {name}", style)
    return said


def _asked(summary: Summary) -> Iterator[Text]:
    from rich.text import Text

    for gate in summary.gates:
        missed = f", {counted(gate.n_missed, 'row')} missed it" if gate.n_missed else ""
        yield Text.assemble(("gate ", ""), _DECISIONS[gate.decision], f"  every {shown(str(gate.gate))}{missed}")
    for each in summary.thresholds:
        measured = f"{each.measured} measured"
        yield Text.assemble(("threshold ", ""), _DECISIONS[each.decision], f"  {shown(str(each.asserted))}, {measured}")


def _where(summary: Summary, place: Place, id: str) -> Text:
    from rich.text import Text

    file = Path(place.file or summary.source).name
    place = Place("" if file == "-" else file, place.line, place.column, place.path)
    where = Text(shown(str(place), _MOST_NAMED))
    return where.append(f"{'  ' if where else ''}{shown(id, _MOST_NAMED)}", "bold") if id else where


def _lowest(summary: Summary) -> Table:
    from rich.text import Text

    rising = all(each.better == "higher" for each in summary.scorers.values())
    table = columns_of("lowest" if rising else "worst", "score", "row", "reason", right=("score",))
    for each in summary.scorers.values():
        for index, low in enumerate(each.lowest):
            name = "" if index else shown(each.id, _MOST_NAMED)
            reason = Text(shown(low.reason or "", _MOST_REASON), "dim")
            table.add_row(name, number(low.score), _where(summary, low.place, low.id), reason)
    return table


def _failures(summary: Summary) -> Iterator[RenderableType]:
    """A row that fails several scorers in the same way is told once."""
    alike: dict[tuple[Place, str, str, str], list[FailedItem]] = {}
    for failed in summary.failures:
        alike.setdefault((failed.place, failed.id, failed.step, failed.message), []).append(failed)
    told = [*alike.values()][:LISTED]
    table = columns_of("row", "scorer", "step", "why")
    for group in told:
        first = group[0]
        names = ", ".join(shown(failed.scorer, _MOST_NAMED) for failed in group) or NONE
        where = _where(summary, first.place, first.id)
        table.add_row(where, names, shown(first.step, _MOST_NAMED), shown(first.message))
    yield from titled(f"{summary.n_failed} failed", table, summary.n_failed - sum(map(len, told)))


def _broken(summary: Summary, unit: str) -> Iterator[RenderableType]:
    table = columns_of("row", "why")
    for row in summary.broken[:LISTED]:
        table.add_row(_where(summary, row.place, row.id or ""), shown(row.why))
    yield from titled(f"{counted(summary.n_broken, f'broken {unit}')}, not scored", table, summary.n_broken - LISTED)


def _unscored(summary: Summary) -> Iterator[RenderableType]:
    """Reason by reason, with the first rows of each."""
    from rich.text import Text

    table = columns_of("row", "scorer", "why")
    told = summary.reasons[:LISTED]
    for reason in told:
        for index, item in enumerate(reason.first):
            names = ("", "") if index else (shown(reason.scorer, _MOST_NAMED), shown(reason.reason))
            table.add_row(_where(summary, item.place, item.id), *names)
        if reason.count > len(reason.first):
            table.add_row(Text(f"… and {reason.count - len(reason.first)} more", "dim"), "", "")
    rest = summary.n_not_scorable - sum(reason.count for reason in told)
    yield from titled(f"{summary.n_not_scorable} not scorable", table, rest, "bold yellow")


def _verdict(summary: Summary) -> Text:
    from rich.text import Text

    said, style = _VERDICTS[summary.verdict]
    why = summary.stopped or _why(summary)
    return Text.assemble((f"{said}{shown(f': {why}' if why else '')}", style))


def _why(summary: Summary) -> str:
    if summary.verdict == "failed":
        n_rows = summary.n_items + summary.n_before + summary.n_broken
        return "an item missed a gate" if n_rows else "there was nothing to evaluate"
    if summary.verdict == "incomplete":
        return "something failed"
    if summary.verdict == "inconclusive":
        if not summary.scorers:
            return "there are no scorers; what the target answered can be scored later"
        scored = any(each.mean.coverage.n_scored for each in summary.scorers.values())
        return "what is missing could change the answer" if scored else "nothing has a score"
    return ""
