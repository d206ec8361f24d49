"""Groups keep their own values, and the mean over them its own error."""

from __future__ import annotations

import pytest

from scorewright import DefinitionError
from scorewright.statistics import Sample, Undefined, by_group, mean, over_groups, pooled
from scorewright.suites.coverage import Coverage

EU_AND_ALL = Sample((0.0, 0.0, 1.0, 1.0), Coverage(4, 0, 0), groups=("all", "all", "eu", "eu"))


def test_a_group_may_be_called_all() -> None:
    """[UKGovernmentBEIS/inspect_ai#3906b] Both groups and the whole can be read."""
    found = by_group(EU_AND_ALL)
    assert {name: each.value for name, each in found.items()} == {"all": 0.0, "eu": 1.0}
    assert mean(EU_AND_ALL).value == 0.5


@pytest.mark.parametrize(
    ("weighting", "value", "error"),
    [("equal", 0.65, 0.09124143795447329), ("by_size", 0.7884615384615384, 0.029665292612728707)],
)
def test_the_error_belongs_to_the_same_estimator(weighting: str, value: float, error: float) -> None:
    """[EleutherAI/lm-evaluation-harness#3882] An equal mean has an equal error."""
    found = pooled([(200, 0.8, 0.03), (8, 0.5, 0.18)], weighting=weighting)  # type: ignore[arg-type]  # literals of a list
    assert (found.value, found.error) == (pytest.approx(value), pytest.approx(error))


def test_a_mean_over_groups_is_made_of_their_means() -> None:
    """Sizes count only where they are asked for."""
    sample = Sample((1.0, 1.0, 1.0, 0.5), Coverage(4, 0, 0), groups=("a", "a", "a", "b"))
    assert over_groups(sample, weighting="equal").value == pytest.approx(0.75)
    assert over_groups(sample, weighting="by_size").value == pytest.approx(0.875)
    alone = over_groups(sample, weighting="equal").error
    assert alone == Undefined("the error of a group is undefined: fewer than two runs have no spread")


def test_what_is_missing_is_said() -> None:
    """Never a 0 and never NaN."""
    empty = Sample((None, 1.0), Coverage(1, 0, 1), groups=("a", "b"))
    assert over_groups(empty, weighting="equal").value == Undefined("a group has no score")
    assert pooled([], weighting="equal").value == Undefined("no run has a score")
    with pytest.raises(DefinitionError, match="make it with groups="):
        by_group(Sample((1.0,), Coverage(1, 0, 0)))
    with pytest.raises(DefinitionError, match="weighting= is 'equal' or 'by_size'"):
        pooled([(1, 0.5, 0.1)], weighting="mean")  # type: ignore[arg-type]  # what is held is that it is refused
