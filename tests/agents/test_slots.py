"""Values that write their own slots hold what they were given, each in its own field."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest

from scorewright.agents import AgentInput, AgentOutput, AgentRun, Message, Text, ToolInvocation

VALUES = pytest.mark.parametrize("kind", [AgentInput, AgentOutput, AgentRun, Message, Text, ToolInvocation])


@VALUES
def test_each_field_holds_what_was_given_for_it(kind: type) -> None:
    """By name, and the same in a copy, a pickle and an evolved value."""
    given: dict[str, object] = {field.alias or field.name: f"<{field.name}>" for field in attrs.fields(kind)}
    value = kind(**given)
    for same in (value, copy.copy(value), pickle.loads(pickle.dumps(value)), attrs.evolve(value)):
        assert {field.name: getattr(same, field.name) for field in attrs.fields(kind)} == {
            field.name: f"<{field.name}>" for field in attrs.fields(kind)
        }


@VALUES
def test_what_is_left_out_is_the_default_of_its_field(kind: type) -> None:
    """The defaults of the constructor and those that attrs knows, which cattrs reads, are the same."""
    needed = {field.name: "<needed>" for field in attrs.fields(kind) if field.default is attrs.NOTHING}
    value = kind(**needed)
    for field in attrs.fields(kind):
        if field.name not in needed:
            default = field.default.factory() if isinstance(field.default, attrs.Factory) else field.default  # type: ignore[arg-type]  # a class at run time
            assert getattr(value, field.name) == default, field.name


def test_no_two_values_share_what_can_be_changed() -> None:
    """A mapping that is left out is a new one each time."""
    assert AgentInput().tagged_system_messages is not AgentInput().tagged_system_messages
