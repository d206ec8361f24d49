"""Scorers out of scorers. What adapts one scorer is a method of it; what makes one out of several is here."""

from scorewright.algebra.choosing import cascade, route
from scorewright.algebra.classifying import (
    Chance,
    Distribution,
    Labelled,
    binary_scorer,
    classifier_scorer,
    ordinal_scorer,
)
from scorewright.algebra.combining import maximum, mean, minimum, weighted
from scorewright.algebra.comparing import Best, Pair, Preference, best_of, pairwise
from scorewright.algebra.criteria import Criterion, Finding, Findings, rubric
from scorewright.algebra.deciding import Tally, all_of, any_of, at_least
from scorewright.algebra.fingerprint import Fingerprint, fingerprint
from scorewright.algebra.jury import Disagreed, NoQuorum, jury
from scorewright.algebra.policies import Coverage, Policy, renormalise, scorable_only, strict
from scorewright.algebra.reducing import Spread, Tied
from scorewright.algebra.repeating import repeat, self_consistent
from scorewright.core.describing import describe
from scorewright.core.parts import PartsFailed

__all__ = [
    "Best",
    "Chance",
    "Coverage",
    "Criterion",
    "Disagreed",
    "Distribution",
    "Finding",
    "Findings",
    "Fingerprint",
    "Labelled",
    "NoQuorum",
    "Pair",
    "PartsFailed",
    "Policy",
    "Preference",
    "Spread",
    "Tally",
    "Tied",
    "all_of",
    "any_of",
    "at_least",
    "best_of",
    "binary_scorer",
    "cascade",
    "classifier_scorer",
    "describe",
    "fingerprint",
    "jury",
    "maximum",
    "mean",
    "minimum",
    "ordinal_scorer",
    "pairwise",
    "renormalise",
    "repeat",
    "route",
    "rubric",
    "scorable_only",
    "self_consistent",
    "strict",
    "weighted",
]
