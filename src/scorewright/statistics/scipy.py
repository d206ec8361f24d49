"""What we use of scipy, which has no types: it is imported when a function is needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast, overload

if TYPE_CHECKING:
    from numpy.random import Generator

    from scorewright.statistics.sample import Floats


class Special(Protocol):
    """`scipy.special`: distribution functions and their inverses."""

    def bdtr(self, k: float, n: int, p: float, /) -> float:
        """The binomial distribution."""
        ...

    def gammaincinv(self, a: float, y: Floats, /) -> Floats:
        """The inverse of the regularised incomplete gamma function."""
        ...

    @overload
    def ndtr(self, x: float, /) -> float: ...
    @overload
    def ndtr(self, x: Floats, /) -> Floats: ...
    def ndtr(self, x: float | Floats, /) -> float | Floats:
        """The normal distribution."""
        ...

    def ndtri(self, y: float, /) -> float:
        """Its inverse."""
        ...

    def stdtr(self, df: float, t: float, /) -> float:
        """Student's t distribution."""
        ...

    def stdtrit(self, df: float, p: float, /) -> float:
        """Its inverse."""
        ...


class Optimize(Protocol):
    """`scipy.optimize`."""

    def brentq(self, f: Callable[[float], float], a: float, b: float, /) -> float:
        """Where a function crosses 0."""
        ...


class Bootstrapped(Protocol):
    """What a bootstrap came to."""

    @property
    def confidence_interval(self) -> tuple[float, float]:
        """Its ends."""
        ...


class Stats(Protocol):
    """`scipy.stats`."""

    def bootstrap(
        self,
        data: tuple[Floats],
        statistic: Callable[..., object],
        /,
        *,
        confidence_level: float,
        n_resamples: int,
        method: str,
        rng: Generator,
        batch: int,
    ) -> Bootstrapped:
        """Resample, and take the interval."""
        ...


@cache
def special() -> Special:
    """`scipy.special`."""
    return cast("Special", import_module("scipy.special"))


@cache
def optimize() -> Optimize:
    """`scipy.optimize`."""
    return cast("Optimize", import_module("scipy.optimize"))


@cache
def stats() -> Stats:
    """`scipy.stats`."""
    return cast("Stats", import_module("scipy.stats"))
