"""Results are built and left without losing a type or an exception."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.result import Failure, Success

from scorewright import attempt, err, fold, ok

anything = st.none() | st.integers() | st.text() | st.lists(st.integers())


@given(anything)
def test_ok_is_a_success(value: object) -> None:
    """`ok` holds its value, and is equal to the container's own success."""
    assert ok(value) == Success(value)
    assert ok(value).unwrap() is value


@given(anything)
def test_err_is_a_failure(fault: object) -> None:
    """`err` holds its fault, and is equal to the container's own failure."""
    assert err(fault) == Failure(fault)
    assert err(fault).failure() is fault


@given(anything)
def test_fold_takes_the_side_that_is_there(value: object) -> None:
    """Only the function of the side that is there is called."""
    assert fold(ok(value), lambda given: ("good", given), lambda _: pytest.fail("bad was called")) == ("good", value)
    assert fold(err(value), lambda _: pytest.fail("good was called"), lambda given: ("bad", given)) == ("bad", value)


def test_a_success_may_hold_a_failure() -> None:
    """What is inside is not looked at."""
    inner = err("x")
    assert fold(ok(inner), lambda given: given, lambda _: None) is inner


def test_attempt_gives_the_value() -> None:
    """A function that does not raise is as before, its value in a success."""
    assert attempt(ValueError)(int)("7") == ok(7)


def test_attempt_returns_what_was_named() -> None:
    """An exception of the named kind, or a kind below it, is the fault."""
    fault = attempt(ValueError)(int)("seven").failure()
    assert isinstance(fault, ValueError)
    assert isinstance(attempt(LookupError)(lambda key: {}[key])("x").failure(), KeyError)


def test_attempt_lets_everything_else_pass() -> None:
    """An exception of another kind is raised as before."""
    with pytest.raises(ZeroDivisionError):
        attempt(ValueError)(lambda number: 1 / number)(0)

    @attempt(Exception)
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(None)


@given(st.integers())
def test_attempt_is_a_decorator(number: int) -> None:
    """It lifts a function where it is defined."""

    @attempt(ZeroDivisionError)
    def inverse(given: int) -> float:
        return 1 / given

    assert fold(inverse(number), lambda value: value == 1 / number, lambda _: number == 0)


def test_a_success_of_ours_is_a_success_of_returns() -> None:
    """`ok` makes what `Success` makes: equal, of the same type, mapped, pickled and hashed alike."""
    import pickle

    from returns.result import Success

    assert ok((1, 2)) == Success((1, 2))
    assert type(ok(1)) is Success
    assert repr(ok(1)) == repr(Success(1))
    assert hash(ok(1)) == hash(Success(1))
    assert ok(1).map(str) == Success("1")
    assert pickle.loads(pickle.dumps(ok([1]))) == Success([1])
