"""What a suite came to, as a person reads it. What comes from files, models and users is shown, never interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from scorewright.cli.table import LISTED, bars, columns_of, console_on, counted, number, shown, titled
from scorewright.suites import Place, ScorerSummary, Summary
from scorewright.suites.deciding import Decision, Verdict

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

_NONE = "—"
_MOST_NAMED = 60
_MOST_REASON = 120
_UNBOUNDED = 10_000
_NUMBERS = ("min", "median", "max")
_VERDICTS: dict[Verdict, tuple[str, str]] = {
    "passed": ("passed", "bold green"),
    "scored": ("a threshold was missed", "bold red"),
    "failed": ("failed", "bold red"),
    "inconclusive": ("inconclusive: what is missing could change the answer", "bold yellow"),
    "incomplete": ("incomplete", "bold yellow"),
}
_DECISIONS: dict[Decision, tuple[str, str]] = {
    "met": ("met", "bold green"),
    "missed": ("missed", "bold red"),
    "undecided": ("undecided", "bold yellow"),
}


def print_outcome(summary: Summary, file: TextIO, /) -> None:
    """Scorers, thresholds and gates, the lowest scores, failures, broken rows, items that are not scorable, verdict."""
    console = console_on(file)
    with console.capture() as captured:  # rich would end the process when nobody reads any more
        for part in _parts(summary, console):
            console.print()
            console.print(part)
        console.print()
    file.write(captured.get())


def _parts(summary: Summary, console: Console) -> Iterator[RenderableType]:
    from rich.console import Group

    yield _heading(summary)
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
        table = columns_of("row", "why")
        for row in summary.broken[:LISTED]:
            table.add_row(_where(row.place, row.id or ""), shown(row.why))
        yield Group(*titled(f"{counted(summary.n_broken, 'broken row')}", table, summary.n_broken - LISTED))
    if summary.reasons:
        yield Group(*_unscored(summary))
    yield _verdict(summary)


def _heading(summary: Summary) -> Text:
    from rich.text import Text

    parts = [counted(summary.n_items, "item")]
    if summary.n_before:
        parts.append(f"{summary.n_before} done before")
    if summary.n_broken:
        parts.append(counted(summary.n_broken, "broken row"))
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
            Text(_NONE if mean is None else number(mean), "bold"),
            Text(str(each.mean.coverage), "" if each.mean.coverage.is_whole else "yellow"),
            *(Text(_NONE if spread is None else number(at)) for at in spread or (0.0, 0.0, 0.0)),
            *([bars(each.histogram) if spread is not None else Text(_NONE, "dim")] if drawn else []),
        )
    return table


def _name(each: ScorerSummary) -> Text:
    from rich.text import Text

    name = Text(shown(each.id, _MOST_NAMED), "bold")
    if each.better == "lower":
        name.append("\n↓ lower is better", "not bold dim")
    return name


def _asked(summary: Summary) -> Iterator[Text]:
    from rich.text import Text

    for gate in summary.gates:
        missed = f", {counted(gate.n_missed, 'item')} missed it" if gate.n_missed else ""
        yield Text.assemble(("gate ", ""), _DECISIONS[gate.decision], f"  every {shown(str(gate.gate))}{missed}")
    for each in summary.thresholds:
        measured = f"{each.measured} measured"
        yield Text.assemble(("threshold ", ""), _DECISIONS[each.decision], f"  {shown(str(each.asserted))}, {measured}")


def _where(place: Place, id: str) -> Text:
    from rich.text import Text

    where = Text(shown(str(place), _MOST_NAMED))
    return where.append(f"{'  ' if where else ''}{shown(id, _MOST_NAMED)}", "bold") if id else where


def _lowest(summary: Summary) -> Table:
    from rich.text import Text

    table = columns_of("worst", "score", "item", "reason", right=("score",))
    for each in summary.scorers.values():
        for index, low in enumerate(each.lowest):
            name = "" if index else shown(each.id, _MOST_NAMED)
            reason = Text(shown(low.reason or "", _MOST_REASON), "dim")
            table.add_row(name, number(low.score), _where(low.place, low.id), reason)
    return table


def _failures(summary: Summary) -> Iterator[RenderableType]:
    table = columns_of("item", "scorer", "step", "why")
    for failed in summary.failures[:LISTED]:
        scorer = shown(failed.scorer, _MOST_NAMED) or _NONE
        table.add_row(_where(failed.place, failed.id), scorer, shown(failed.step, _MOST_NAMED), shown(failed.message))
    yield from titled(f"{summary.n_failed} failed", table, summary.n_failed - LISTED)


def _unscored(summary: Summary) -> Iterator[RenderableType]:
    from rich.text import Text

    table = columns_of("item", "scorer", "why")
    told = summary.reasons[:LISTED]
    for reason in told:
        for index, item in enumerate(reason.first):
            names = ("", "") if index else (shown(reason.scorer, _MOST_NAMED), shown(reason.reason))
            table.add_row(_where(item.place, item.id), *names)
        if reason.count > len(reason.first):
            table.add_row(Text(f"… and {reason.count - len(reason.first)} more", "dim"), "", "")
    rest = summary.n_not_scorable - sum(reason.count for reason in told)
    yield from titled(f"{summary.n_not_scorable} not scorable", table, rest, "bold yellow")


def _verdict(summary: Summary) -> Text:
    from rich.text import Text

    said, style = _VERDICTS[summary.verdict]
    why = f": {summary.stopped}" if summary.stopped else ""
    if summary.verdict == "failed" and not summary.n_items + summary.n_before + summary.n_broken:
        why = ": there was nothing to evaluate"
    return Text.assemble((f"{said}{shown(why)}", style))
