"""Runs are frozen records with an id."""

from __future__ import annotations

import copy
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import Run, create_scorer, pure

anything = st.none() | st.integers() | st.text() | st.lists(st.integers())


def test_a_run_holds_what_was_given() -> None:
    """Input, output, reference, id, context and metadata are read as they were given."""
    context, metadata, reference = {"tenant": "a"}, {"row": 3}, ["Paris"]
    run = Run("Capital?", 5, reference, run_id="r-1", request_context=context, metadata=metadata)
    assert (run.input, run.output, run.expected, run.run_id) == ("Capital?", 5, ["Paris"], "r-1")
    assert run.request_context is context
    assert run.metadata is metadata
    assert run.expected is reference


def test_what_is_left_out_is_empty() -> None:
    """A run without reference has None; context and metadata are mappings that hold nothing."""
    run = Run("a", "b")
    assert run.expected is None
    assert (dict(run.request_context), dict(run.metadata)) == ({}, {})
    with pytest.raises(TypeError):
        run.metadata["row"] = 1  # type: ignore[index]  # a reader only


@pytest.mark.parametrize("options", [{}, {"run_id": ""}])
def test_an_id_is_drawn_when_it_is_absent_or_empty(options: dict[str, str]) -> None:
    """The id is then a UUID of version 4 that stays the same."""
    run = Run("a", "b", **options)
    read = run.run_id
    assert UUID(read).version == 4
    assert str(UUID(read)) == read
    assert run.run_id == read


@given(st.text(min_size=1))
def test_an_id_that_is_given_is_kept(run_id: str) -> None:
    """Any text is an id, blanks too."""
    assert Run("a", "b", run_id=run_id).run_id == run_id


def test_drawn_ids_differ() -> None:
    """A hundred thousand runs have as many ids, from many threads too."""
    with ThreadPoolExecutor(8) as pool:
        ids = {
            run_id
            for some in pool.map(lambda _: [Run(1, 2).run_id for _ in range(12_500)], range(8))
            for run_id in some
        }
    assert len(ids) == 100_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_child_draws_other_ids() -> None:
    """A child process does not repeat its parent's ids."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, Run(1, 2).run_id.encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() != Run(1, 2).run_id


def test_drawing_ids_leaves_the_users_random_numbers_alone() -> None:
    """Neither does a run use up the global generator, nor does its seed decide the ids."""
    import random

    random.seed(1)
    first, drawn = Run(1, 2).run_id, random.random()
    random.seed(1)
    assert Run(1, 2).run_id != first
    assert random.random() == drawn


@pytest.mark.parametrize(
    "field", ["input", "output", "expected", "run_id", "drawn_id", "request_context", "metadata", "new"]
)
def test_no_field_can_be_rebound(field: str) -> None:
    """Neither a field of a run nor a new attribute can be set or deleted."""
    run = Run("a", "b")
    with pytest.raises(AttributeError):
        setattr(run, field, "x")
    with pytest.raises(AttributeError):
        delattr(run, field)


def test_objects_inside_are_shared() -> None:
    """A run does not copy: what the caller changes inside an object is seen."""
    output = ["one"]
    run = Run("a", output)
    output.append("two")
    assert run.output == ["one", "two"]


@given(anything, anything, anything)
def test_runs_are_equal_whatever_their_ids(input: object, output: object, expected: object) -> None:
    """Two runs of the same exchange are equal."""
    assert Run(input, output, expected, run_id="a") == Run(input, output, expected, run_id="b")
    assert Run(input, output, expected) != Run(input, output, [expected])


@given(anything, anything)
def test_a_copy_changes_one_field(old: object, new: object) -> None:
    """`with_input`, `with_output` and `with_expected` keep everything else, the id too."""
    run = Run("i", old, "e", request_context={"c": 1}, metadata={"m": 1})
    for changed, wanted in (
        (run.with_input(new), (new, old, "e")),
        (run.with_output(new), ("i", new, "e")),
        (run.with_expected(new), ("i", old, new)),
    ):
        assert (changed.input, changed.output, changed.expected) == wanted
        assert changed.run_id == run.run_id
        assert changed.request_context is run.request_context
        assert changed.metadata is run.metadata
    assert (run.input, run.output, run.expected) == ("i", old, "e")


def test_a_copy_of_a_run_whose_id_was_never_read_has_the_same_id() -> None:
    """The id belongs to the exchange, not to the moment of reading."""
    run = Run("a", "b")
    changed = run.with_output("c")
    assert changed.run_id == run.run_id


@pytest.mark.parametrize("options", [{}, {"metadata": {"row": 1}, "request_context": {"tenant": "a"}, "run_id": "r"}])
@pytest.mark.parametrize("travel", [lambda run: pickle.loads(pickle.dumps(run)), copy.copy, copy.deepcopy])
def test_a_run_survives_pickling_and_copying(travel: object, options: dict[str, object]) -> None:
    """It arrives equal, with the same id, and still frozen."""
    run = Run("a", ["b"], None, **options)
    arrived = travel(run)
    assert arrived == run
    assert arrived.run_id == run.run_id
    assert arrived.request_context == run.request_context
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        arrived.output = "c"


def test_a_repr_is_short() -> None:
    """A run shows input, output and reference, not its id, context or metadata."""
    assert repr(Run("a", 1, request_context={"secret": "x"})) == "Run(input='a', output=1, expected=None)"


def test_a_run_of_hashable_values_is_hashable() -> None:
    """Equal runs hash equal, whatever their contexts hold."""
    assert hash(Run("a", "b", metadata={"x": []})) == hash(Run("a", "b"))
    assert len({Run("a", "b"), Run("a", "b")}) == 1


@pytest.mark.parametrize(
    "given", [{"run_id": 5}, {"run_id": -5}, {"run_id": 1.5}, {"metadata": 5}, {"request_context": None}], ids=str
)
def test_what_is_no_id_and_no_mapping_is_refused(given: dict[str, object]) -> None:
    """With a sentence that says what is due."""
    with pytest.raises(TypeError, match=f"{next(iter(given))}= takes a"):
        Run("in", "out", **given)


def test_a_copy_by_attrs_keeps_its_id() -> None:
    """`attrs.evolve` hands the drawn number on."""
    for run in (Run("in", "out"), Run("in", "out", run_id="r")):
        assert attrs.evolve(run, input="other").run_id == run.run_id


@pytest.mark.parametrize("later", [False, True])
def test_a_prepared_run_keeps_the_id_that_was_given(later: bool) -> None:
    """A preparation may make a run of its own; the evaluation is that of the run that came in."""

    async def prepared(run: Run[str, str]) -> Run[str, str]:
        return Run(run.input, "changed")

    prepare = prepared if later else lambda run: Run(run.input, "changed")
    scorer = create_scorer("p", input=str, output=str, prepare_run=prepare).generate_score(
        pure(lambda step: step.run.output == "changed")
    )
    run = Run("in", "out")
    evaluation = scorer.run_sync(run).unwrap()
    assert (evaluation.run_id, evaluation.score) == (run.run_id, 1.0)


def test_nothing_is_a_mapping_that_is_empty() -> None:
    """What a run without metadata has: as an empty dict, though it can be pickled."""
    for nothing in (Run("in", "out").metadata, Run("in", "out").request_context):
        assert (len(nothing), [*nothing], dict(nothing), nothing.get("a"), "a" in nothing) == (0, [], {}, None, False)
        assert nothing == {}
        assert repr(nothing) == "{}"
        with pytest.raises(KeyError, match=r"^'a'$"):
            nothing["a"]


@pytest.mark.parametrize("drawn", [1 << 64, (1 << 64) + 1, (1 << 65) - 1, 1 << 65, (1 << 127) + 5, (1 << 128) - 1])
def test_a_number_as_drawn_is_an_id(drawn: int) -> None:
    """128 bits, which travel as a number and are written as a UUID."""
    run = Run("in", "out", run_id=drawn)
    assert (run.drawn_id, UUID(run.run_id).version) == (drawn, 4)


@pytest.mark.parametrize("number", [0, 1, -1, (1 << 64) - 1, 1 << 128, (1 << 128) + 1, 1 << 200, True])
def test_any_other_number_is_none(number: int) -> None:
    """A row number, say, which would be one of another run elsewhere."""
    with pytest.raises(TypeError, match="run_id= takes a text"):
        Run("in", "out", run_id=number)
