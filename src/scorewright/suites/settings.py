"""What is otherwise for some rows: which scorers they get, how long they may take, what they are held to, who judges.

A suite says it for the rows with a tag, or of which a function says so: `Suite(…, settings=[For("slow", timeout=60)])`.
A row says it for itself, under the key "scorewright" of its metadata. Rules count in their order, the row's own last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

import attrs

from scorewright.core.about import check_judge
from scorewright.core.ask import Answerer
from scorewright.core.run import record
from scorewright.faults import DefinitionError
from scorewright.suites.assigned import Assigned
from scorewright.suites.kinds import checked_seconds, series_in, texts_in
from scorewright.suites.rows.row import Row
from scorewright.suites.thresholds import Gate, Gates, Limit, gate_for, good_sign, limits_in

Which: TypeAlias = str | Callable[[Row], bool]


@final
@record
class For:
    """Settings for the rows with a tag, or of which a function says so. What is not given stays as it is.

    `only` are the ids of the scorers that these rows get, `skip` those that they do not get: a scorer that is left out
    has nothing to score there. `timeout` is in seconds. `gates`, written as those of a suite, are the limits of these
    rows in place of the suite's; where the suite has no gate on a scorer, other rows have no limit. `judge` is asked in
    place of the scorers' own, which fills in what it leaves open.
    """

    rows: Which
    only: tuple[str, ...] | None
    skip: tuple[str, ...]
    timeout: float | None
    gates: Mapping[str, Limit | None]
    judge: Answerer | None

    def __init__(
        self,
        rows: Which,
        /,
        *,
        only: Sequence[str] | None = None,
        skip: Sequence[str] = (),
        timeout: float | None = None,
        gates: Gates = (),
        judge: Answerer | None = None,
    ) -> None:
        if not isinstance(rows, str) and not callable(rows):
            raise DefinitionError(f"For(…) takes a tag or a function of a row, not {type(rows).__name__}")
        checked_seconds("timeout", timeout)
        check_judge(judge)
        values = {
            "rows": rows,
            "only": None if only is None else texts_in("only", only),
            "skip": texts_in("skip", skip),
            "timeout": timeout,
            "gates": limits_in(gates),
            "judge": judge,
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    def holds_for(self, row: Row, /) -> bool:
        """Whether a row has these settings; what a user's function raises is raised."""
        return self.rows in row.tags if isinstance(self.rows, str) else self.rows(row)


@final
@attrs.frozen
class Settings:
    """What holds for one row: the seconds it has, the scorers it does not get, its own limits, its judge."""

    timeout: float | None = None
    left_out: frozenset[str] = frozenset()
    gates: Mapping[str, Gate] = attrs.field(factory=dict[str, Gate])
    judge: Answerer | None = None


def with_rule(settings: Settings, rule: For, scorers: Mapping[str, Assigned], /) -> Settings:
    """What holds once a rule is added; an id that no scorer has is a `DefinitionError`."""
    for id in (*(rule.only or ()), *rule.skip, *rule.gates):
        if id not in scorers:
            raise DefinitionError(f"settings name {id!r}; the scorers of the suite are {', '.join(scorers)}")
    left_out = settings.left_out | {*rule.skip}
    if rule.only is not None:
        left_out |= {id for id in scorers if id not in rule.only}
    judge = rule.judge
    if judge is not None and settings.judge is not None:
        judge = judge.filled(settings.judge)
    return Settings(
        settings.timeout if rule.timeout is None else rule.timeout,
        left_out,
        {**settings.gates, **{id: gate_for(scorers[id].scorer, id, limit) for id, limit in rule.gates.items()}},
        judge or settings.judge,
    )


def without_limit(assigned: Assigned, /) -> Gate:
    """A gate that every score passes: where some rows have a limit of their own, and the others none."""
    scale, sign = assigned.scorer.scale, good_sign(assigned.scorer)
    return Gate(assigned.id, sign, scale.low if sign == ">=" else scale.high)


def rules_in(given: object, scorers: Mapping[str, Assigned], /) -> tuple[For, ...]:
    """The rules that a suite is given, in their order; what they say of scorers that it has not is refused."""
    rules: list[For] = []
    for each in series_in("settings", given):
        if not isinstance(each, For):
            raise DefinitionError(f"settings= takes For(…) in a list, not {type(each).__name__} in it")
        with_rule(Settings(), each, scorers)
        rules.append(each)
    return tuple(rules)
