"""Log-probabilities: asked for only where they are wanted, kept with the reply, and done without where refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from math import exp, log
from pathlib import Path

import attrs
import pytest
from core.canned import CANNED
from fakes.judging import TEXT
from fakes.logprobs import Piece, candidate_telling, chat_telling, response_telling
from fakes.openai_server import Answer, FakeOpenAI, raw, said, status
from hypothesis import given
from hypothesis import strategies as st

from scorewright.core import Attempt, Bench, JudgeReply, JudgeRequest
from scorewright.core.ask import Token
from scorewright.faults import BadRequest
from scorewright.judges import ErrorRetryProcessor, Judge, Tape, caching, calling, recording, replaying
from scorewright.judges.call import Call, Heard
from scorewright.judges.entries import entry_in, entry_of, line_of
from scorewright.judges.logprobs import IMPOSSIBLE, gemini_tokens, tokens_in
from scorewright.results import ok

PIECES: list[Piece] = ["it is ", ("5", {"5": 0.5, "4": 0.25, " ": 0.125}), "."]
AT_ONCE = [ErrorRetryProcessor(delay=0)]
KEYS = ("OPENAI_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "AZURE_OPENAI_API_KEY")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, "key-that-nobody-may-see")


def replies(judge: Judge, *tops: int) -> list[JudgeReply]:
    """The replies to one question, asked once for each number of alternatives, on one bench."""

    async def asked() -> list[JudgeReply]:
        async with Bench() as bench:
            return [await bench.answer(JudgeRequest("Judge this.", judge=judge, top_logprobs=top)) for top in tops]

    return asyncio.run(asked())


def at(server: FakeOpenAI, model: str = "m") -> Judge:
    return Judge(model, base_url=server.base_url, error_processors=AT_ONCE)


WIRES: list[tuple[str, Callable[[Sequence[Piece]], Answer], dict[str, object]]] = [
    ("m", chat_telling, {"logprobs": True, "top_logprobs": 20}),
    ("openai/gpt-4o", chat_telling, {"logprobs": True, "top_logprobs": 20}),
    ("azure/gpt-4o", chat_telling, {"logprobs": True, "top_logprobs": 20}),
    ("openai-responses/gpt-4.1", response_telling, {"include": ["message.output_text.logprobs"], "top_logprobs": 20}),
    ("gemini/gemini-2.0-flash", candidate_telling, {"generationConfig": {"responseLogprobs": True, "logprobs": 20}}),
]


@pytest.mark.parametrize(("model", "telling", "fields"), WIRES)
def test_each_provider_is_asked_and_read_in_its_own_words(
    model: str, telling: Callable[[Sequence[Piece]], Answer], fields: dict[str, object]
) -> None:
    """The same tokens come of the same reply; a question without them has no field of theirs."""
    with FakeOpenAI([telling(PIECES)] * 2) as server:
        plain, told = replies(at(server, model), 0, 20)
    without, asked = (request.json for request in server.requests)
    assert {name: value for name, value in asked.items() if name not in without} == fields
    assert told.answer == plain.answer == ok("it is 5.")
    assert [token.text for token in told.tokens] == ["it is ", "5", "."]
    assert told.tokens[0] == Token("it is ", 0.0, (("it is ", 0.0),))
    chances = {text: exp(logprob) for text, logprob in told.tokens[1].top}
    assert chances == pytest.approx({"5": 0.5, "4": 0.25, " ": 0.125})
    assert told.tokens[1].logprob == pytest.approx(log(0.5))


def test_a_reply_without_any_has_none() -> None:
    """Servers write null, an empty object, or nothing."""
    bodies = [json.loads(said(TEXT).body) for _ in range(3)]
    for body, told in zip(bodies, (None, {}, {"content": None}), strict=True):
        body["choices"][0]["logprobs"] = told
    with FakeOpenAI([raw(json.dumps(body)) for body in bodies]) as server:
        assert [reply.tokens for reply in replies(at(server), 20, 20, 20)] == [()] * 3


REFUSALS = [
    (400, "Unsupported parameter: 'logprobs' is not supported with this model."),
    (400, "Logprobs is not enabled for models/gemini-2.5-pro"),
    (400, "20 is greater than the maximum of 1 - 'logprobs'"),
    (403, "You are not allowed to request logprobs from this model"),
    (422, "Extra inputs are not permitted: body.top_logprobs"),
]


@pytest.mark.parametrize(("code", "why"), REFUSALS)
def test_a_model_that_refuses_them_is_not_asked_for_them_again(code: int, why: str) -> None:
    """The question is sent once more without, and the bench remembers it."""
    with FakeOpenAI([status(code, why), said(TEXT), said(TEXT)]) as server:
        first, second = replies(at(server), 20, 20)
    assert ["logprobs" in request.json for request in server.requests] == [True, False, False]
    assert (first.answer, first.tokens, len(first.attempts)) == (ok(TEXT), (), 2)
    assert (second.answer, len(second.attempts)) == (ok(TEXT), 1)


def test_a_refusal_of_something_else_stays_a_refusal() -> None:
    """Nor does one that speaks of log-probabilities where none were asked for teach anything."""
    with FakeOpenAI([status(400, "no such model"), status(400, "logprobs are out of order")]) as server:
        asked, plain = replies(at(server), 20, 0)
    assert isinstance(asked.answer.failure(), BadRequest)
    assert isinstance(plain.answer.failure(), BadRequest)
    assert len(server.requests) == 2


def test_a_provider_that_has_none_is_not_asked_for_them() -> None:
    """Mistral's chat completions."""
    with FakeOpenAI([said(TEXT)]) as server:
        [reply] = replies(at(server, "mistral/mistral-small"), 20)
    assert not {"logprobs", "top_logprobs"} & server.requests[0].json.keys()
    assert reply.tokens == ()


def test_a_function_may_tell_its_own() -> None:
    """It sees how many are asked for."""
    token = Token("5", -0.5, (("5", -0.5),))

    async def telling(call: Call) -> Heard:
        return Heard(ok("5"), Attempt(), tokens=(token,) * call.alternatives)

    [reply] = replies(Judge(calling(telling, identity="own")), 2)
    assert reply.tokens == (token, token)


def test_asking_for_them_is_a_part_of_the_question() -> None:
    """A reply without is none to a question with; a question without has the content that it always had."""
    plain = JudgeRequest("p", "{}", "A", CANNED)
    asked = [attrs.evolve(plain, top_logprobs=top) for top in (0, 5, 20)]
    assert len({request.content for request in asked}) == 3
    assert asked[0].content == plain.content
    old = JudgeRequest("p", "{}", "A", None, sample=2)
    assert old.content == "d68a8bb660e30a01846c16f0c8e32efc8d794007aa818731fdd3c678b9be1806"


@pytest.mark.parametrize("way", [recording, caching])
def test_a_file_keeps_them(tmp_path: Path, way: Callable[..., Tape]) -> None:
    """The repeated reply has the tokens of then."""
    path = tmp_path / "replies.jsonl"
    with FakeOpenAI([chat_telling(PIECES)]) as server:
        request = JudgeRequest("Judge this.", judge=at(server), top_logprobs=20)

        async def live() -> JudgeReply:
            async with Bench() as bench, way(path, answer=bench.answer) as tape:
                return await tape(request)

        then = asyncio.run(live())
    assert then.tokens
    for tape in (replaying(path), way(path)):
        assert asyncio.run(tape(request)).tokens == then.tokens


def test_an_old_line_reads_as_without_any() -> None:
    """And a reply without any writes the line that it always wrote."""
    request = JudgeRequest("p", judge=CANNED)
    line = line_of(entry_of(("", request.content), request, "5", JudgeReply(ok("5")), str))
    assert b"tokens" not in line
    assert entry_in(line).unwrap().reply(again=True).tokens == ()


def test_tokens_that_spell_a_secret_are_not_kept() -> None:
    """Those before and behind it are."""
    words = ("grade 5: ", "the k", "ey is s", "ecret-", "42, ", "so", " what")
    reply = JudgeReply(ok("".join(words)), tokens=tuple(Token(word, -0.5, ((word, -0.5),)) for word in words))
    request = JudgeRequest("p", judge=CANNED)
    entry = entry_of(("", "c"), request, "a", reply, lambda text: text.replace("secret-42", "[hidden]"))
    assert [token.text for token in entry.tokens] == ["grade 5: ", "the k", "so", " what"]
    assert entry_of(("", "c"), request, "a", reply, str).tokens == reply.tokens


WRONG: list[object] = [None, "x", True, float("nan"), float("inf"), float("-inf"), [], -12345, -(10**400)]


@pytest.mark.parametrize("told", WRONG, ids=range(len(WRONG)))
def test_what_is_no_log_probability_is_impossible(told: object) -> None:
    """Whatever a server writes in its place; and it is no alternative."""
    wrong = {"token": "5", "logprob": told}
    [token] = tokens_in({"content": [{**wrong, "top_logprobs": [wrong, {"token": "4", "logprob": 1e-9}]}]}, "content")
    assert token == Token("5", IMPOSSIBLE, (("4", 0.0),))
    assert tokens_in({"content": [{"token": "5", "logprob": 10**400}]}, "content")[0].logprob == 0.0


NAMES = st.sampled_from(["token", "logprob", "top_logprobs", "logProbability", "candidates"])
ANY = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(NAMES, below, max_size=3),
)


@given(ANY)
def test_any_json_is_read(told: object) -> None:
    """As no tokens at worst."""
    for token in (*tokens_in({"content": told}, "content"), *gemini_tokens({"chosenCandidates": told})):
        assert IMPOSSIBLE <= token.logprob <= 0


def test_places_that_do_not_match_have_no_alternatives() -> None:
    """Gemini's two lists belong together only where they are of one length."""
    chosen = [{"token": "5", "logProbability": -1.0}, {"token": "."}]
    tops = [{"candidates": [{"token": "5", "logProbability": -1.0}]}]
    assert gemini_tokens({"chosenCandidates": chosen, "topCandidates": tops}) == (Token("5", -1.0), Token(".", 0.0))
