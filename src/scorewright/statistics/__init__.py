"""Numbers that mean something: every one with its interval, its coverage and its assumptions.

It needs numpy and scipy: pip install 'scorewright[statistics]'.
"""

from importlib.util import find_spec

from scorewright.statistics.aggregates import aggregates, harmonic_mean
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
from scorewright.statistics.correlating import auc, pearson, spearman
from scorewright.statistics.estimate import Estimate, Interval, Undefined
from scorewright.statistics.groups import Pooled, by_group, over_groups, pooled
from scorewright.statistics.means import bounded_mean, mean, pass_rate, standard_error, wilson
from scorewright.statistics.missing import LEFT_OUT, Missing, counted_as, refused_below
from scorewright.statistics.noise import Noise, noise
from scorewright.statistics.power import detectable, power, rows_needed
from scorewright.statistics.repeats import Repeats, repeats
from scorewright.statistics.sample import Sample

__all__ = [
    "LEFT_OUT",
    "Agreement",
    "Comparison",
    "Estimate",
    "Interval",
    "LengthBias",
    "Missing",
    "Noise",
    "Pooled",
    "PositionBias",
    "Repeats",
    "Sample",
    "Undefined",
    "aggregates",
    "auc",
    "bounded_mean",
    "by_group",
    "cohen_kappa",
    "compare",
    "corrected",
    "corrected_mean",
    "corrected_rate",
    "counted_as",
    "detectable",
    "fleiss_kappa",
    "harmonic_mean",
    "krippendorff_alpha",
    "length_bias",
    "mcnemar",
    "mean",
    "noise",
    "over_groups",
    "pass_rate",
    "pearson",
    "percent_agreement",
    "pooled",
    "position_bias",
    "power",
    "refused_below",
    "repeats",
    "rows_needed",
    "spearman",
    "standard_error",
    "wilson",
]

if find_spec("numpy") is None or find_spec("scipy") is None:
    raise ImportError("scorewright.statistics needs numpy and scipy: pip install 'scorewright[statistics]'")
