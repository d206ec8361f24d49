from collections.abc import Callable
from typing import NamedTuple

from numpy import float64
from numpy.random import Generator
from numpy.typing import NDArray

class ConfidenceInterval(NamedTuple):
    low: float
    high: float

class BootstrapResult:
    confidence_interval: ConfidenceInterval

def bootstrap(
    data: tuple[NDArray[float64]],
    statistic: Callable[..., object],
    *,
    confidence_level: float,
    n_resamples: int,
    method: str,
    rng: Generator,
    batch: int,
) -> BootstrapResult: ...
