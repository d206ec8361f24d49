"""Results find their calls: by id, then by name and arguments, then by order."""

from __future__ import annotations

from traces.counting import calls, is_linear

from scorewright.agents import AgentError, Gap, Message, Text, ToolInvocation, assistant
from scorewright.traces.joining import folded


def call(name: str, args: object = None, id: str = "") -> ToolInvocation:
    return ToolInvocation(name, {} if args is None else args, id=id)


def result(value: object, *, id: str = "", name: str = "", args: object = None) -> Message:
    told = ToolInvocation(name, {} if args is None else args, value, True, "result", id)
    return Message("tool", (told,))


def joined(*messages: Message) -> tuple[list[tuple[object, str]], list[str]]:
    notes: list[Gap] = []
    told = folded(messages, notes)
    calls = [each for message in told for each in message.tool_calls]
    return [(each.result, each.joined_by) for each in calls], [gap.code for gap in notes]


def test_ids_come_first() -> None:
    """Results in another order than the calls are paired by id."""
    told = joined(
        assistant(call("stock", {"shop": "N"}, "c1"), call("stock", {"shop": "S"}, "c2")),
        result("7", id="c2"),
        result("4", id="c1"),
    )
    assert told == ([("4", "id"), ("7", "id")], [])


def test_without_ids_names_and_arguments_decide() -> None:
    """Of two calls of one tool, the one with the same arguments gets the result."""
    told = joined(
        assistant(call("f", {"n": 1}), call("f", {"n": 2})),
        result("two", name="f", args={"n": 2}),
        result("one", name="f", args={"n": 1}),
    )
    assert told == ([("one", "name"), ("two", "name")], [])


def test_names_alone_go_in_order() -> None:
    """Where the arguments say nothing, the first call of that name gets the first result."""
    told = joined(
        assistant(call("g"), call("f"), call("f")), result(1, name="f"), result(2, name="f"), result(3, name="g")
    )
    assert told == ([(3, "name"), (1, "name"), (2, "name")], [])


def test_without_anything_order_decides() -> None:
    """A result that names nothing is that of the first call that waits."""
    assert joined(assistant(call("f"), call("g")), result(1), result(2)) == ([(1, "order"), (2, "order")], [])


def test_ids_that_contradict_do_not_join() -> None:
    """A result of another id is not the result of a call that has the same name; both stay, with their gaps."""
    results, gaps = joined(assistant(call("f", id="a")), result(1, id="b", name="f"), assistant("Done."))
    assert results == [(None, "together"), (1, "part_only")]
    assert sorted(gaps) == ["call_without_result", "result_without_call"]


def test_reused_ids_go_in_order() -> None:
    """Some providers use the tool's name as id: calls and results then pair in order."""
    messages = [
        assistant(call("f", {"n": 1}, "f")),
        result(1, id="f"),
        assistant(call("f", {"n": 2}, "f")),
        result(2, id="f"),
    ]
    assert joined(*messages) == ([(1, "id"), (2, "id")], [])


def test_a_result_that_is_told_again_is_one() -> None:
    """A retried model call repeats its input; the second telling only fills what the first left out."""
    error = ToolInvocation("f", state="error", id="a", error=AgentError("TimeoutError"))
    results, gaps = joined(
        assistant(call("f", id="a")), Message("tool", (error,)), result("Error", id="a"), result("Error", id="a")
    )
    assert (results, gaps) == ([("Error", "id")], [])


def test_a_failed_tool_stays_failed() -> None:
    """The state and error of the result are those of the call."""
    error = ToolInvocation("", state="error", id="a", error=AgentError("boom"))
    [message] = folded([assistant(call("f", id="a")), Message("tool", (error,))], [])
    assert [(each.state, each.error) for each in message.tool_calls] == [("error", AgentError("boom"))]


def test_null_is_a_result() -> None:
    """It answers the call, and does not wait for another."""
    [message] = folded([assistant(call("f", id="a")), result(None, id="a")], [])
    [told] = message.tool_calls
    assert (told.result, told.result_present, told.state) == (None, True, "result")


def test_arguments_of_the_result_win_unless_empty() -> None:
    """A tool's own span knows best what it was called with; `{}` says nothing."""
    [kept] = folded([assistant(call("f", {"n": 1}, "a")), result(1, id="a", args={"n": 1, "unit": "m"})], [])
    assert kept.tool_calls[0].args == {"n": 1, "unit": "m"}
    [kept] = folded([assistant(call("f", {"n": 1}, "a")), result(1, id="a")], [])
    assert kept.tool_calls[0].args == {"n": 1}


def test_other_messages_keep_their_place() -> None:
    """Folding changes no message that has no call."""
    told = folded([Message("user", (Text("a"),)), assistant(call("f", id="x")), result(1, id="x"), assistant("b")], [])
    assert [message.role for message in told] == ["user", "assistant", "assistant"]


def test_joining_is_linear() -> None:
    """Ten times the calls, of one name and without ids, take ten times the work."""

    def work(size: int) -> int:
        asked = [assistant(call("f", {"n": at})) for at in range(size)]
        results = [result(at, name="f", args={"n": at}) for at in reversed(range(size))]
        return calls(lambda: folded([*asked, *results], []))

    assert is_linear(work(200), work(2_000), 10)
