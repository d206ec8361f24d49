"""All that is counted while items finish; `summary` is what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import attrs
from returns.result import Success

from scorewright.faults import BudgetExhausted, NotScorable
from scorewright.judges.usage import Spent
from scorewright.suites.deciding import gate_result, threshold_result, verdict_of
from scorewright.suites.kinds import checked_kind
from scorewright.suites.records import ItemRecord, ItemScore, done
from scorewright.suites.rows.row import BrokenRow, Place, Row
from scorewright.suites.settings import without_limit
from scorewright.suites.settled import Settled
from scorewright.suites.spending import NOTHING_SPENT, added
from scorewright.suites.suite import Suite
from scorewright.suites.summary import FailedItem, Reason, ScorerSummary, Summary, UnscoredItem
from scorewright.suites.tally import MOST_SAID, Tally
from scorewright.suites.thresholds import Gate
from scorewright.wording import describe

KEPT = 100  # so many failures, unscorable items and broken rows are kept to be told; all are counted
FIRST = 3  # so many items are told of each reason for which a scorer could not score them
BINS = 10
TARGET = "target"  # the step that failed where the target did


@final
@attrs.define
class _Why:
    count: int = 0
    first: list[UnscoredItem] = attrs.field(factory=list[UnscoredItem])


@final
class Counting:
    """Grows with every item; what it keeps of them is bounded, but for eight bytes a score."""

    def __init__(self, suite: Suite, source: str = "") -> None:
        """What is no suite is a `DefinitionError`: every evaluation begins here."""
        checked_kind("suite", suite, Suite, "a Suite of scorers, such as Suite(first, second)")
        self.suite = suite
        self.source = source
        self.experiment = ""  # the id under which a store holds the items
        gates = {gate.scorer: gate for gate in suite.gates}
        self._settled = Settled(suite)
        self._own: dict[str, Mapping[str, Gate]] = {}  # limits of rows that were done before
        for rule in suite.settings:
            for id in rule.gates:
                gates.setdefault(id, without_limit(suite.by_id[id]))
        self.tallies: dict[str, Tally] = {}
        for each in suite.assigned:
            about = each.scorer.about
            self.tallies[each.id] = Tally(each.id, about.name, about.scale, about.better, gates.get(each.id))
        self.n_items: int = 0
        self.n_before: int = 0
        self.n_broken: int = 0
        self.n_target_failed: int = 0
        self.n_failed: int = 0
        self.n_not_scorable: int = 0
        self.failures: list[FailedItem] = []
        self.broken: list[BrokenRow] = []
        self.not_scorable: list[UnscoredItem] = []
        self.spent: Spent = NOTHING_SPENT
        self.stopped = ""  # why not all rows were evaluated
        self.budget_exhausted: bool = False
        self._reasons: dict[tuple[str, str], _Why] = {}

    def add(self, item: ItemRecord | BrokenRow, /) -> None:
        """Count one more, and every scorer's result of it."""
        if isinstance(item, BrokenRow):
            self.n_broken += 1
            if len(self.broken) < KEPT:
                self.broken.append(item)
            return
        self.n_items += 1
        if item.fault is not None:
            self._target_failed(item)
            return
        own = self._settled.gates(item.row)
        for id in own:
            self._gated(id)
        for score in item.scores:
            self._score(item, score, own.get(score.id))

    def skip(self, row: Row, /) -> None:
        """Count a row that a store holds already; its scores come with `add_stored`."""
        self.n_before += 1
        own = self._settled.gates(row)
        if own:
            self._own[row.id] = own
            for id in own:
                self._gated(id)

    def add_stored(self, id: str, row_id: str, score: float | None, reason: str | None, /) -> None:
        """Count what an earlier run came to: a score, or that the item could not be scored."""
        if score is None:
            self._unscored(UnscoredItem(Place(), row_id, id, (reason or "")[:MOST_SAID]))
        else:
            gate = self._own[row_id].get(id) if row_id in self._own else None
            self.tallies[id].count(score, reason, Place(), row_id, gate)

    @property
    def something_failed(self) -> bool:
        """Whether a target or a scorer failed, a row could not be read, or a gate was missed."""
        missed = any(tally.n_gate_missed for tally in self.tallies.values())
        return missed or bool(self.n_failed or self.n_broken)

    def summary(self) -> Summary:
        """What all came to by now."""
        unknown = self.n_broken
        thresholds = tuple(threshold_result(each, self.tallies[each.scorer], unknown) for each in self.suite.thresholds)
        gates = tuple(gate_result(each.gate, each, unknown) for each in self.tallies.values() if each.gate is not None)
        n_scored = sum(len(tally.scores) for tally in self.tallies.values())
        clean = not (self.n_failed or self.n_broken)
        verdict = verdict_of(
            thresholds,
            gates,
            stopped=bool(self.stopped),
            n_items=self.n_items + self.n_before + self.n_broken,
            n_scored=n_scored,
            clean=clean,
        )
        return Summary(
            suite=self.suite.name,
            source=self.source,
            verdict=verdict,
            stopped=self.stopped,
            n_items=self.n_items,
            n_before=self.n_before,
            n_broken=self.n_broken,
            n_target_failed=self.n_target_failed,
            n_failed=self.n_failed,
            n_not_scorable=self.n_not_scorable,
            scorers={id: _scorer(tally) for id, tally in self.tallies.items()},
            thresholds=thresholds,
            gates=gates,
            spent=self.spent,
            failures=tuple(self.failures),
            broken=tuple(self.broken),
            not_scorable=tuple(self.not_scorable),
            reasons=tuple(Reason(*key, why.count, tuple(why.first)) for key, why in self._reasons.items()),
            experiment=self.experiment,
        )  # fmt: skip

    def _gated(self, id: str) -> None:
        if self.tallies[id].gate is None:
            self.tallies[id].gate = without_limit(self.suite.by_id[id])

    def _score(self, item: ItemRecord, score: ItemScore, gate: Gate | None) -> None:
        result, tally = score.result, self.tallies[score.id]
        if score.spent is not None:
            self.spent = added(self.spent, score.spent)
        if isinstance(result, Success):
            tally.add(result.unwrap(), item.row.place, item.row.id, gate)
            return
        failure = result.failure()
        if isinstance(failure.cause, NotScorable):
            why = failure.cause.reason[:MOST_SAID]
            self._unscored(UnscoredItem(item.row.place, item.row.id, score.id, why))
            return
        tally.n_failed += 1
        if isinstance(failure.cause, BudgetExhausted) or _ran_dry(score):
            self.budget_exhausted = True
        self._failed(item, score.key, failure.step, failure.cause)

    def _target_failed(self, item: ItemRecord) -> None:
        self.n_target_failed += 1
        for tally in self.tallies.values():
            tally.n_failed += 1
        self._failed(item, "", TARGET, item.fault)

    def _failed(self, item: ItemRecord, scorer: str, step: str, cause: object) -> None:
        self.n_failed += 1
        if len(self.failures) < KEPT:
            said = describe(cause)[:MOST_SAID]
            self.failures.append(FailedItem(item.row.place, item.row.id, scorer, step, type(cause).__name__, said))

    def _unscored(self, unscored: UnscoredItem) -> None:
        self.tallies[unscored.scorer].n_not_scorable += 1
        self.n_not_scorable += 1
        if len(self.not_scorable) < KEPT:
            self.not_scorable.append(unscored)
        key = unscored.scorer, unscored.reason
        if key in self._reasons or len(self._reasons) < KEPT:
            why = self._reasons.setdefault(key, _Why())
            why.count += 1
            if len(why.first) < FIRST:
                why.first.append(unscored)


def _ran_dry(score: ItemScore) -> bool:
    """Whether an ask of a failure met the end of the budget, whatever the scorer made of it."""
    finished = done(score.result)
    answers = (exchange.reply.answer for exchange in finished.exchanges)
    return any(not isinstance(each, Success) and isinstance(each.failure(), BudgetExhausted) for each in answers)


def _scorer(tally: Tally) -> ScorerSummary:
    return ScorerSummary(
        tally.id, tally.name, tally.scale, tally.better, tally.mean, tally.spread, tally.histogram(BINS),
        tuple(tally.lowest),
    )  # fmt: skip
