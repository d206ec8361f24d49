"""`scorewright convert`: what a person reads, what a machine reads, and what is hostile."""

from __future__ import annotations

import io
import json
import re
from typing import cast

from cli.folder import Folder
from hypothesis import HealthCheck, given, settings
from traces.agent_runs import runs

from scorewright.agents import AgentRun, File, Gap, Text, ToolInvocation, answered, asked, assistant, called
from scorewright.cli.conversation import conversation
from scorewright.cli.table import console_on
from scorewright.shapes import structure
from scorewright.traces import DIALECTS

CHAT: list[object] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where is my parcel?\nThanks!"},
    {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "track", "arguments": '{"parcel": 7}'}},
            {"id": "c2", "type": "function", "function": {"name": "pay", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "at the depot"},
    {"role": "assistant", "content": "It is at the depot."},
]

SHOWN = """\
chat.json  run 1  openai-chat
agent  ok · 3 messages · 2 tool calls
  system
    Be brief.
  user
    Where is my parcel?
    Thanks!
  assistant
    I look.
    → track {"parcel": 7}
      ← at the depot
    → pay {}
      … no result
  assistant
    It is at the depot.
  gap  call_without_result"""


def shown(run: AgentRun) -> str:
    """The conversation as text."""
    out = io.StringIO()
    console = console_on(out)
    for line in conversation(run):
        console.print(line)
    return re.sub(r" +$", "", out.getvalue(), flags=re.MULTILINE)


def test_a_person_reads_the_conversation(folder: Folder) -> None:
    """Roles, words, calls with arguments and results, gaps with code and place."""
    folder.write("chat.json", json.dumps(CHAT))
    done = folder.call("convert", "chat.json")
    assert (done.code, done.err) == (0, "")
    assert re.sub(r" +$", "", done.out, flags=re.MULTILINE).startswith(SHOWN)


def test_a_machine_reads_the_runs(folder: Folder) -> None:
    """One JSON value, from which the runs are structured again; stdin and a named dialect are served too."""
    given = json.dumps(CHAT).encode()
    done = folder.call("convert", "-", "--json", "--dialect", "openai-chat", given=given)
    assert (done.code, done.report["source"], done.report["unread"]) == (0, "stdin", [])
    [run] = cast("list[object]", done.report["runs"])
    read = structure(run, AgentRun).unwrap()
    assert read.final_output == "It is at the depot."
    assert read.gaps[0].code == "call_without_result"


def test_what_cannot_be_read_is_told(folder: Folder) -> None:
    """A file of no known dialect, no JSON, an empty one, a broken line among good ones: exit code 4, and why."""
    for text, said in (('{"a": 1}', "looked for"), ("{", "not JSON"), ("", "not JSON"), ("[]", "looked for")):
        folder.write("odd.json", text)
        done = folder.call("convert", "odd.json")
        assert (done.code, done.out) == (4, "")
        assert said in done.err
    folder.lines([json.dumps({"messages": CHAT}), "{broken", json.dumps({"messages": CHAT})], "some.jsonl")
    done = folder.call("convert", "some.jsonl", "--json")
    assert (done.code, len(cast("list[object]", done.report["runs"]))) == (4, 2)
    assert "some.jsonl:2" in str(done.report["unread"])


def test_a_wrong_call_is_told(folder: Folder) -> None:
    """No such file, no such dialect, no such option: exit code 2, and nothing on stdout."""
    folder.write("chat.json", json.dumps(CHAT))
    for tokens, said in (
        (("missing.json",), "missing.json"),
        (("chat.json", "--dialect", "klingon"), DIALECTS[-1].name),
        (("--fast",), "--fast"),
    ):
        done = folder.call("convert", *tokens)
        assert (done.code, done.out) == (2, "")
        assert said in done.err


def test_called_agents_stand_inside_the_call() -> None:
    """Indented, after its result; one whose call is not known stands at the end."""
    sub = AgentRun(asked("2 times 3?"), answered("6"), agent_name="maths", called_by="c1")
    loose = AgentRun(asked("Good?"), answered("Yes."), agent_name="critic")
    run = AgentRun(
        asked("2 times 3?"),
        answered(assistant(called("ask", result="6", id="c1"), "Done.")),
        agent_name="clerk",
        sub_runs=(sub, loose),
    )
    assert [line for line in shown(run).splitlines() if "maths" in line or "critic" in line or "Done" in line] == [
        "      maths  ok · 2 messages",
        "    Done.",
        "  critic  ok · 2 messages",
    ]


def test_failures_and_lost_content_are_seen() -> None:
    """A failed call, a call that waits, a run that failed, content that was not captured, files, gaps."""
    run = AgentRun(
        asked("Pay!", remembered=asked("Hi").input_messages),
        answered(
            assistant(called("pay", error="no money"), ToolInvocation("mail", state="approval_requested")),
            assistant(File("image/png", "plan.png", size=7)),
        ),
        content="not_captured",
        gaps=(Gap("orphan_span", "span 7", "parent 8"),),
    )
    text = shown(run)
    for said in ("✗ no money", "waits for approval", "not captured", "image/png", "orphan_span  span 7  parent 8"):
        assert said in text
    assert text.index("Hi") < text.index("this turn") < text.index("Pay!")


def test_hostile_text_is_shown_and_not_obeyed(folder: Folder) -> None:
    """Escape sequences, markup and turned text, in every place that a trace may put them."""
    evil = "\x1b]0;owned\x07\x1b[2J[bold red]\u202e:smiley:\r"
    chat = [
        {"role": "user", "content": evil, "name": evil},
        {
            "role": "assistant",
            "tool_calls": [{"id": evil, "function": {"name": evil, "arguments": json.dumps({evil: evil})}}],
        },
        {"role": "tool", "tool_call_id": evil, "content": evil},
        {"role": "assistant", "content": evil},
    ]
    folder.write("evil.json", json.dumps(chat))
    done = folder.call("convert", "evil.json")
    assert done.code == 0
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", done.out + done.err)
    assert done.out.count("[bold red]") >= 4
    assert ":smiley:" in done.out


def test_deep_nests_and_long_texts_are_cut() -> None:
    """What is left out is counted."""
    run = AgentRun(asked("Hi"), answered("x" * 50_000))
    for _ in range(200):
        run = AgentRun(asked("Hi"), answered("Hello!"), sub_runs=(run,))
    assert "deeper down" in shown(run)
    assert "30000 more characters" in shown(AgentRun(asked("Hi"), answered("x" * 50_000)))


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(runs)
def test_every_word_is_shown(run: AgentRun) -> None:
    """Law: what was said and called in a run can be read."""
    flat = re.sub(r"\s", "", shown(run))
    for message in run.transcript:
        for part in message.parts:
            said = part.text if isinstance(part, Text) else part.name if isinstance(part, ToolInvocation) else ""
            assert re.sub(r"\s", "", said) in flat
