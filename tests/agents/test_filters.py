"""`filter_run` and its laws."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traces.agent_runs import inputs, names, outputs

from scorewright import Run
from scorewright.agents import (
    AgentInput,
    AgentOutput,
    Data,
    Message,
    Text,
    answered,
    asked,
    assistant,
    called,
    create_agent_scorer,
    filter_run,
    final_answer,
    user,
)
from scorewright.agents.filters import KeepsExpected
from scorewright.core import pure
from scorewright.faults import DefinitionError

REPLACE, LSP, OTHER = (assistant(called(name)) for name in ("string_replace", "string_replace_lsp", "view"))
WEATHER = assistant(Data("data-weather", {"c": 7}), "It rains.")
SAID = assistant("Words.")

filters = st.builds(
    filter_run,
    part_types=st.none() | st.lists(st.sampled_from(["text", "tool", "data", "data-weather", "file"]), max_size=3),
    tool_names=st.none() | st.lists(names, max_size=2),
    max_remembered_messages=st.none() | st.integers(0, 3),
    max_output_messages=st.none() | st.integers(0, 3),
    drop_request_context=st.booleans(),
    trim_parts=st.booleans(),
)
agent_runs = st.builds(Run, inputs, outputs, st.none() | st.text(max_size=3), request_context=st.just({"user": "u"}))


def kept(run: Run[AgentInput, AgentOutput], keep: KeepsExpected) -> list[Message]:
    return list(keep(run).output.messages)


def of(*messages: Message) -> Run[AgentInput, AgentOutput, None]:
    return Run(AgentInput(remembered_messages=messages), AgentOutput(messages))


@given(agent_runs, filters)
def test_filtering_twice_is_filtering_once(run: Run[AgentInput, AgentOutput], keep: KeepsExpected) -> None:
    """Law: idempotent."""
    once = keep(run)
    assert keep(once) == once


@given(agent_runs, filters)
def test_the_input_is_not_changed(run: Run[AgentInput, AgentOutput], keep: KeepsExpected) -> None:
    """Law: pure; and what this turn asked, what the system said, and the id stay."""
    before = copy.deepcopy(run)
    after = keep(run)
    assert run == before
    assert after.input.input_messages == run.input.input_messages
    assert after.input.system_messages == run.input.system_messages
    assert after.run_id == run.run_id
    assert after.expected == run.expected


@given(agent_runs)
def test_no_filter_keeps_everything(run: Run[AgentInput, AgentOutput]) -> None:
    """Law: `filter_run()` is the identity."""
    assert filter_run()(run) == run


@given(agent_runs, st.integers(0, 4))
def test_limits_come_after_kinds(run: Run[AgentInput, AgentOutput], most: int) -> None:
    """Law: kinds and names first, then the last so many of what stays."""
    both = filter_run(part_types=["text"], max_output_messages=most)
    apart = filter_run(max_output_messages=most)(filter_run(part_types=["text"])(run))
    assert both(run).output == apart.output


def test_names_match_by_prefix_and_words_stay() -> None:
    """`string_replace` also keeps `string_replace_lsp`, and messages without calls stay."""
    assert kept(of(REPLACE, LSP, OTHER, SAID), filter_run(tool_names=["string_replace"])) == [REPLACE, LSP, SAID]


@pytest.mark.parametrize(
    ("part_types", "left"),
    [
        (["text"], [WEATHER, SAID]),
        (["tool_invocation"], [OTHER]),
        (["data-"], [WEATHER]),
        ([], []),
    ],
)
def test_a_message_stays_for_one_wanted_part(part_types: list[str], left: list[Message]) -> None:
    """Plain text stays unless the kinds leave it out by name; no kinds at all keep nothing that has parts."""
    assert kept(of(WEATHER, OTHER, SAID), filter_run(part_types=part_types)) == left


def test_trimming_works_inside_messages() -> None:
    """With `trim_parts` only the wanted parts stay, and a message that has none left goes."""
    keep = filter_run(part_types=["text"], trim_parts=True)
    assert kept(of(WEATHER, OTHER), keep) == [assistant("It rains.")]
    mixed = assistant("Look.", called("view"), called("pay"))
    assert kept(of(mixed), filter_run(tool_names=["pay"], trim_parts=True)) == [assistant("Look.", called("pay"))]


@pytest.mark.parametrize(("most", "left"), [(0, []), (1, [SAID]), (9, [OTHER, SAID])])
def test_a_limit_keeps_the_last(most: int, left: list[Message]) -> None:
    """A limit of 0 keeps none."""
    assert kept(of(OTHER, SAID), filter_run(max_output_messages=most)) == left
    remembered = filter_run(max_remembered_messages=most)(of(OTHER, SAID)).input.remembered_messages
    assert list(remembered) == left


@pytest.mark.parametrize("wrong", [-1, 2.5, True, "3"])
def test_a_limit_is_a_whole_number_from_0(wrong: int) -> None:
    """Anything else is a mistake where it is written."""
    with pytest.raises(DefinitionError, match="max_output_messages"):
        filter_run(max_output_messages=wrong)


def test_one_name_is_not_a_list_of_names() -> None:
    """A string would match by its letters."""
    with pytest.raises(DefinitionError, match="part_types"):
        filter_run(part_types="text")  # type: ignore[call-overload]  # that it fails is what is tested


def test_context_and_reference_can_go() -> None:
    """What a scorer must not see is dropped."""
    run = Run(asked("a"), answered("b"), "c", request_context={"user": "u"}, metadata={"m": 1})
    bare = filter_run(drop_request_context=True, drop_expected=True)(run)
    assert (bare.expected, dict(bare.request_context), dict(bare.metadata)) == (None, {}, {"m": 1})


def test_steps_see_the_filtered_run() -> None:
    """`prepare_run=` takes a filter."""
    scorer = create_agent_scorer("last", prepare_run=filter_run(max_output_messages=1)).generate_score(
        pure(lambda step: len(step.run.output.messages))
    )
    assert scorer.run_sync(Run(asked("a"), answered("b", "c"))).unwrap().score == 1
    blind = create_agent_scorer("blind", prepare_run=filter_run(drop_expected=True)).generate_score(
        pure(lambda step: step.run.expected is None)
    )
    assert blind.run_sync(Run(asked("a"), answered("b"), "c")).unwrap().score == 1


def test_messages_without_parts_stay() -> None:
    """There is nothing in them to leave out."""
    empty = Message("assistant")
    assert kept(of(empty), filter_run(part_types=["text"], trim_parts=True)) == [empty]
    assert final_answer(AgentOutput((Message("assistant", (Text("x"),)), user("y")))) == "x"
