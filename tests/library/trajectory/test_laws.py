"""What holds of every path and every expectation."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from scorewright import Run
from scorewright.agents import asked
from scorewright.library.trajectory import Path, PathStep, efficiency, redundancy, step, tool_failures, trajectory_match
from scorewright.library.trajectory.aligning import assigned, in_order, in_position, total
from scorewright.library.trajectory.comparing import compared
from scorewright.library.trajectory.expected import MODES, ExpectedStep, Mode, listed
from scorewright.library.trajectory.values import same

scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=True) | st.text("ab", max_size=2)
json = st.recursive(
    scalars, lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text("xyz", max_size=2), below, max_size=3)
)
args = st.fixed_dictionaries({}, optional={"x": st.integers(0, 2), "y": st.integers(0, 2)})
calls = st.tuples(st.sampled_from("abc"), args)
lists = st.lists(calls, max_size=5)
tables_of_credit = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=width, max_size=width), max_size=4)
)


def path(given: list[tuple[str, dict[str, int]]]) -> Path:
    return Path(tuple(PathStep(name, args) for name, args in given))


def expected(given: list[tuple[str, dict[str, int]]]) -> list[ExpectedStep]:
    return [step(name, args) for name, args in given]


def score(wanted: list[tuple[str, dict[str, int]]], found: list[tuple[str, dict[str, int]]], mode: Mode) -> float:
    steps = listed(expected(wanted))
    return compared(steps, path(found), mode=mode, credit="whole", allow_repeats=True).score


@given(lists, lists, st.randoms(use_true_random=False))
def test_any_order_ignores_order(wanted: list, found: list, random: object) -> None:
    """On both sides."""
    turned, moved = [*wanted], [*found]
    random.shuffle(turned)
    random.shuffle(moved)
    for mode in ("any_order", "subset", "superset"):
        assert score(wanted, found, mode) == score(turned, moved, mode)


@given(lists, lists)
def test_a_stricter_sense_is_never_easier(wanted: list, found: list) -> None:
    """strict ≤ in_order ≤ any_order ≤ superset; and what is strictly right is right in every sense."""
    strict, ordered, any_order, superset = (
        score(wanted, found, mode) for mode in ("strict", "in_order", "any_order", "superset")
    )
    assert strict <= ordered <= any_order <= superset
    if strict == 1:
        assert {score(wanted, found, mode) for mode in MODES} == {1}


@given(lists, lists)
def test_subset_and_superset_are_each_others_mirror(wanted: list, found: list) -> None:
    """What was done is a subset of what was expected as what was expected is a superset of what was done."""
    assert score(wanted, found, "subset") == score(found, wanted, "superset")


@given(lists)
def test_what_was_expected_is_right_in_every_sense(wanted: list) -> None:
    """A run that does exactly that scores 1."""
    assert {score(wanted, wanted, mode) for mode in MODES} == {1}


def greedy(earned: list[list[float]]) -> float:
    """What a choice from left to right gets."""
    left = list(range(len(earned[0]))) if earned else []
    sum_ = 0.0
    for row in earned:
        if left:
            best = max(left, key=lambda column: row[column])
            if row[best] > 0:
                left.remove(best)
                sum_ += row[best]
    return sum_


@given(tables_of_credit)
def test_the_best_assignment_is_the_best(earned: list[list[float]]) -> None:
    """As good as the best of all, which are tried; so never worse than a greedy one."""
    width = len(earned[0]) if earned else 0
    rows = len(earned)
    padded = [[*row, *([0.0] * rows)] for row in earned]
    best = max(
        (
            sum(padded[row][column] for row, column in enumerate(order))
            for order in permutations(range(width + rows), rows)
        ),
        default=0.0,
    )
    found = assigned(earned)
    assert total(found) == best >= greedy(earned)
    assert len({pair.expected for pair in found}) == len({pair.found for pair in found}) == len(found)


def test_the_law_would_catch_a_greedy_assignment() -> None:
    """The first takes what the second needs: 1 instead of 1.5."""
    earned = [[1.0, 0.5], [1.0, 0.0]]
    assert (greedy(earned), total(assigned(earned))) == (1.0, 1.5)


@given(tables_of_credit)
def test_pairs_in_order_keep_the_order_and_are_the_most(earned: list[list[float]]) -> None:
    """Between pairs in position and pairs without order; as good as the best common subsequence, which is tried."""

    def best(row: int, column: int) -> float:
        if row == len(earned) or column == len(earned[0]):
            return 0.0
        return max(best(row + 1, column), best(row, column + 1), earned[row][column] + best(row + 1, column + 1))

    found = in_order(earned, [[at] for at in range(len(earned))])
    places = [(pair.expected, pair.found) for pair in found]
    assert places == sorted(places)
    assert len({found for _, found in places}) == len(places)
    assert total(found) == (best(0, 0) if earned else 0.0)
    assert total(in_position(earned)) <= total(found) <= total(assigned(earned))


@given(tables_of_credit)
def test_a_group_of_all_has_no_order(earned: list[list[float]]) -> None:
    """One group is the best assignment."""
    group = [range(len(earned))] if earned else []
    assert total(in_order(earned, group)) == total(assigned(earned))


@given(json, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value: object, random: object) -> None:
    """At any depth; and every value is itself, NaN too."""

    def turned(given: object) -> object:
        if isinstance(given, dict):
            keys = list(given)
            random.shuffle(keys)
            return {key: turned(given[key]) for key in keys}
        return [turned(each) for each in given] if isinstance(given, list) else given

    assert same(value, turned(value))
    assert same(turned(value), value)


@given(json, json)
def test_sameness_is_symmetric(one: object, other: object) -> None:
    """Without matchers neither side is special."""
    assert same(one, other) == same(other, one)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.booleans()), max_size=8), st.integers(0, 3))
def test_every_score_is_on_the_scale(told: list[tuple[str, bool]], most: int) -> None:
    """Whatever was called and whatever became of it."""
    run = Run(asked("?"), Path(tuple(PathStep(name, succeeded=good) for name, good in told)))
    for scorer in (
        tool_failures(max_retries=most),
        redundancy(),
        redundancy(anywhere=True),
        efficiency(max_steps=most),
    ):
        assert 0 <= scorer.run_sync(run).unwrap().score <= 1
    for repeats in (True, False):
        scorer = trajectory_match(["a", "b", "a"], mode="strict", allow_repeats=repeats)
        assert 0 <= scorer.run_sync(run).unwrap().score <= 1
