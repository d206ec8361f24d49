"""A suite: scorers with different ids, what each is applied to, and what their scores are held to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import TypeAlias, final

import attrs
from typing_extensions import TypeIs

from scorewright.core import Scorer, Scorers
from scorewright.core.budget import Budget
from scorewright.core.collection import SomeScorer
from scorewright.core.run import record
from scorewright.faults import DefinitionError
from scorewright.suites.assigned import Assigned
from scorewright.suites.kinds import checked_count, checked_kind, checked_mapping, checked_seconds, series_in
from scorewright.suites.settings import For, rules_in
from scorewright.suites.thresholds import Asserted, Bound, Gate, Gates, gate_for, limits_in, threshold_for

Entry: TypeAlias = SomeScorer | tuple[SomeScorer, Bound] | Scorers

_NO_STEPS: Mapping[str, Sequence[SomeScorer]] = {}
_NO_THRESHOLDS: Mapping[str, Bound] = {}


@final
@record
class Suite:
    """Scorers, each with an id of its own, and what is asked of their scores.

    A scorer stands alone or with its threshold: `Suite((exact, ">= 0.8"), polite)`. `thresholds` hold on the mean or
    the share that passes, `gates` on every item: `gates=["safe"]` wants the good end of the scale, `{"safe": ">= 0.5"}`
    less. `steps` are the scorers of a workflow's steps by the step's name, `turns` those of every turn of a
    conversation. Scorers of an `AgentRun`, a `Trajectory` or an agent's messages are given what they take.

    Without any scorer a suite only keeps what a target answers, to be scored later; it is inconclusive, never passed.

    `settings` say what is otherwise for some rows: `settings=[For("slow", timeout=60)]`.

    `concurrency` items are worked on at once; `timeout` seconds are given to each item, target and scorers together;
    `budget` is what all asks of one evaluation may take. Mistakes, also an id that is taken, raise `DefinitionError`.
    """

    name: str
    assigned: tuple[Assigned, ...]
    thresholds: tuple[Asserted, ...]
    gates: tuple[Gate, ...]
    concurrency: int
    timeout: float | None
    budget: Budget | None
    settings: tuple[For, ...]
    by_id: Mapping[str, Assigned] = attrs.field(eq=False, repr=False)

    def __init__(
        self,
        *scorers: Entry,
        name: str = "suite",
        thresholds: Mapping[str, Bound] = _NO_THRESHOLDS,
        gates: Gates = (),
        steps: Mapping[str, Sequence[SomeScorer]] = _NO_STEPS,
        turns: Sequence[SomeScorer] = (),
        concurrency: int = 8,
        timeout: float | None = None,
        budget: Budget | None = None,
        settings: Sequence[For] = (),
    ) -> None:
        checked_mapping("thresholds", thresholds, "ids to bounds")
        checked_mapping("steps", steps, "names to the scorers of each")
        checked_count("concurrency", concurrency)
        checked_seconds("timeout", timeout)
        checked_kind("name", name, str, "a text")
        if budget is not None:
            checked_kind("budget", budget, Budget, "a Budget")
        whole, bounds = _entries(scorers)
        assigned = (
            *whole,
            *(
                Assigned(_scorer(each), "step", step)
                for step, several in steps.items()
                for each in series_in("steps", several)
            ),
            *(Assigned(_scorer(each), "turn") for each in series_in("turns", turns)),
        )
        by_id = _by_id(assigned)
        rules = rules_in(settings, by_id)
        twice = [id for id in thresholds if id in bounds]
        if twice:
            raise DefinitionError(f"{twice[0]!r} has a threshold beside it and one in thresholds=: give one of them")
        asserted = tuple(
            threshold_for(_known(by_id, id).scorer, id, bound) for id, bound in {**bounds, **thresholds}.items()
        )
        values = {
            "name": name,
            "assigned": assigned,
            "thresholds": asserted,
            "gates": tuple(gate_for(_known(by_id, id).scorer, id, limit) for id, limit in limits_in(gates).items()),
            "concurrency": concurrency,
            "timeout": timeout,
            "budget": budget,
            "settings": rules,
            "by_id": by_id,
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    def held_to(self, thresholds: Mapping[str, Bound] = _NO_THRESHOLDS, gates: Gates = ()) -> Suite:
        """The same suite with other bounds: these in place of those on the same scorer, beside all others."""
        asserted = {each.scorer: each for each in self.thresholds}
        for id, bound in thresholds.items():
            asserted[id] = threshold_for(_known(self.by_id, id).scorer, id, bound)
        gated = {gate.scorer: gate for gate in self.gates}
        for id, limit in limits_in(gates).items():
            gated[id] = gate_for(_known(self.by_id, id).scorer, id, limit)
        held = copy(self)
        object.__setattr__(held, "thresholds", tuple(asserted.values()))
        object.__setattr__(held, "gates", tuple(gated.values()))
        return held

    @property
    def ids(self) -> tuple[str, ...]:
        """What results know the scorers by, in order."""
        return tuple(self.by_id)

    def __len__(self) -> int:
        return len(self.assigned)


def _entries(entries: Iterable[Entry]) -> tuple[list[Assigned], dict[str, Bound]]:
    assigned: list[Assigned] = []
    bounds: dict[str, Bound] = {}
    for entry in entries:
        if isinstance(entry, Scorers):
            assigned.extend(map(Assigned, entry))
        elif _is_pair(entry):
            if len(entry) != 2:  # noqa: PLR2004 - a pair
                raise DefinitionError(f"a scorer stands alone or with its threshold, not in a tuple of {len(entry)}")
            scorer = _scorer(entry[0])
            assigned.append(Assigned(scorer))
            bounds[scorer.id] = entry[1]
        else:
            assigned.append(Assigned(_scorer(entry)))
    return assigned, bounds


def _is_pair(entry: object) -> TypeIs[tuple[SomeScorer, Bound]]:
    return isinstance(entry, tuple)


def _scorer(given: object) -> SomeScorer:
    if _is_scorer(given):
        return given
    raise DefinitionError(f"a suite takes scorers, not {type(given).__name__}; a list is given as Suite(*listed)")


def _is_scorer(given: object) -> TypeIs[SomeScorer]:
    return isinstance(given, Scorer)


def _by_id(assigned: Sequence[Assigned]) -> Mapping[str, Assigned]:
    by_id: dict[str, Assigned] = {}
    for each in assigned:
        if each.id in by_id:
            raise DefinitionError(f"two scorers have the id {each.id!r}: give one another with .named(…)")
        by_id[each.id] = each
    return by_id


def _known(by_id: Mapping[str, Assigned], id: str) -> Assigned:
    if id not in by_id:
        raise DefinitionError(f"there is no scorer {id!r} in the suite; its scorers are {', '.join(by_id)}")
    return by_id[id]
