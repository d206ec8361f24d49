"""The fingerprint of objects that are neither functions nor plain values."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

import attrs
import pytest

from scorewright import create_scorer, pure
from scorewright.algebra import Fingerprint, fingerprint

ROOT = Path(__file__).parent.parent
WORDS: tuple[str, ...] = "tip", "top", "tap", "tub", "tab", "tag", "tug"


@dataclass
class Written:
    words: set[str]


@attrs.frozen
class Frozen:
    words: frozenset[str]


class Plain:
    def __init__(self, words: set[str]) -> None:
        self.words = words

    def __call__(self, _: object) -> float:
        return len(self.words)


class Slotted:
    __slots__ = ("words",)

    def __init__(self, words: set[str]) -> None:
        self.words = words

    def __repr__(self) -> str:
        return f"Slotted({self.words})"


class Ring:
    def __init__(self, words: set[str]) -> None:
        self.words, self.next = words, self


class Stubborn:
    def __reduce__(self) -> str:
        raise ZeroDivisionError


@lru_cache
def kept(_: object) -> float:
    return 1.0


def holders(words: set[str]) -> tuple[object, ...]:
    """One of each kind of thing that can hold these."""
    one, other = (frozenset(sorted(words)[cut:]) for cut in (1, 2))
    return (
        Written(words),
        Frozen(frozenset(words)),
        Plain(words),
        Plain(words).__call__,
        Slotted(words),
        Ring(words),
        SimpleNamespace(words=words),
        deque([words]),
        OrderedDict([("words", words)]),
        defaultdict(set, words=words),
        partial(max, words),
        {word: (word,) for word in words},
        ({one, other}, one, other),  # what is met a second time is not told by when a set gave it first
        ({word: [one, other] for word in words}, one),
    )


def of(held: object) -> Fingerprint:
    return fingerprint(create_scorer("a", input=str, output=str).generate_score(pure(lambda _: float(bool(held)))))


def told() -> str:
    """What this process says of all of them."""
    data = (*holders(set(WORDS)), kept, re.compile("a+"), Decimal("1.5"), date(2024, 2, 29), Path("a"), range(3))
    return "\n".join(repr(of(each)) for each in data)


def test_what_is_called_stable_is_so_in_every_process() -> None:
    """Whatever the seed of hashes, in whose order sets are gone through and written."""
    path = os.pathsep.join([str(ROOT.parent / "src"), str(ROOT)])
    code = "from algebra.test_fingerprint import told\nprint(told())"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert said.pop().count("unstable=()") == len(told().splitlines())


def test_what_they_hold_counts() -> None:
    """Each kind has a fingerprint of its own, and another one for other words."""
    digests = [of(each).digest for words in (set(WORDS), set(WORDS[1:])) for each in holders(words)]
    assert len(set(digests)) == len(digests)
    assert of(re.compile("a")) != of(re.compile("a", re.IGNORECASE))


def test_the_function_of_a_cache_counts() -> None:
    """A function whose answers are kept is known by what it does."""

    def made(answer: float) -> object:
        @lru_cache
        def kept(_: object) -> float:
            return answer

        return kept

    assert of(made(1.0)) == of(made(1.0))
    assert of(made(1.0)) != of(made(2.0))


def test_a_large_array_counts_to_its_last_number() -> None:
    """Its repr leaves out the middle."""
    np = pytest.importorskip("numpy")
    one, other = np.arange(5000), np.arange(5000)
    other[2500] = 7
    assert of(one) == of(np.arange(5000))
    assert of(one) != of(other)


def test_what_is_no_data_is_said_wherever_it_is_held() -> None:
    """A lock, a generator, what refuses to be written; once, however often."""
    for held in (Lock(), (each for each in WORDS), Stubborn(), object()):
        why = (f"a {type(held).__qualname__} is no data, and nothing else is known of it",)
        assert of(held).unstable == of(SimpleNamespace(a=held, b=[held])).unstable == why


def test_what_is_nested_too_deeply_is_said() -> None:
    """Nothing is raised, and the same scorer keeps its fingerprint in this process."""
    chain: object = None
    for _ in range(2000):
        chain = SimpleNamespace(next=chain)
    deep = create_scorer("a", input=str, output=str).generate_score(pure(lambda _: float(chain is None)))
    assert fingerprint(deep).unstable == ("it holds something that is nested too deeply to be read",)
    assert fingerprint(deep) == fingerprint(deep)
