"""What a model is told beside the words: temperature, limits, stop texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from types import MappingProxyType
from typing import cast, final

import attrs
from typing_extensions import TypeVar

from scorewright.faults import DefinitionError
from scorewright.judges.redaction import without_secrets
from scorewright.shapes.values import is_list, is_object

T = TypeVar("T")

NOTHING: Mapping[str, object] = MappingProxyType({})
OURS = frozenset({"model", "messages", "stream"})  # what a request is made of, and `extra` must not replace


def first(inner: T | None, outer: T | None, /) -> T | None:
    """The inner setting where there is one, else the outer."""
    return outer if inner is None else inner


def listed(given: Iterable[T], /) -> tuple[T, ...]:
    """A list of processors, matchers or texts as it is kept; a single one is told to be put into a list."""
    if not is_a(given, Iterable) or is_a(given, str):
        raise DefinitionError(f"a list is wanted, not {type(given).__name__}: write […] around it")
    return tuple(given)


def _own(given: Mapping[str, object]) -> Mapping[str, object]:
    """A copy that nobody can change: JSON from end to end."""
    if not is_a(given, Mapping):
        raise DefinitionError(f"extra= is a mapping of names to values, not {given!r}")
    if not given:
        return NOTHING
    try:
        plain: object = json.loads(json.dumps(dict(given), allow_nan=False, default=_thawed))
    except (TypeError, ValueError, RecursionError) as mistake:
        raise DefinitionError(f"extra= goes into a JSON body: {mistake}") from mistake
    return MappingProxyType({key: _frozen(value) for key, value in plain.items()}) if is_object(plain) else NOTHING


def _frozen(value: object) -> object:
    if is_object(value):
        return MappingProxyType({key: _frozen(below) for key, below in value.items()})
    return tuple(map(_frozen, value)) if is_list(value) else value


def _thawed(value: object) -> dict[str, object]:
    if is_a(value, MappingProxyType):
        return dict(cast("Mapping[str, object]", value))
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def thawed(extra: Mapping[str, object], /) -> dict[str, object]:
    """The settings as plain lists and dicts, for a library to write; a copy, so that it may do with it as it likes."""
    if not extra:
        return {}
    plain: object = json.loads(json.dumps(dict(extra), default=_thawed))
    return plain if is_object(plain) else {}


def _texts(given: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else (given,) if isinstance(given, str) else listed(given)


def _without_keys(extra: Mapping[str, object]) -> str:
    return without_secrets(repr(thawed(extra)), ())


def is_a(given: object, /, *kinds: type) -> bool:
    """Whether what a user's code gave is of the type that it says."""
    return isinstance(given, kinds)


def is_count(given: object, least: int, /) -> bool:
    """Whether it is a whole number of at least so much; True is none."""
    return isinstance(given, int) and not isinstance(given, bool) and given >= least


def is_amount(given: object, /) -> bool:
    """Whether it is a finite number; True is none."""
    return isinstance(given, (int, float)) and not isinstance(given, bool) and isfinite(given)


@final
@attrs.frozen
class ModelSettings:
    """Sampling settings; what is None is left to the provider. `extra` goes into the request body as it is now."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] | None = attrs.field(default=None, converter=_texts)
    extra: Mapping[str, object] = attrs.field(factory=dict[str, object], converter=_own, repr=_without_keys, hash=False)

    def __attrs_post_init__(self) -> None:
        for name, given in (("temperature", self.temperature), ("top_p", self.top_p)):
            if given is not None and not (is_amount(given) and given >= 0):
                raise DefinitionError(f"{name}= is a number, 0 or more, not {given!r}")
        if self.seed is not None and not is_count(self.seed, -(2**63)):
            raise DefinitionError(f"seed= is a whole number, not {self.seed!r}")
        if self.max_tokens is not None and not is_count(self.max_tokens, 1):
            raise DefinitionError(f"max_tokens= is a whole number above 0, not {self.max_tokens!r}")
        if not all(is_a(text, str) for text in self.stop or ()):
            raise DefinitionError(f"stop= is a text, or a list of texts, not {self.stop!r}")
        if taken := OURS & self.extra.keys():
            raise DefinitionError(f"extra= cannot replace {', '.join(sorted(taken))} of a request")

    def __reduce__(self) -> tuple[type[ModelSettings], tuple[object, ...]]:
        """Another process, and a copy, get `extra` as plain dicts: a mapping that nobody can change cannot travel."""
        plain = (self.temperature, self.top_p, self.seed, self.max_tokens, self.stop, thawed(self.extra))
        return ModelSettings, plain

    def filled(self, outer: ModelSettings, /) -> ModelSettings:
        """These settings, each that is absent taken from `outer`; the keys of `extra` one by one."""
        if self == NO_SETTINGS:
            return outer
        return ModelSettings(
            first(self.temperature, outer.temperature),
            first(self.top_p, outer.top_p),
            first(self.seed, outer.seed),
            first(self.max_tokens, outer.max_tokens),
            first(self.stop, outer.stop),
            {**outer.extra, **self.extra},
        )


NO_SETTINGS = ModelSettings()
