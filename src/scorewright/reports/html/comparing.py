"""Two evaluations compared, as a page: by how much, whether it is noise, and which rows changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.reports.compared import SAID, notes
from scorewright.reports.comparison import Changed, Outcome, RunComparison, ScorerComparison
from scorewright.reports.html.curves import differences, moved
from scorewright.reports.html.marks import said, table
from scorewright.reports.html.sections import on_axis
from scorewright.reports.html.shell import Section, document, header, part
from scorewright.reports.html.shell import notes as noted
from scorewright.reports.report import Figure
from scorewright.reports.sentences import NONE, counted, number
from scorewright.reports.texts import brief

SHOWN, MOST_LISTED = 10, 100  # rows of one kind of change and one scorer
_TONES: dict[Outcome, str] = {"better": "met", "worse": "missed", "noise": "noise", "unknown": "undecided"}
_MOST_SUMMED = 160


def comparison_page(compared: RunComparison, /) -> str:
    """One file of HTML without a network: the scorers, then the rows that changed, those that became worse first."""
    return document(
        f"{compared.first} → {compared.second} · comparison", _header(compared, toggle=True), [*_sections(compared)]
    )


def comparison_fragment(compared: RunComparison, /) -> str:
    """The same without a script, for a notebook."""
    return part(_header(compared, toggle=False), _sections(compared))


def _header(compared: RunComparison, *, toggle: bool) -> str:
    outcomes = [each.outcome for each in compared.scorers]
    told = " ".join(
        f'<span class="pill {_TONES[name]}">{outcomes.count(name)} {SAID[name]}</span>'
        for name in ("worse", "better", "noise", "unknown")
        if name in outcomes
    )
    heading = counted(len(compared.scorers), "scorer")
    origin = [("first", compared.first), ("second", compared.second)]
    return header("What changed", told, heading, origin, toggle=toggle)


def _sections(compared: RunComparison) -> Iterator[Section]:
    yield "scorers", "Scorers", _scorers(compared.scorers)
    for name, title, changes in (
        ("worse", "Rows that became worse", ("worse",)),
        ("better", "Rows that became better", ("better",)),
        ("missing", "Rows that one side has not scored", ("only first", "only second")),
    ):
        held = [(each, [row for row in each.changed if row.change in changes]) for each in compared.scorers]
        if any(rows for _, rows in held):
            yield name, title, "".join(_rows(each, rows, name) for each, rows in held if rows)
    told = [*notes(compared)]
    if told:
        yield "notes", "Before you trust a number", noted(told)


def _scorers(scorers: Sequence[ScorerComparison]) -> str:
    heads = ["scorer", "first → second", "difference", '<span class="hidden">drawn</span>', "p"]
    return table(
        "Scorers: means of both, paired differences, intervals and what follows",
        [*heads, "rows", "how far they moved"],
        (
            [
                f"{said(each.id)}{_direction(each)}"
                f'<div><span class="pill {_TONES[each.outcome]}">{SAID[each.outcome]}</span></div>',
                f"{number(each.first.value)} → {number(each.second.value)}",
                f'<b>{_signed(each.difference)}</b><br><small class="dim">{_interval(each)}</small>',
                _drawn(each, scorers),
                NONE if each.p_value is None else f"{each.p_value:.3g}",
                f'{moved(each.n_worse, each.n_same, each.n_better)}<small class="dim">'
                f"{each.n_worse:,} worse · {each.n_same:,} same · {each.n_better:,} better</small>",
                NONE if each.differences is None else differences(each.differences, each.better),
            ]
            for each in scorers
        ),
        numbers=(1, 2, 4),
    )


def _interval(each: ScorerComparison) -> str:
    return NONE if each.low is None or each.high is None else f"[{each.low:+.3g}, {each.high:+.3g}]"


def _direction(each: ScorerComparison) -> str:
    return '<small class="dim">↓ lower is better</small>' if each.better == "lower" else ""


def _signed(value: float | None) -> str:
    return NONE if value is None else f"{value:+.4g}"


def _drawn(each: ScorerComparison, scorers: Sequence[ScorerComparison]) -> str:
    """The difference on an axis whose middle is no change, the same for all scorers."""
    ends = [abs(end) for other in scorers for end in (other.difference, other.low, other.high) if end is not None]
    most = max(ends, default=0.0) or 1.0
    figure = Figure(each.difference, each.low, each.high, "", "", each.coverage)
    return on_axis(figure, -most, most, "difference")


def _rows(each: ScorerComparison, rows: Sequence[Changed], name: str) -> str:
    """Worse ones come as they are kept, the worst first; of better ones the best come first."""
    ordered = rows if name != "better" else rows[::-1]
    first = "".join(map(_item, ordered[:SHOWN]))
    more = ordered[SHOWN:MOST_LISTED]
    n = {"worse": each.n_worse, "better": each.n_better}.get(name, len(rows))
    rest = f'<p class="dim">… and {counted(n - MOST_LISTED, "more row")}</p>' if n > MOST_LISTED else ""
    if more:
        rest = (
            f"<details><summary>{counted(len(more), 'more row')}</summary>{''.join(map(_item, more))}{rest}</details>"
        )
    return f'<h3>{said(each.id)} <small class="dim">{counted(n, "row")}</small></h3>{first}{rest}'


def _item(row: Changed) -> str:
    turn = "" if row.turn is None else f' <small class="dim">turn {row.turn}</small>'
    short = said(brief(row.second_reason or row.first_reason or row.input, _MOST_SUMMED))
    asked = f"<dl><dt>input</dt><dd>{said(row.input, block=True)}</dd></dl>" if row.input else ""
    sides = "".join(
        _side(name, score, output, reason)
        for name, score, output, reason in (
            ("first", row.first, row.first_output, row.first_reason),
            ("second", row.second, row.second_output, row.second_reason),
        )
    )
    return (
        f'<details class="item"><summary><b class="move">{number(row.first)} → {number(row.second)}</b> '
        f'<span class="id">{said(row.id)}</span>{turn}<span class="short">{short}</span></summary>'
        f'{asked}<div class="two">{sides}</div></details>'
    )


def _side(name: str, score: float | None, output: str, reason: str) -> str:
    told = "".join(
        f"<dt>{field}</dt><dd>{said(value, block=True)}</dd>"
        for field, value in (("output", output), ("reason", reason))
        if value
    )
    return f"<div><h4>{name}: {number(score)}</h4><dl>{told}</dl></div>"
