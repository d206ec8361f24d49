"""Numbers that mean something: every one with its interval, its coverage and its assumptions.

It needs numpy and scipy: pip install 'scorewright[statistics]'.
"""

from importlib.util import find_spec

from scorewright.statistics.agreement import (
    Agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
)
from scorewright.statistics.biases import LengthBias, PositionBias, length_bias, position_bias
from scorewright.statistics.comparing import Comparison, compare, corrected, mcnemar
from scorewright.statistics.correcting import corrected_mean, corrected_rate
from scorewright.statistics.estimate import Estimate, Interval, Undefined
from scorewright.statistics.groups import Pooled, by_group, over_groups, pooled
from scorewright.statistics.means import mean, pass_rate, standard_error, wilson
from scorewright.statistics.noise import Noise, noise
from scorewright.statistics.power import detectable, power, rows_needed
from scorewright.statistics.sample import Sample

__all__ = [
    "Agreement",
    "Comparison",
    "Estimate",
    "Interval",
    "LengthBias",
    "Noise",
    "Pooled",
    "PositionBias",
    "Sample",
    "Undefined",
    "by_group",
    "cohen_kappa",
    "compare",
    "corrected",
    "corrected_mean",
    "corrected_rate",
    "detectable",
    "fleiss_kappa",
    "krippendorff_alpha",
    "length_bias",
    "mcnemar",
    "mean",
    "noise",
    "over_groups",
    "pass_rate",
    "percent_agreement",
    "pooled",
    "position_bias",
    "power",
    "rows_needed",
    "standard_error",
    "wilson",
]

if find_spec("numpy") is None or find_spec("scipy") is None:
    raise ImportError("scorewright.statistics needs numpy and scipy: pip install 'scorewright[statistics]'")
