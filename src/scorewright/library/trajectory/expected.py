"""What a run should have done: single steps, groups of steps without order, and limits on the whole."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, final, get_args

import attrs
from typing_extensions import TypeVar

from scorewright.core.definition import shown
from scorewright.faults import DefinitionError
from scorewright.library.defining import (
    expect_flag,
    expect_one_of,
    expect_sequence,
    expect_text,
    expect_texts,
)
from scorewright.library.trajectory.limits import expect_limit
from scorewright.library.trajectory.values import distinct, in_words

T = TypeVar("T")

Mode: TypeAlias = Literal["strict", "in_order", "any_order", "subset", "superset"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
_PLAIN: Final = re.compile(r"[\w.-]+")  # a name that needs no marks around it


@final
@attrs.frozen
class Unset:
    """The value of what was not stated, where None would be a value."""

    def __repr__(self) -> str:
        return "unset"


unset: Final = Unset()


@final
@attrs.frozen
class ExpectedStep:
    """One expected step: its name, and of the rest only what is stated. `step(…)` makes it.

    `inside` is what is expected of the agent that the step calls; `trajectory_score` reads it.
    """

    name: str
    args: object = unset
    kind: str = ""
    result: object = unset
    succeeded: bool | None = None
    details: Mapping[str, object] = attrs.field(factory=dict[str, object])
    inside: Expectation | None = None

    def __repr__(self) -> str:
        stated: dict[str, object] = {
            "kind": self.kind or None,
            "result": self.result if self.result is not unset else None,
            "succeeded": self.succeeded,
            "details": self.details or None,
            "inside": None if self.inside is None else repr(self.inside),
        }
        more = {name: value for name, value in stated.items() if value is not None}
        args = "" if self.args is unset else f"({in_words(self.args)})"
        return f"{self.name}{args}{in_words(more) if more else ''}"

    @property
    def spelled(self) -> str:
        """As it stands in an id: different for different steps, which its repr need not be."""
        stated: dict[str, object] = {
            field.name: getattr(self, field.name)
            for field in attrs.fields(ExpectedStep)
            if field.name not in {"name", "args", "inside"} and getattr(self, field.name) != field.default
        }
        if not self.details:
            stated.pop("details", None)
        if self.inside is not None:
            stated["inside"] = self.inside.spelled
        name = self.name if _PLAIN.fullmatch(self.name) else distinct(self.name)
        args = "" if self.args is unset else f"({distinct(self.args)})"
        return f"{name}{args}{distinct(stated) if stated else ''}"


@final
@attrs.frozen
class Together:
    """Steps of which the order does not matter, such as the parallel calls of one turn; `together(…)` makes it."""

    steps: tuple[ExpectedStep, ...]

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self.steps))}]"

    @property
    def spelled(self) -> str:
        """As it stands in an id."""
        return f"[{', '.join(each.spelled for each in self.steps)}]"


Expected: TypeAlias = str | ExpectedStep | Together
Steps: TypeAlias = tuple[ExpectedStep | Together, ...]


def listed(given: Sequence[Expected], /) -> Steps:
    """The expected steps; a bare text is the name of one."""
    if isinstance(given, str):
        raise DefinitionError(f"steps are a list, such as [{given!r}], not one name")
    expect_sequence(given, 'steps, such as ["search", "open"]')
    return tuple(map(_one, given))


def _listed(given: Sequence[Expected] | None) -> Steps | None:
    return None if given is None else listed(given)


def _names(given: Sequence[str] | None) -> tuple[str, ...] | None:
    if given is not None:
        expect_texts(given, "forbidden_tools=")
    return None if given is None else tuple(given)


def _sequences(given: Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...] | None:
    if given is not None:
        expect_sequence(given, "forbidden_sequences=")
    for sequence in given or ():
        expect_texts(sequence, "forbidden_sequences=, each of which")
    return None if given is None else tuple(map(tuple, given))


@final
@attrs.frozen
class Expectation:
    """What is expected of a run; what is None is not looked at. `max_tokens` and the like bound the whole run.

    An empty list of steps is an expectation: that there are none. `redundancy` says whether repeated calls count: where
    it is None they do if a budget is set.
    """

    steps: Steps | None = attrs.field(default=None, converter=_listed)
    mode: Mode | None = None
    allow_repeats: bool | None = None
    max_steps: float | None = None
    max_tokens: float | None = None
    max_milliseconds: float | None = None
    redundancy: bool | None = None
    forbidden_tools: tuple[str, ...] | None = attrs.field(default=None, converter=_names)
    forbidden_sequences: tuple[tuple[str, ...], ...] | None = attrs.field(default=None, converter=_sequences)
    max_retries: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.mode is not None:
            expect_mode(self.mode)
        for name in ("allow_repeats", "redundancy"):
            flag: object = getattr(self, name)
            if flag is not None:
                expect_flag(flag, f"Expectation({name}=…)")
        for name in ("max_steps", "max_tokens", "max_milliseconds", "max_retries"):
            limit: float | None = getattr(self, name)
            if limit is not None:
                expect_limit(name, limit)

    def over(self, base: Expectation, /) -> Expectation:
        """This one, with `base` for all that it leaves out."""
        return Expectation(
            _first(self.steps, base.steps),
            _first(self.mode, base.mode),
            _first(self.allow_repeats, base.allow_repeats),
            _first(self.max_steps, base.max_steps),
            _first(self.max_tokens, base.max_tokens),
            _first(self.max_milliseconds, base.max_milliseconds),
            _first(self.redundancy, base.redundancy),
            _first(self.forbidden_tools, base.forbidden_tools),
            _first(self.forbidden_sequences, base.forbidden_sequences),
            _first(self.max_retries, base.max_retries),
        )

    def __repr__(self) -> str:
        stated: dict[str, object] = {}
        for field in attrs.fields(Expectation):
            value: object = getattr(self, field.name)
            if value is not None:
                stated[field.name] = value
        if self.steps is not None:
            stated["steps"] = " → ".join(map(repr, self.steps))
        return in_words(stated)

    @property
    def spelled(self) -> str:
        """As it stands in an id: what it states, different for different expectations."""
        stated: dict[str, object] = {
            field.name: getattr(self, field.name)
            for field in attrs.fields(Expectation)
            if getattr(self, field.name) is not None
        }
        if self.steps is not None:
            stated["steps"] = [each.spelled for each in self.steps]
        return distinct(stated)


def step(
    name: str,
    args: object = unset,
    /,
    *,
    kind: str = "",
    result: object = unset,
    succeeded: bool | None = None,
    details: Mapping[str, object] | None = None,
    inside: Expectation | None = None,
) -> ExpectedStep:
    """An expected step: `step("search", {"q": "Bern"})`. Without `args` any arguments will do.

    Arguments are compared whole, unless `partial({…})` says otherwise; matchers may stand at any depth.
    """
    expect_text(name, "step(…), the name of a tool or an agent,", blank=False)
    expect_text(kind, "step(kind=…)")
    if succeeded is not None:
        expect_flag(succeeded, "step(succeeded=…)")
    _expect_parts(details, inside)
    return ExpectedStep(name, args, kind, result, succeeded, dict(details or {}), inside)


def together(*steps: str | ExpectedStep) -> Together:
    """Steps in any order among themselves, where the rest has an order: `together("rate", "weather")`."""
    if not steps:
        raise DefinitionError("together(…) groups at least one step")
    return Together(tuple(map(_single, steps)))


def flat(steps: Steps, /) -> tuple[ExpectedStep, ...]:
    """The single steps, groups opened."""
    return tuple(each for one in steps for each in (one.steps if isinstance(one, Together) else (one,)))


def expect_mode(given: object, /) -> None:
    """Raise unless it is a mode."""
    expect_one_of(given, MODES, "mode=")


def _one(given: object) -> ExpectedStep | Together:
    if isinstance(given, (ExpectedStep, Together)):
        return given
    if isinstance(given, str):
        return step(given)
    raise DefinitionError(f'a step is a name, step("search", …) or together(…), not {shown(given)}')


def _single(given: object) -> ExpectedStep:
    if isinstance(given, (str, ExpectedStep)):
        return step(given) if isinstance(given, str) else given
    raise DefinitionError(f'together(…) takes names and step("search", …), not {shown(given)}')


def _expect_parts(details: object, inside: object) -> None:
    if details is not None and not isinstance(details, Mapping):
        raise DefinitionError(f'step(details=…) takes an object, such as {{"model": "m"}}, not {shown(details)}')
    if inside is not None and not isinstance(inside, Expectation):
        raise DefinitionError(f"step(inside=…) takes an Expectation(…), not {shown(inside)}")


def _first(own: T | None, base: T | None) -> T | None:
    return base if own is None else own
