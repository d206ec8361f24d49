"""What a definition is given is looked at where it is written: the wrong kind of value is a definition error."""

from __future__ import annotations

from typing import Any

import pytest
from suites.scoring import number, words

from scorewright import DefinitionError
from scorewright.suites import ChunkJob, For, ProcessExecutor, Suite, evaluate_sync

ROWS = [{"input": "q", "output": "0.5"}]
HUGE = 10**400


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"only": 3}, "only= takes a list, not int"),
        ({"only": [3]}, "only= takes ids in a list, not int in it"),
        ({"only": b"words"}, "only= takes a list, not bytes"),
        ({"only": "words"}, "only= takes ids in a list: only=['words']"),
        ({"skip": None}, "skip= takes a list, not None"),
        ({"skip": {"words": 1}}, "skip= takes a list, not dict"),
        ({"timeout": "5"}, "timeout= is a number of seconds above 0, not '5'"),
        ({"timeout": True}, "timeout= is a number of seconds above 0, not True"),
        ({"timeout": HUGE}, "timeout= is a number of seconds above 0"),
        ({"timeout": float("nan")}, "timeout= is a number of seconds above 0, not nan"),
        ({"gates": "words"}, "gates= takes ids in a list, or a mapping to limits: gates=['words']"),
        ({"gates": None}, "gates= takes a list, not None"),
        ({"gates": {3: 0.5}}, "gates= is a mapping from ids to limits, not from int"),
        ({"gates": {"words": [1]}}, "'words' is held to [1]"),
        ({"judge": "openai/gpt-4o"}, "judge= takes a Judge"),
        ({"judge": lambda request: request}, "judge= takes a Judge"),
    ],
)
def test_settings_of_the_wrong_kind(options: dict[str, Any], said: str) -> None:
    """Each says which option, and what it takes."""
    with pytest.raises(DefinitionError) as refused:
        Suite(number, words, settings=[For("slow", **options)])
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"settings": For("slow")}, "settings= takes a list, not For"),
        ({"settings": {"slow": {"timeout": 3}}}, "settings= takes a list, not dict"),
        ({"settings": ["slow"]}, "settings= takes For(…) in a list, not str in it"),
        ({"settings": None}, "settings= takes a list, not None"),
        ({"timeout": "5"}, "timeout= is a number of seconds above 0, not '5'"),
        ({"concurrency": "5"}, "concurrency= is a whole number, not '5'"),
        ({"concurrency": 1.5}, "concurrency= is a whole number, not 1.5"),
        ({"concurrency": True}, "concurrency= is a whole number, not True"),
        ({"budget": 3}, "budget= is a Budget, not int"),
        ({"name": None}, "name= is a text, not None"),
        ({"thresholds": ["words"]}, "thresholds= is a mapping from ids to bounds, not list"),
        ({"thresholds": None}, "thresholds= is a mapping from ids to bounds, not None"),
        ({"gates": 3}, "gates= takes a list, not int"),
        ({"gates": [["words"]]}, "gates= takes ids in a list, not list in it"),
        ({"steps": [number]}, "steps= is a mapping from names to the scorers of each, not list"),
        ({"steps": {"draft": number}}, "steps= takes a list, not the scorer 'number'"),
        ({"steps": {1: [number]}}, "steps= is a mapping from names to the scorers of each, not from int"),
        ({"turns": number}, "turns= takes a list, not the scorer 'number'"),
    ],
)
def test_a_suite_of_the_wrong_kind(options: dict[str, Any], said: str) -> None:
    """The same for all that a suite takes."""
    with pytest.raises(DefinitionError) as refused:
        Suite(words, **options)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"concurrency": "3"}, "concurrency= is a whole number, not '3'"),
        ({"concurrency": 0}, "concurrency= is at least 1, not 0"),
        ({"budget": 3}, "budget= is a Budget, not int"),
        ({"on_item": "print"}, "on_item= is a function, not str"),
        ({"answer": "yes"}, "answer= is a function, not str"),
        ({"executor": "processes"}, "executor= is an Executor, not str"),
        ({"target": "app:answer"}, "target= is a function from a row's input to an output, or an agent, not str"),
    ],
)
def test_an_evaluation_of_the_wrong_kind(options: dict[str, Any], said: str) -> None:
    """Before the first row is read."""
    with pytest.raises(DefinitionError) as refused:
        evaluate_sync(Suite(words), ROWS, **options)
    assert said in str(refused.value)


def test_a_scorer_is_no_suite() -> None:
    """Though a suite may have only one."""
    given: Any = words
    with pytest.raises(
        DefinitionError, match=r"^suite= is a Suite of scorers, such as Suite\(first, second\), not the scorer 'words'$"
    ):
        evaluate_sync(given, ROWS)


def test_workers_are_counted() -> None:
    """As items at once are."""
    for several in (0, 1.5, None):
        given: Any = several
        with pytest.raises(DefinitionError, match="workers="):
            ProcessExecutor(ChunkJob("checks:suite"), workers=given)


def test_gates_of_some_rows_are_written_as_those_of_all() -> None:
    """In a list for the good end of the scale, or with limits."""
    row = {"input": "q", "output": "0.5", "tags": ["strict"]}
    for gates in (["number"], {"number": None}, {"number": 1}):
        suite = Suite(number, settings=[For("strict", gates=gates)])
        assert evaluate_sync(suite, [row]).verdict == "failed"
        assert evaluate_sync(suite, ROWS).verdict == "passed"
