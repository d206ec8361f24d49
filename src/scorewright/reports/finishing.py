"""From what was gathered to a report: means, distributions, slices, the worst rows, and what was asked."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from scorewright.core import Scale
from scorewright.reports.asked import Asked, Known
from scorewright.reports.checks import checked, tally_of
from scorewright.reports.figures import Groups, figure, histogram
from scorewright.reports.gathering import Gathering
from scorewright.reports.report import FAILED, SCORED, Outcomes, Report, ScorerReport, Slice, Worst
from scorewright.reports.shown import ShownReport
from scorewright.suites.coverage import Coverage
from scorewright.suites.tally import Tally, spread_of

MOST_SLICES = 20  # of tags, and of groups


def finished(gathering: Gathering, asked: Asked, experiment: str, created: str, /) -> Report:
    """The report of all that was told."""
    gathering.settle()
    tallies = [tally_of(id, asked, outcomes) for id, outcomes in gathering.outcomes.items()]
    n_items = len(gathering.numbers)
    checks, verdict = checked(
        asked, tallies, n_items=n_items, n_waiting=gathering.n_waiting, clean=not gathering.failures
    )
    scorers = tuple(_scorer(gathering, asked, tally) for tally in tallies)
    return ShownReport(
        name=asked.name,
        source=asked.source,
        experiment=experiment,
        created=created,
        target=asked.target,
        verdict=verdict,
        n_items=n_items,
        n_target_failed=gathering.n_target_failed,
        n_waiting=gathering.n_waiting,
        scorers=scorers,
        checks=checks,
        failures=gathering.failures,
        not_scorable=gathering.unscored,
        notes=(*_notes(asked, scorers), *_unshown(gathering)),
        spent=gathering.spent,
        ids=tuple(gathering.numbers),
        groups=gathering.groups,
        questions=gathering.questions,
        lines=tuple(gathering.lines),
    )


def _notes(asked: Asked, scorers: Sequence[ScorerReport]) -> Iterator[str]:
    unsaid = [each.id for each in scorers if asked.better(each.id) is None]
    if unsaid:
        yield f"nothing says which end of the scale is good for {', '.join(unsaid)}: higher is taken for better"
    yield from dict.fromkeys(each.mean.why for each in scorers if each.mean.why.startswith("no interval"))


def _unshown(gathering: Gathering) -> Iterator[str]:
    """What of the tags and groups the slices leave out."""
    tags = len({tag for tags in gathering.tags.values() for tag in tags})
    for name, n in (("tags", tags), ("groups", len({*gathering.groups.values()}))):
        if n > MOST_SLICES:
            yield f"of {n:,} {name} the {MOST_SLICES} with the most runs are shown"


def _scorer(gathering: Gathering, asked: Asked, tally: Tally) -> ScorerReport:
    outcomes = gathering.outcomes[tally.id]
    known = asked.scorers.get(tally.id, Known())
    spread = spread_of(tally.scores)
    best = None if spread is None else spread[2 if tally.better == "higher" else 0]
    worst = tuple(
        Worst(outcomes.scores[low.at], outcomes.turns[low.at] or None, low.reason, case)
        for low in gathering.lows[tally.id].held
        if (case := gathering.cases.get(outcomes.rows[low.at])) is not None
        and (known.scale is not None or outcomes.scores[low.at] != best)
    )
    return ScorerReport(
        id=tally.id,
        hash=known.hash,
        scale=known.scale,
        better=tally.better,
        mean=figure(
            tally.scores,
            tally.coverage,
            _groups(gathering, outcomes, (at for at, _ in outcomes.scored())),
            known.scale,
        ),
        spread=spread,
        histogram=histogram(tally.scores, known.scale),
        slices=(
            *_slices(gathering, outcomes, "tag", known.scale),
            *_slices(gathering, outcomes, "group", known.scale),
        ),
        worst=worst,
        outcomes=outcomes,
    )


def _groups(gathering: Gathering, outcomes: Outcomes, scored: Iterable[int]) -> Groups:
    """The cluster of each score; the turns of one conversation are one, where no group says more."""
    turned = any(outcomes.turns)
    if not turned and not gathering.groups:
        return None
    groups = gathering.groups
    rows = map(outcomes.rows.__getitem__, scored)
    if not turned:
        return list(map(groups.get, rows))
    return [groups.get(row) or f"row {row}" for row in rows]


def _slices(
    gathering: Gathering, outcomes: Outcomes, kind: Literal["tag", "group"], scale: Scale | None
) -> Iterator[Slice]:
    """The runs of the most frequent tags or groups, each name with its own."""
    named: Mapping[int, tuple[str, ...]] = gathering.tags
    if kind == "group":
        named = {row: (group,) for row, group in gathering.groups.items()}
    if not named:
        return
    often = Counter(name for names in named.values() for name in names)
    members: dict[str, array[int]] = {name: array("I") for name, _ in often.most_common(MOST_SLICES)}
    for at, row in enumerate(outcomes.rows):
        for name in named.get(row, ()):
            if name in members:
                members[name].append(at)
    for name, those in members.items():
        scored = [at for at in those if outcomes.states[at] == SCORED]
        failed = sum(outcomes.states[at] == FAILED for at in those)
        coverage = Coverage(len(scored), len(those) - len(scored) - failed, failed)
        groups = _groups(gathering, outcomes, scored) if kind == "tag" else None
        yield Slice(kind, name, figure(array("d", (outcomes.scores[at] for at in scored)), coverage, groups, scale))
