"""Requests are data with a content; replies and usages add up."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
from hashlib import sha256

import attrs
import pytest
from core.canned import CANNED, Canned
from hypothesis import given
from hypothesis import strategies as st

from scorewright import NotScorable, err, ok
from scorewright.core import Answerer, Ask, Attempt, Exchange, JudgeReply, JudgeRequest, Usage
from scorewright.faults import EmptyReply

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


requests = st.builds(
    JudgeRequest,
    texts,
    st.none() | texts,
    texts,
    st.none() | st.builds(Canned),
    texts,
    st.integers(0, 9),
    texts,
    st.integers(0, 9),
    st.integers(0, 9),
    st.booleans(),
    known_as=texts,
    top_logprobs=st.integers(0, 20),
)


@given(requests, st.none() | st.builds(Canned, name=texts), texts, st.booleans())
def test_a_bound_request_is_the_same_question(
    request: JudgeRequest, judge: Canned | None, place: str, received: bool
) -> None:
    """Only judge, place and whether it was received are others: no other field is lost."""
    bound = request.bound(judge, place, received=received)
    assert attrs.astuple(bound, recurse=False) == attrs.astuple(
        attrs.evolve(request, judge=judge, place=place, received=received), recurse=False
    )


def test_a_content_is_known() -> None:
    """As recordings of long ago have it: another way to hash would lose them all."""
    request = JudgeRequest(
        "Is it?", '{"type":"boolean"}', "Ruling", Canned("x", "judge", "stern"), "analyze[0]", 2, "no"
    )
    assert request.content == sha256(b'6:Is it?18:{"type":"boolean"}6:Ruling11:judge stern1:22:no').hexdigest()
    assert JudgeRequest("").content == sha256(b"0:-0:0:1:00:").hexdigest()
    likely = attrs.evolve(request, top_logprobs=5)
    written = b'6:Is it?18:{"type":"boolean"}6:Ruling11:judge stern1:22:no|5'
    assert likely.content == sha256(written).hexdigest()
    assert JudgeRequest("\ud800").content == sha256(b"1:\xed\xa0\x80-0:0:1:00:").hexdigest()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("text", "str"),
        (None, "NoneType"),
        (ok(5), "ok(int)"),
        (ok(EmptyReply()), "ok(EmptyReply)"),
        (err("text"), "err(str)"),
        (err(NotScorable("no")), "err(NotScorable)"),
    ],
)
def test_a_reply_is_a_text_or_a_fault_of_a_judge(given: object, told: str) -> None:
    """Anything else is a mistake of whoever answers."""
    with pytest.raises(TypeError) as mistake:
        JudgeReply(given)
    assert str(mistake.value) == f"JudgeReply takes ok(text) or err(JudgeFault), not {told}"


@pytest.mark.parametrize(("length", "shown"), [(0, ""), (60, "x" * 60), (61, "x" * 59 + "…"), (600, "x" * 59 + "…")])
def test_a_long_text_shows_its_beginning(length: int, shown: str) -> None:
    """Sixty characters at most."""
    assert repr(JudgeRequest("x" * length)) == f"JudgeRequest({shown!r})"


def test_the_plainest_judge_leaves_everything_as_it_is() -> None:
    """Nothing is filled, resolved, redacted or mistaken unless a class says so."""
    request, reply = JudgeRequest("p"), JudgeReply(ok("yes"))
    assert CANNED.mistake is None
    assert CANNED.resolved({"tenant": "acme"}) is CANNED
    assert CANNED.incoming(request) == ok(request)
    assert CANNED.outgoing(reply) == ok(reply)
    assert CANNED.transparent

    class Redacting(Canned):
        def incoming(self, request: JudgeRequest, /) -> object:
            return ok(attrs.evolve(request, prompt="…"))

    class Reading(Canned):
        def outgoing(self, reply: JudgeReply, /) -> object:
            return ok(reply)

    assert not Redacting().transparent
    assert not Reading().transparent

    class Plain(Answerer):
        @property
        def identity(self) -> str:
            return "plain"

        async def answer(self, _request: JudgeRequest, _bench: object, /) -> JudgeReply:
            raise AssertionError

    plain = Plain()
    assert plain.filled(CANNED) is plain


@given(usages, usages)
def test_usage_adds_up_field_by_field(one: Usage, other: Usage) -> None:
    """Also what was written to a cache."""
    one, other = attrs.evolve(one, cache_write_tokens=3), attrs.evolve(other, cache_write_tokens=4)
    both = one + other
    for field in attrs.fields(Usage):
        assert getattr(both, field.name) == getattr(one, field.name) + getattr(other, field.name)
