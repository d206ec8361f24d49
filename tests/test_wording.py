"""How faults read."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import get_args

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.faults import (
    EmptyReply,
    Fault,
    InvalidRun,
    JudgeFault,
    NotScorable,
    Raised,
    RateLimited,
    Refused,
    SchemaMismatch,
    StepRaised,
)
from scorewright.wording import Worded, describe


def final(cls: type) -> Iterator[type]:
    """The leaves of the tree of a class."""
    below = [each for each in cls.__subclasses__() if each.__module__ == "scorewright.faults"]
    for each in below:
        yield from final(each)
    if not below:
        yield cls


LEAVES = sorted(final(Fault), key=lambda leaf: leaf.__name__)


def example(leaf: type) -> object:
    """A fault of this class, each field holding its own name."""
    values = {"status": 503, "retry_after": 2.0, "raised": Raised("KeyError", "'name'")}
    fields = [field.name for field in attrs.fields(leaf)]
    return leaf(**{name: values.get(name, f"<{name}>") for name in fields})


def test_every_fault_of_the_tree_has_wording() -> None:
    """The union that the checkers hold to be complete is the tree itself."""
    assert set(get_args(Worded)) == set(LEAVES)


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_a_fault_reads_as_a_sentence(leaf: type) -> None:
    """It begins with a capital and ends with a stop, says what the fault holds, and is no repr."""
    said = describe(example(leaf))
    assert said[0].isupper() or said.startswith("prepare_run")
    assert said.endswith((".", "…"))
    assert leaf.__name__ + "(" not in said
    for field in attrs.fields(leaf):
        if field.name not in {"raised", "prompt"}:
            shown = {"status": "503", "retry_after": "2 s"}.get(field.name, f"<{field.name}>")
            assert shown in said
    assert len({describe(example(other)) for other in LEAVES}) == len(LEAVES)


class Lack(Enum):
    FACTS = "facts"


@attrs.frozen
class Own:
    word: str


@attrs.frozen
class OwnFault(Fault):
    word: str


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (NotScorable("no answer"), "Not scorable: no answer."),
        (StepRaised(Raised("KeyError", "'name'")), "The step raised KeyError: 'name'."),
        (StepRaised(Raised("StopIteration", "")), "The step raised StopIteration."),
        (InvalidRun("$.a[2]", "no text"), "The row does not fit the scorer at $.a[2]: no text."),
        (RateLimited("slow down!"), "The judge was asked too often: slow down!"),
        (EmptyReply(), "The judge's reply was empty."),
        (Refused("I can't."), "The judge declined to answer: \"I can't.\"."),
        (SchemaMismatch("{}", "$.x", "is missing"), "The judge's reply does not fit at $.x: is missing, in '{}'."),
        ("too short", "too short."),
        ("", "''."),
        (ValueError("no"), "ValueError: no."),
        (ValueError(), "ValueError."),
        (Lack.FACTS, "Lack.FACTS."),
        (Own("x"), "Own(word='x')."),
        (OwnFault("x"), "OwnFault(word='x')."),
        (None, "None."),
        (Unspeakable(), "a Unspeakable that cannot be shown: that raised RuntimeError."),
        (UnspeakableError(), "UnspeakableError: a UnspeakableError that cannot be shown: that raised RuntimeError."),
    ],
)  # fmt: skip
def test_faults_and_values_of_users_are_described(given: object, said: str) -> None:
    """What a step failed with may be anything at all."""
    assert describe(given) == said


@given(st.text())
def test_a_long_reply_is_quoted_in_part(text: str) -> None:
    """The whole of it is in the fault."""
    assert len(describe(Refused(text))) < 1000


def test_the_bases_are_no_faults_of_their_own() -> None:
    """They only group."""
    assert Fault not in LEAVES
    assert JudgeFault not in LEAVES
