"""What a model is told beside the words: temperature, limits, stop texts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import final

import attrs
from typing_extensions import TypeVar

from scorewright.faults import DefinitionError

T = TypeVar("T")

_NOTHING: Mapping[str, object] = MappingProxyType({})


def first(inner: T | None, outer: T | None, /) -> T | None:
    """The inner setting where there is one, else the outer."""
    return outer if inner is None else inner


@final
@attrs.frozen
class ModelSettings:
    """Sampling settings; what is None is left to the provider. `extra` goes into the request body as it is."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] | None = attrs.field(default=None, converter=attrs.converters.optional(tuple[str, ...]))
    extra: Mapping[str, object] = _NOTHING

    def __attrs_post_init__(self) -> None:
        if self.max_tokens is not None and self.max_tokens < 1:
            raise DefinitionError(f"max_tokens= is a number above 0, not {self.max_tokens}")

    def filled(self, outer: ModelSettings, /) -> ModelSettings:
        """These settings, each that is absent taken from `outer`; the keys of `extra` one by one."""
        return ModelSettings(
            first(self.temperature, outer.temperature),
            first(self.top_p, outer.top_p),
            first(self.seed, outer.seed),
            first(self.max_tokens, outer.max_tokens),
            first(self.stop, outer.stop),
            {**outer.extra, **self.extra},
        )


NO_SETTINGS = ModelSettings()
