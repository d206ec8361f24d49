"""Requests are data with a content; replies and usages add up."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys

import attrs
import pytest
from core.canned import Canned
from hypothesis import given
from hypothesis import strategies as st

from scorewright import err, ok
from scorewright.core import Ask, Attempt, Exchange, JudgeReply, JudgeRequest, Usage

usages = st.builds(Usage, *[st.integers(0, 10**9)] * 4)
texts = st.text(max_size=5)


@given(st.tuples(texts, texts, texts), st.tuples(texts, texts, texts))
def test_the_content_tells_requests_apart(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    """Two requests have one content just when prompt, schema and its name are the same, wherever they are cut."""
    assert (JudgeRequest(*one).content == JudgeRequest(*other).content) is (one == other)


@pytest.mark.parametrize(
    "change",
    [
        {"prompt": "q"},
        {"schema": "{}"},
        {"schema": None},
        {"schema": ""},
        {"schema_name": "B"},
        {"judge": Canned("x", "other")},
        {"sample": 1},
        {"feedback": "again"},
    ],
)
def test_everything_that_shapes_the_answer_is_in_the_content(change: dict[str, object]) -> None:
    """Prompt, schema, judge, sample and feedback each change it."""
    request = JudgeRequest("p", "[]", "A", Canned(), "analyze[0]")
    assert attrs.evolve(request, **change).content != request.content


def test_no_schema_is_not_an_empty_one() -> None:
    """Plain text and an empty schema are asked for in two ways."""
    assert JudgeRequest("p", None).content != JudgeRequest("p", "").content


def test_the_place_is_no_part_of_the_content() -> None:
    """The same question at another place has the same content."""
    assert JudgeRequest("p", place="a").content == JudgeRequest("p", place="b").content


def test_the_content_is_the_same_in_every_process() -> None:
    """It does not depend on the seed of Python's own hashes, nor on half pairs in the text."""
    request = JudgeRequest("p\ud800", "{}", "A", None, "x", 2)
    script = (
        "from scorewright.core import JudgeRequest; print(JudgeRequest('p\\ud800', '{}', 'A', None, 'x', 2).content)"
    )
    for seed in ("1", "2"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == request.content


@given(usages, usages, usages)
def test_usages_add_up(a: Usage, b: Usage, c: Usage) -> None:
    """Addition is associative and commutative, and the empty usage is its unit."""
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + Usage() == a == Usage() + a
    for one, other, both in zip(attrs.astuple(a), attrs.astuple(b), attrs.astuple(a + b), strict=True):
        assert both == one + other


def test_replies_are_equal_by_their_answers() -> None:
    """How many attempts an answer took, and how long, is no part of it."""
    one = JudgeReply(ok("yes"), (Attempt(nanoseconds=1),))
    assert one == JudgeReply(ok("yes"), (Attempt(nanoseconds=2), Attempt(status=500)))
    assert one != JudgeReply(ok("no"))


@pytest.mark.parametrize(
    ("answer", "told"),
    [("0.5", "not str"), (None, "not NoneType"), (ok(5), "not ok(int)"), (err("no"), "not err(str)")],
)
def test_a_reply_is_a_text_or_a_fault(answer: object, told: str) -> None:
    """Anything else is refused where it is written, with how to write it."""
    with pytest.raises(TypeError, match=re.escape(f"JudgeReply takes ok(text) or err(JudgeFault), {told}")):
        JudgeReply(answer)


def test_an_exchange_survives_pickling_and_copying() -> None:
    """Request, judge, reply and attempts arrive as they were."""
    said = Exchange(JudgeRequest("p", "{}", "A", Canned()), JudgeReply(ok("yes"), (Attempt(usage=Usage(1, 2)),)))
    for arrived in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said)):
        assert arrived == said
        assert arrived.reply.attempts == said.reply.attempts
        assert arrived.request.content == said.request.content


def test_programs_are_frozen() -> None:
    """Neither an ask nor a request can be changed on its way."""
    ask = Ask(JudgeRequest("p"), lambda _: ok(1))
    for frozen, field in ((ask, "request"), (ask.request, "prompt")):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(frozen, field, "x")
