"""How faults read."""

from __future__ import annotations

import importlib
import json
import pickle
import pkgutil
import sys
from collections.abc import Iterator
from enum import Enum
from typing import get_args

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorewright
from scorewright import Run, create_scorer, pure
from scorewright.core import ScoringFailure
from scorewright.faults import (
    BadRequest,
    EmptyReply,
    Fault,
    InvalidRun,
    JudgeFault,
    Misfit,
    NotJson,
    NotScorable,
    Raised,
    RateLimited,
    Refused,
    SchemaMismatch,
    StepRaised,
    Unauthorized,
)
from scorewright.wording import Worded, describe


def final(cls: type) -> Iterator[type]:
    """The leaves of the tree of a class."""
    below = [each for each in cls.__subclasses__() if is_ours(each)]
    for each in below:
        yield from final(each)
    if not below:
        yield cls


def is_ours(cls: type) -> bool:
    """Whether a class stands in a module of ours; attrs leaves a twin of each behind until it is collected."""
    return cls.__module__.startswith("scorewright.") and vars(sys.modules[cls.__module__]).get(cls.__name__) is cls


for room in pkgutil.walk_packages(scorewright.__path__, "scorewright."):
    if not room.name.endswith("__main__"):
        importlib.import_module(room.name)
ALL = sorted(final(Fault), key=lambda leaf: leaf.__name__)
LEAVES = [leaf for leaf in ALL if leaf.__module__ == "scorewright.faults"]
OTHERS = [leaf for leaf in ALL if leaf not in LEAVES]
FAILURE = ScoringFailure[object]((), (), "a", step="generate_score", cause=NotScorable("empty"), score=None)


def example(leaf: type) -> object:
    """A fault of this class, each field holding its own name."""
    values = {
        "misfits": (Misfit("<path>", "<why>"),),
        "raised": Raised("KeyError", "'name'"),
        "retry_after": 2.0,
        "status": 503,
    }
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
        if field.name not in {"raised", "prompt", "misfits"}:
            shown = {"status": "503", "retry_after": "2 s"}.get(field.name, f"<{field.name}>")
            assert shown in said
    assert len({describe(example(other)) for other in LEAVES}) == len(LEAVES)


HELD = {
    "scores": (0.5, 1.0), "needed": 2, "failures": (("tone", FAILURE),), "most_apart": 0.25,
    "looked_for": ("spans: a list",), "raised": Raised("ValueError", "down"), "seconds": 2.0,
    "first": 20, "second": 30, "most_cells": 100,
}  # fmt: skip


@pytest.mark.parametrize("leaf", OTHERS, ids=lambda leaf: leaf.__name__)
def test_a_fault_outside_the_tree_says_its_own_sentence(leaf: type) -> None:
    """In whatever room it lives: no repr, and no field without a word."""
    fault = leaf(**{field.name: HELD.get(field.name, f"<{field.name}>") for field in attrs.fields(leaf)})
    said = describe(fault)
    assert said[0].isupper()
    assert said.endswith(".")
    assert leaf.__name__ not in said
    assert "(" not in said.replace("(spans: a list)", "")


def test_the_faults_of_all_rooms_are_met() -> None:
    """Those of composed scorers, of juries and of traces."""
    assert {"PartsFailed", "Tied", "NoQuorum", "Disagreed", "UnknownDialect", "Unreadable"} <= {
        leaf.__name__ for leaf in OTHERS
    }


def test_a_score_beyond_the_scale_names_what_declares_it() -> None:
    """Who scores from 0 to 100 and has not said so is told how."""
    scorer = create_scorer("s", input=str, output=str).generate_score(pure(lambda _: 11.0))
    assert "(scale=)" in describe(scorer.run_sync(Run("q", "a")).failure())


def test_a_failure_says_its_step() -> None:
    """Before its cause."""
    assert describe(FAILURE) == "In generate_score: Not scorable: empty."


def test_an_exception_has_the_place_where_the_users_code_raised() -> None:
    """The last line of theirs, not that of a library that they called; a copy keeps it."""

    def broken(step: object) -> float:
        return float(json.loads("{"))

    failure = create_scorer("x", input=str, output=str).generate_score(pure(broken)).run_sync(Run("", "")).failure()
    cause = failure.cause
    assert isinstance(cause, StepRaised)
    line = broken.__code__.co_firstlineno + 1
    assert describe(cause).endswith(f", at test_wording.py:{line}.")
    assert describe(pickle.loads(pickle.dumps(cause))) == describe(cause)


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
        (Unauthorized("no key: set the environment variable OPENAI_API_KEY"),
         "No key: set the environment variable OPENAI_API_KEY."),
        (BadRequest(0, "the judge names no model"), "The request could not be made: the judge names no model."),
        (NotJson("x", "is longer than 3 characters"), "The judge's reply is longer than 3 characters: 'x'."),
        (NotJson("x", "holds no JSON object"), "The judge's reply holds no JSON object: 'x'."),
        (NotJson("x", "Expecting value"), "The judge's reply is not JSON (Expecting value): 'x'."),
        (NotJson("x", "the server's reply is not JSON: y"), "The server's reply is not JSON: y: 'x'."),
        ("too short", "too short."),
        ("", "''."),
        (ValueError("no"), "ValueError: no."),
        (ValueError(), "ValueError."),
        (Lack.FACTS, "Lack.FACTS."),
        (Own("x"), "Own(word='x')."),
        (OwnFault("x"), "OwnFault(word='x')."),
        (None, "None."),
        (Unspeakable(), "<Unspeakable whose repr raised RuntimeError>."),
        (UnspeakableError(), "UnspeakableError: <UnspeakableError whose str raised RuntimeError>."),
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
