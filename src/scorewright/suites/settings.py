"""What is otherwise for some rows: which scorers they get, how long they may take, what they are held to, who judges.

A suite says it for the rows with a tag, or of which a function says so: `Suite(…, settings=[For("slow", timeout=60)])`.
A row says it for itself, under the key "scorewright" of its metadata. Rules count in their order, the row's own last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, final

import attrs
from returns.pipeline import is_successful

from scorewright.core.about import check_judge
from scorewright.core.ask import Answerer
from scorewright.core.guard import raised
from scorewright.core.run import record
from scorewright.faults import DefinitionError, InvalidRun
from scorewright.shapes import structure
from scorewright.suites.kinds import checked_seconds, series_in, texts_in
from scorewright.suites.rows.row import Row
from scorewright.suites.thresholds import Gate, Gates, Limit, gate_for, good_sign, limits_in

if TYPE_CHECKING:
    from scorewright.suites.suite import Assigned, Suite

KEY = "scorewright"  # of the metadata of a row

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


@final
@attrs.frozen
class RowSettings:
    """What a row may say of itself."""

    only: list[str] | None = None
    skip: list[str] = attrs.field(factory=list[str])
    timeout: float | None = None
    gates: dict[str, str | float] = attrs.field(factory=dict[str, str | float])


@final
class Settled:
    """What the settings of a suite come to, row by row."""

    def __init__(self, suite: Suite) -> None:
        """Nothing is asked of a row where neither it nor the suite has settings."""
        self._suite = suite
        self._usual = Settings(suite.timeout)
        self._last: Row | None = None  # a row is asked for by every scorer, one after another
        self._found: Settings | InvalidRun = self._usual

    def of(self, row: Row, /) -> Settings | InvalidRun:
        """What holds for a row; a fault where it says what cannot be, or a user's function raises."""
        if not self._suite.settings and KEY not in row.metadata:
            return self._usual
        if row is not self._last:
            self._last, self._found = row, self._resolved(row)
        return self._found

    def timeout(self, row: Row, /) -> float | None:
        """The seconds that a row has."""
        found = self.of(row)
        return self._suite.timeout if isinstance(found, InvalidRun) else found.timeout

    def gates(self, row: Row, /) -> Mapping[str, Gate]:
        """The limits of its own that a row has, by scorer."""
        found = self.of(row)
        return {} if isinstance(found, InvalidRun) else found.gates

    def _resolved(self, row: Row) -> Settings | InvalidRun:
        try:
            rules = [rule for rule in self._suite.settings if rule.holds_for(row)]
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            error = raised(exception)
            return InvalidRun("$", f"a function of its settings raised {error.kind}: {error.message}")
        settings = self._usual
        for rule in rules:
            settings = with_rule(settings, rule, self._suite.by_id)
        return self._with_own(settings, row)

    def _with_own(self, settings: Settings, row: Row) -> Settings | InvalidRun:
        if KEY not in row.metadata:
            return settings
        held, at = row.metadata[KEY], f"$.metadata.{KEY}"
        read = structure(held, RowSettings)
        if not is_successful(read):
            misfit = read.failure()
            return InvalidRun(f"{at}{misfit.path.removeprefix('$')}", misfit.why)
        own = read.unwrap()
        try:
            rule = For(KEY, only=own.only, skip=own.skip, timeout=own.timeout, gates=own.gates)
            return with_rule(settings, rule, self._suite.by_id)
        except DefinitionError as mistake:
            return InvalidRun(at, str(mistake))


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
