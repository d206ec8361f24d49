"""The seam to a model: one call is exactly one HTTP request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias, final

import attrs
from returns.result import Result

from scorewright.core.ask import Attempt, Token
from scorewright.faults import JudgeFault
from scorewright.judges.settings import NO_SETTINGS, ModelSettings

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@final
@attrs.frozen
class Call:
    """One request to a model, in no provider's dialect. `schema` is there only when it is to be sent natively."""

    model: str
    system: str
    user: str
    schema: Mapping[str, object] | None = attrs.field(default=None, repr=False)
    schema_name: str = ""
    settings: ModelSettings = NO_SETTINGS
    without: frozenset[str] = frozenset()  # settings that this model refuses, and "logprobs"
    idempotency_key: str = ""  # the same when this very request is made again after a crash; no two attempts share one
    top_logprobs: int = 0  # so many alternatives of each token, with their log-probabilities

    @property
    def alternatives(self) -> int:
        """How many alternatives of each token are asked for: none of a model that refuses to tell them."""
        return 0 if "logprobs" in self.without else self.top_logprobs


@final
@attrs.frozen
class Signals:
    """What a failed request says about trying again: its code, its headers (names in lower case), what was raised."""

    code: str = ""
    message: str = ""
    param: str = ""
    headers: Mapping[str, str] = attrs.field(default=_NO_HEADERS, repr=False)
    exception: BaseException | None = attrs.field(default=None, eq=False, repr=False)


NO_SIGNALS = Signals()


@final
@attrs.frozen
class Heard:
    """What one request came to: the text or a fault, the attempt as it is recorded, and the signals of a failure.

    `tokens` are those of the text, where their log-probabilities were asked for and told.
    """

    answer: Result[str, JudgeFault]
    attempt: Attempt
    signals: Signals = NO_SIGNALS
    tokens: tuple[Token, ...] = attrs.field(default=(), repr=False)


Transport: TypeAlias = Callable[[Call], Awaitable[Heard]]
