"""Text from files, models and users is shown and never interpreted."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import unicodedata

import pytest
from cli.folder import COMMAND, Folder, environment
from hypothesis import given
from hypothesis import strategies as st

from scorewright.cli.table import shown

HOSTILE = [
    "\x1b[2J\x1b[31mred\x1b]0;title\x07",
    "[red]markup[/red] [/] [link=http://x]l[/link] :smile:",
    "\u202egnp.exe\u2066\u200f",
    "bell\x07 back\x08 return\r\nline\ttab\x00 nul\x9b2J",
    "\ud800 lone",
    "x" * 100_000,
    "e" + "\u0301" * 500,
]
SCORERS = """
from scorewright import create_scorer, err, ok, pure
name = "id [red]/[/] :smile:"
told = (
    create_scorer(name, input=str, output=str)
    .preprocess(lambda s: err(s.run.output) if s.run.input == "fail" else ok(s.run.output))
    .generate_score(pure(lambda s: 0.5))
    .generate_reason(pure(lambda s: s.pre))
)
def raising(s):
    raise ValueError(s.run.output)
raised = create_scorer("raised", input=str, output=str).generate_score(pure(raising))
"""


@pytest.fixture
def hostile(folder: Folder) -> Folder:
    """Rows whose ids, outputs, reasons and faults are hostile, and a file name that is."""
    folder.write("hostile.py", SCORERS)
    rows = [{"input": word, "output": text, "id": f"{word} {text}"} for text in HOSTILE for word in ("fail", "pass")]
    broken = ['{"input": 1, "output": 2, "\x9b\u202e": NaN}', '{"a": 1, "[red]\\u001b[31m": 2}']
    folder.rows(*rows, *broken, name="[red]runs.jsonl")
    return folder


def interpreted(text: str) -> set[str]:
    """The characters that a terminal would act on."""
    return {letter for letter in text if unicodedata.category(letter) in {"Cc", "Cf", "Cs"} and letter != "\n"}


def test_a_table_is_made_of_plain_text(hostile: Folder) -> None:
    """No escape, no control character, no mark that turns the line round; markup stands as it was written."""
    done = hostile.score("[red]runs.jsonl", "--scorers=hostile", COLUMNS="600")
    assert done.code == 4, done.err
    assert interpreted(done.out) == set()
    assert "[red]runs.jsonl" in done.out
    whole = re.sub(r"\s+", "", done.out)
    assert r"fail\x1b[2J\x1b[31mred\x1b]0;title\x07" in whole
    assert "[red]markup[/red][/][link=http://x]l[/link]:smile:" in whole
    assert "id[red]/[/]:smile:" in whole
    assert len(done.out) < 60_000


def test_a_terminal_gets_no_sequence_but_ours(hostile: Folder) -> None:
    """In colour, only colours and styles are set."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "score", "[red]runs.jsonl", "--scorers=hostile"],
        cwd=hostile.path,
        env=environment(TERM="xterm-256color"),
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert process.wait(timeout=60) == 4
    text = said.decode("utf-8")
    assert "\x1b[1m" in text
    assert interpreted(re.sub(r"\x1b\[[0-9;]*m", "", text)) <= {"\r"}


def test_json_on_stdout_is_plain_text_too(hostile: Folder) -> None:
    """Everything beyond ASCII is escaped there."""
    done = hostile.score("[red]runs.jsonl", "--scorers=hostile", "--json")
    assert done.out.isascii()
    assert interpreted(done.out) == set()
    assert done.report["n_items"] == len(HOSTILE) * 2


def test_the_results_file_holds_every_text_as_it_was(hostile: Folder) -> None:
    """Escaped as JSON is, cut nowhere; a lone surrogate too."""
    hostile.score("[red]runs.jsonl", "--scorers=hostile", "--out=results.jsonl")
    reasons = [each["reason"] for each in hostile.results() if each["reason"] is not None]
    assert reasons == HOSTILE


def test_what_is_wrong_usage_is_told_in_plain_text(hostile: Folder) -> None:
    """File names and names of scorers are text as well."""
    done = hostile.score("[red]runs.jsonl", "--scorers=hostile:\x1b[31m\u202e[red]")
    assert done.code == 2
    assert interpreted(done.err) == set()
    assert r"hostile has no '\x1b[31m\u202e[red]'" in done.err.replace("\\\\", "\\")


def test_an_output_without_unicode_is_served(folder: Folder) -> None:
    """Bars and arrows are escaped there; nothing fails."""
    folder.rows({"input": "q", "output": "good", "id": "é"}, {"input": "q", "output": "", "id": "é2"})
    done = folder.score("runs.jsonl", "--scorers=scorers:share", PYTHONIOENCODING="ascii")
    assert done.code == 4
    assert done.err == ""
    assert r"\xe92" in done.out


@given(st.text())
def test_what_is_shown_is_printable(text: str) -> None:
    """And a text that is short and printable is shown as it is."""
    assert shown(text).isprintable()
    if text.isprintable() and len(text) <= 300:
        assert shown(text) == text
