"""A comparison in a terminal, as Markdown, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from scorewright.reports.as_json import figure_form, histogram_form
from scorewright.reports.comparison import Changed, Outcome, RunComparison, ScorerComparison
from scorewright.reports.markdown import escaped, table_lines
from scorewright.reports.sentences import NONE, number
from scorewright.reports.terminal import shown, table_of

if TYPE_CHECKING:
    from rich.console import RenderableType

SCHEMA_VERSION = 1
LISTED = 10
_HEADS = ("scorer", "first", "second", "difference", "95 % interval", "p", "better", "worse", "same", "so it is")
SAID: dict[Outcome, str] = {
    "better": "better",
    "worse": "worse",
    "noise": "chance may explain it",
    "unknown": "unknown",
}
_STYLES: dict[Outcome, str] = {"better": "bold green", "worse": "bold red", "noise": "dim", "unknown": "bold yellow"}


def comparison_json(compared: RunComparison, /) -> dict[str, object]:
    """All that was compared; what is not there is null."""
    return {
        "schema_version": SCHEMA_VERSION,
        "first": compared.first,
        "second": compared.second,
        "differs": [*compared.differs],
        "scorers": [
            {
                **attrs.asdict(each, recurse=False),
                "first": figure_form(each.first),
                "second": figure_form(each.second),
                "coverage": attrs.asdict(each.coverage),
                "differences": each.differences and histogram_form(each.differences),
                "changed": [attrs.asdict(row) for row in each.changed],
            }
            for each in compared.scorers
        ],
    }


def comparison_text(compared: RunComparison, /) -> str:
    """The same as text."""
    return json.dumps(comparison_json(compared), allow_nan=False, indent=1) + "\n"


def comparison_markdown(compared: RunComparison, listed: int = LISTED, /) -> str:
    """The same for a pull request: a table of scorers, then the rows that changed."""
    lines = [f"# {escaped(compared.first)} → {escaped(compared.second)}", ""]
    lines += [*table_lines(_HEADS, ([escaped(cell) for cell in _cells(each)] for each in compared.scorers)), ""]
    lines += [f"- {escaped(each)}" for each in notes(compared)]
    for each in compared.scorers:
        if each.changed:
            rows = ([escaped(cell) for cell in _row(row)] for row in each.changed[:listed])
            lines += ["", f"## {escaped(each.id)}: rows that changed", ""]
            lines += table_lines(("row", "first", "second", "so it is", "reason then", "reason now"), rows)
            lines += _rest(each, listed)
    return "\n".join(lines).rstrip() + "\n"


def renderable(compared: RunComparison, listed: int = LISTED, /) -> RenderableType:
    """What a terminal shows."""
    from rich.console import Group

    return Group(*(line for part in _parts(compared, listed) for line in (part, "")))


def _parts(compared: RunComparison, listed: int) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text.assemble((shown(compared.first).plain, "bold"), " → ", (shown(compared.second).plain, "bold"))
    yield table_of(
        _HEADS,
        (
            [*(shown(cell) for cell in _cells(each)[:-1]), Text(SAID[each.outcome], _STYLES[each.outcome])]
            for each in compared.scorers
        ),
    )
    for note in notes(compared):
        yield Text.assemble(("note ", "bold yellow"), shown(note, 300))
    for each in compared.scorers:
        if each.changed:
            yield table_of(
                (f"{shown(each.id).plain}: row", "first", "second", "so it is", "reason then", "reason now"),
                ([shown(cell, 80) for cell in _row(row)] for row in each.changed[:listed]),
            )
            yield from (Text(line, "dim") for line in _rest(each, listed) if line)


def _cells(each: ScorerComparison) -> list[str]:
    interval = NONE if each.low is None or each.high is None else f"[{each.low:+.3g}, {each.high:+.3g}]"
    return [
        each.id + (" ↓" if each.better == "lower" else ""),
        number(each.first.value),
        number(each.second.value),
        NONE if each.difference is None else f"{each.difference:+.4g}",
        interval,
        NONE if each.p_value is None else f"{each.p_value:.3g}",
        f"{each.n_better:,}",
        f"{each.n_worse:,}",
        f"{each.n_same:,}",
        SAID[each.outcome],
    ]


def notes(compared: RunComparison, /) -> Iterator[str]:
    """What differs, what is missing, and how it was tested."""
    yield from compared.differs
    for each in compared.scorers:
        if each.why:
            yield f"{each.id}: {each.why}"
        if each.coverage.n_failed:
            yield f"{each.id}: {each.coverage.n_failed:,} of {each.coverage.n:,} rows have no score on one side or both"
        if each.only_first or each.only_second:
            yield f"{each.id}: {each.only_first:,} only in the first, {each.only_second:,} only in the second"
    tests = dict.fromkeys(each.test for each in compared.scorers if each.test)
    if tests:
        several = f"; corrected for {n} scorers (Holm)" if (n := len(compared.scorers)) > 1 else ""
        yield f"p-values: {', '.join(tests)}{several}"


def _row(row: Changed) -> Sequence[str]:
    turn = "" if row.turn is None else f"[{row.turn}]"
    return [row.id + turn, number(row.first), number(row.second), row.change, row.first_reason, row.second_reason]


def _rest(each: ScorerComparison, listed: int) -> Sequence[str]:
    changed = each.n_better + each.n_worse
    return ["", f"… {len(each.changed) - listed:,} more"] if len(each.changed) > listed and changed else []
