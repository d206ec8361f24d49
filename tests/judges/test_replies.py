"""What servers send, byte for byte: a value where one was said, an honest fault everywhere else."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from enum import Enum
from typing import Annotated, Literal

import attrs
import pytest
from fakes.openai_server import Answer, FakeOpenAI, html, no_choices, raw, said, status, truncated
from judges.asking import AT_ONCE, GOOD, ask, came, fault_of, faults, judge_at, scorer
from returns.pipeline import is_successful

from scorewright import Run, create_scorer, pure, reason_prompt, score_from, score_prompt
from scorewright.faults import (
    BadRequest,
    ContentFiltered,
    EmptyReply,
    NotJson,
    Refused,
    SchemaMismatch,
    Truncated,
    Unreachable,
)
from scorewright.judges import Judge, calling
from scorewright.shapes import shape_of


def score_of(text: str) -> float | type:
    """The number that comes of a reply with this text, or the kind of fault."""
    with FakeOpenAI([said(text)]) as server:
        result = ask(server, error_processors=[])
    return result.unwrap().score if is_successful(result) else type(fault_of(result))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (GOOD, 0.5),
        (f"\ufeff{GOOD}", 0.5),
        (f"  \n{GOOD}\n ", 0.5),
        (f"```json\n{GOOD}\n```", 0.5),
        (f"```\n{GOOD}\n```", 0.5),
        (f"Here is my answer: {GOOD} I hope it helps.", 0.5),
        (f'<think>Perhaps {{"score": 1}}?</think>\n{GOOD}', 0.5),
        ('<think>Perhaps {"score": 1}?', NotJson),
        (f"{GOOD} {GOOD}", 0.5),
        (f'{{"score": 1}} or rather {GOOD}', NotJson),
        ('{"score": 1}\n{"note": "and more"}', NotJson),
        ('{"score": 0.', NotJson),
        ('{"score": 0.5', NotJson),
        ("{}", SchemaMismatch),
        ("[0.5]", SchemaMismatch),
        ("0.5", SchemaMismatch),
        ('{"score": "0.5"}', SchemaMismatch),
        ('{"score": true}', SchemaMismatch),
        ('{"score": null}', SchemaMismatch),
        ('{"score": [0.5]}', SchemaMismatch),
        ('{"score": NaN}', NotJson),
        ('{"score": Infinity}', NotJson),
        ('{"score": 1e999}', NotJson),
        ('{"score": 5e-1}', 0.5),
        ('{"score": 0.5, "score": 1}', NotJson),
        ('{"score": 0.5, "why": "x"}', SchemaMismatch),
        ('{"score": 0.5 // all there\n}', NotJson),
        ("{'score': 0.5}", NotJson),
        ('{"score": 0.5,}', NotJson),
        ("None", NotJson),
        ("null", SchemaMismatch),
        ('{"score": ' + "[" * 100_000 + "]" * 100_000 + "}", NotJson),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, NotJson),
        ('{"score": ' + "9" * 5000 + "}", NotJson),
        ("<html><body>{}</body></html>", SchemaMismatch),
        ("\x00\x01", NotJson),
        ('{"score": 7.5}', SchemaMismatch),
        ('{"score": -0.1}', SchemaMismatch),
    ],
)
def test_what_a_judge_may_say(text: str, outcome: float | type) -> None:
    """One score step, one reply, no second question."""
    assert score_of(text) == outcome


def test_control_characters_in_a_string_are_its_text() -> None:
    """promptfoo#3002: models write line breaks and tabs into strings as they are."""
    with FakeOpenAI([said('{"reason": "first\nsecond\tthird", "score": 0.75}')]) as server:
        result = came(
            "sync",
            create_scorer("j", input=str, output=str, judge=judge_at(server)).generate_score(
                score_from(_Said, lambda _: "?", lambda _, answer: answer.score)
            ),
        )
    assert result.unwrap().score == 0.75
    answer = result.unwrap().steps[0].answer
    assert answer == _Said("first\nsecond\tthird", 0.75)


@attrs.frozen
class _Said:
    reason: str
    score: float


@pytest.mark.parametrize(
    ("answer", "fault", "kept"),
    [
        (no_choices(), EmptyReply, '"choices": []'),
        (said(None), EmptyReply, '"content": null'),
        (said("   "), EmptyReply, '"content": "   "'),
        (said(None, refusal="I will not judge this."), Refused, "I will not judge this."),
        (said(None, finish="content_filter"), ContentFiltered, "content_filter"),
        (said(GOOD, finish="length"), Truncated, "length"),
        (html(), NotJson, "Bad gateway"),
        (raw(GOOD, 200, {"Content-Type": "text/html"}), EmptyReply, GOOD),
        (raw("[1]"), NotJson, "[1]"),
        (raw("null"), NotJson, "null"),
        (raw('{"choices": [{"message": {"content": "{\\"score\\"'), NotJson, "choices"),
        (raw(b'{"choices": [{"message": {"content": "caf\xe9"}}]}'), NotJson, "caf\ufffd"),
        (raw('{"error": {"message": "boom", "type": "server_error"}}'), object, "boom"),
        (raw('{"error": "boom"}'), object, "boom"),
        (raw('{"choices": "none"}'), EmptyReply, "none"),
        (raw('{"choices": [null, 3]}'), EmptyReply, "null, 3"),
        (raw('{"choices": [{"message": {"content": {"score": 1}}}]}'), EmptyReply, "score"),
        (raw("[" * 100_000), NotJson, "[[["),
        (status(302, "moved", {"Location": "/elsewhere"}), BadRequest, "moved"),
        (status(404, "no such model"), BadRequest, "no such model"),
        (raw("plain words", 500), object, "plain words"),
        (raw(b"\xff\xfe\x00", 500), object, "\ufffd"),
    ],
)
def test_what_is_no_reply_is_a_fault_and_its_text_is_kept(answer: Answer, fault: type, kept: str) -> None:
    """In the attempt, word for word."""
    with FakeOpenAI([answer]) as server:
        result = ask(server, error_processors=[])
    assert isinstance(fault_of(result), fault)
    (exchange,) = result.failure().exchanges
    (attempt,) = exchange.reply.attempts
    assert kept in attempt.raw
    assert attempt.fault == fault_of(result)
    assert attempt.status == answer.status


@pytest.mark.parametrize("text", ["no idea", '{"score": "x"}', '{"a": 1} {"b": 2}'])
def test_a_text_that_does_not_fit_is_kept_in_the_fault(text: str) -> None:
    """Whole."""
    with FakeOpenAI([said(text)]) as server:
        fault = fault_of(ask(server, error_processors=[]))
    assert isinstance(fault, (NotJson, SchemaMismatch))
    assert fault.text == text


def test_a_reply_by_another_content_type_is_read() -> None:
    """What counts is what it holds."""
    answer = said(GOOD)
    with FakeOpenAI([attrs.evolve(answer, headers={"Content-Type": "text/plain; charset=latin-1"})]) as server:
        assert ask(server).unwrap().score == 0.5


def test_a_byte_order_mark_before_the_body_is_no_harm() -> None:
    """Some servers write one."""
    answer = said(GOOD)
    with FakeOpenAI([attrs.evolve(answer, body=b"\xef\xbb\xbf" + answer.body)]) as server:
        assert ask(server).unwrap().score == 0.5


def test_compressed_bodies_are_read() -> None:
    """gzip and deflate; one that is broken is a lost connection."""
    whole = said(GOOD)
    for name, packed in (("gzip", gzip.compress(whole.body)), ("deflate", zlib.compress(whole.body))):
        answer = attrs.evolve(whole, body=packed, headers={**whole.headers, "Content-Encoding": name})
        with FakeOpenAI([answer]) as server:
            assert ask(server, error_processors=[]).unwrap().score == 0.5
    broken = attrs.evolve(whole, headers={**whole.headers, "Content-Encoding": "gzip"})
    with FakeOpenAI([broken]) as server:
        assert isinstance(fault_of(ask(server, error_processors=[])), Unreachable)


def test_chunked_bodies_are_read_and_their_early_end_is_seen() -> None:
    """The server promises no length."""
    body = said(GOOD).body
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:20], body[20:])) + b"0\r\n\r\n"
    for sent, fine in ((chunks, True), (chunks[:-5], False), (chunks[: len(chunks) // 2], False)):
        with _Wire(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + sent) as port:
            result = came("sync", scorer(Judge("m", base_url=f"http://127.0.0.1:{port}", error_processors=[])))
        assert is_successful(result) if fine else isinstance(fault_of(result), Unreachable)


@pytest.mark.parametrize(
    "sent", [b"", b"hello\r\n\r\n", b"HTTP/1.1 two hundred\r\n\r\n", b"\x00" * 100, b"HTTP/9.9 200 OK\r\n\r\n"]
)
def test_what_is_no_http_is_a_lost_connection(sent: bytes) -> None:
    """Whatever listens there."""
    with _Wire(sent) as port:
        result = came("sync", scorer(Judge("m", base_url=f"http://127.0.0.1:{port}", error_processors=[])))
    assert isinstance(fault_of(result), (Unreachable, BadRequest, NotJson, EmptyReply))


class _Wire:
    """Answers the first request with these bytes, and closes."""

    def __init__(self, sent: bytes) -> None:
        import socket
        import threading

        self._sent = sent
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        connection, _ = self._listening.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(self._sent)

    def __enter__(self) -> int:
        self._thread.start()
        return int(self._listening.getsockname()[1])

    def __exit__(self, *raised: object) -> None:
        self._thread.join()
        self._listening.close()


def test_a_reply_of_ten_megabytes_is_refused_and_kept() -> None:
    """Parsed it is not: no judge writes that much."""
    text = json.dumps({"score": 0.5, "padding": "x" * 10_000_000})
    with FakeOpenAI([said(text)]) as server:
        fault = fault_of(ask(server, error_processors=[]))
    assert isinstance(fault, NotJson)
    assert fault.text == text


def test_a_body_without_end_is_cut() -> None:
    """Beyond sixteen megabytes nothing more is read, packed or not."""
    from scorewright.judges.http import LONGEST

    endless = b'{"choices": "' + b"x" * (LONGEST * 4)
    packed = Answer(gzip.compress(endless), 200, {"Content-Encoding": "gzip"})
    for answer in (packed, Answer(endless[: LONGEST + 1000])):
        with FakeOpenAI([answer]) as server:
            fault = fault_of(ask(server, error_processors=[]))
        assert isinstance(fault, NotJson)
        assert "longer than" in fault.why
        assert len(fault.text) < LONGEST * 2


def test_a_redirect_is_not_followed() -> None:
    """Nor is the key sent there."""
    with (
        FakeOpenAI([said(GOOD)]) as elsewhere,
        FakeOpenAI([status(307, "", {"Location": elsewhere.base_url})]) as server,
    ):
        fault = fault_of(ask(server))
    assert isinstance(fault, BadRequest)
    assert elsewhere.requests == []


def test_a_reason_is_the_judges_words_without_its_thoughts() -> None:
    """Kept letter for letter; a block that is not closed leaves nothing."""
    for text, reason in (
        ("  It fits.\n", "  It fits.\n"),
        ('Because {"score": 1} was said.', 'Because {"score": 1} was said.'),
        ("<think>hm</think>\n\nIt fits.", "It fits."),
        ("<think>hm", None),
        ("<think>hm</think>", None),
        ("half a pair: \ud800", "half a pair: ?"),
    ):
        with FakeOpenAI([said(GOOD), said(text)]) as server:
            asked = (
                create_scorer("j", input=str, output=str, judge=judge_at(server))
                .generate_score(score_prompt(lambda _: "?"))
                .generate_reason(reason_prompt(lambda _: "why?"))
            )
            result = came("sync", asked)
        assert (result.unwrap().reason if is_successful(result) else None) == reason
        assert is_successful(result) or isinstance(fault_of(result), EmptyReply)


# Cases that others have met. Where they read letters and labels out of prose, the judge here answers a Literal or an
# Enum in JSON: a word outside it is no verdict, and never a number.


class Grade(Enum):
    """Pass, mixed or fail."""

    PASS = "P"
    MIXED = "M"
    FAIL = "F"


WORTH = {Grade.PASS: 1.0, Grade.MIXED: 0.5, Grade.FAIL: 0.0}


def graded(text: str) -> float | None:
    """The score of a letter grade; None where none was given."""
    with FakeOpenAI([said(text)]) as server:
        asked = create_scorer("j", input=str, output=str, judge=judge_at(server, error_processors=[])).generate_score(
            score_from(Grade, lambda _: "grade it", lambda _, grade: WORTH[grade])
        )
        result = came("sync", asked)
    if not is_successful(result):
        assert isinstance(fault_of(result), (NotJson, SchemaMismatch))
        assert getattr(fault_of(result), "text", None) == text
    return result.unwrap().score if is_successful(result) else None


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"value": "P"}', 1.0),
        ('"P"', 1.0),
        ('{"value": "PF"}', None),
        ('{"value": "Passable"}', None),
        ('{"value": ""}', None),
        ("VERDICT: PF", None),
        ("VERDICT:", None),
        ("GRADE: I", None),
        ("**Answer - P**", None),
        ("RATING: P. I looked for overrating: conclusive signs are absent.", None),
        ('First guess {"value": "F"}, but the table settles it.\n{"value": "P"}', None),
        ("(service busy, please retry later)", None),
        ('{"value": "fai"}', None),
    ],
)
def test_a_garbled_grade_is_no_grade(text: str, score: float | None) -> None:
    """Never the lowest value of the rubric, the raw reply kept.

    inspect_ai#4872, inspect_ai#4283, inspect_ai#4026, evals#1712.
    """
    assert graded(text) == score


def test_failed_replies_are_counted_apart() -> None:
    """evals#1712: the mean is over what was read, and two failures stand beside it."""
    rubric = {"poor": 1.0, "fair": 3.0, "good": 5.0}
    replies = ["good", "fair", "(service busy, please retry later)", "good", "fai"]
    with FakeOpenAI([said(json.dumps({"value": reply})) for reply in replies]) as server:
        from scorewright import Scale

        asked = create_scorer(
            "j", input=str, output=str, judge=judge_at(server, error_processors=[]), scale=Scale(1, 5)
        ).generate_score(score_from(Literal["poor", "fair", "good"], lambda _: "?", lambda _, word: rubric[word]))
        results = [came("sync", asked, str(row)) for row in range(5)]
    scores = [result.unwrap().score for result in results if is_successful(result)]
    assert sum(scores) / len(scores) == pytest.approx(4.333333333333333)
    assert len(results) - len(scores) == 2


@attrs.frozen
class Labelled:
    label: Literal["on_topic", "off_topic", "topic"]
    explanation: str


def test_a_label_is_read_from_its_own_field() -> None:
    """phoenix#2404: the explanation may name the others."""
    text = '{"label": "off_topic", "explanation": "an on_topic reply would have quoted the fee table."}'
    with FakeOpenAI([said(text)]) as server:
        asked = create_scorer("j", input=str, output=str, judge=judge_at(server)).generate_score(
            score_from(Labelled, lambda _: "?", lambda _, said_: float(said_.label == "off_topic"))
        )
        assert came("sync", asked).unwrap().score == 1.0


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("I would give this 8 out of 10.", NotJson),
        ("Section 12 backs it up. Score: 7", NotJson),
        ("See page 45 of the manual.", NotJson),
        ('Section 12 backs it up. {"score": 7}', 7),
        ('{"score": 14}', SchemaMismatch),
        ('{"score": 10.0}', 10),
        ('{"score": 7.5}', 7.5),
        ('{"score": 1e1}', 10),
        ("Score: 10.0", NotJson),
    ],
)
def test_a_number_comes_from_its_field_and_stays_in_the_scale(text: str, outcome: float | type) -> None:
    """trulens#862, trulens#1223: no digit of the prose, no clamp, decimals are numbers."""
    from scorewright import Scale

    with FakeOpenAI([said(text)]) as server:
        judge = judge_at(server, error_processors=[])
        asked = create_scorer("j", input=str, output=str, judge=judge, scale=Scale(0, 10)).generate_score(
            score_prompt(lambda _: "?")
        )
        result = came("sync", asked)
    assert (result.unwrap().score if is_successful(result) else type(fault_of(result))) == outcome


def test_no_number_is_fished_out_of_a_response() -> None:
    """trulens#2631: an item of an unknown kind is no answer; settings and token counts are none either."""
    response = {
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "custom_tool_call", "name": "verdict", "input": '{"score": 2}'},
        ],
        "temperature": 1.0,
        "top_p": 0.98,
        "usage": {"input_tokens": 212, "output_tokens": 2},
    }
    for model in ("m", "openai-responses/gpt-5"):
        with FakeOpenAI([raw(json.dumps(response))]) as server:
            result = ask(server, model=model, error_processors=[])
        assert isinstance(fault_of(result), EmptyReply)
        assert "custom_tool_call" in result.failure().exchanges[0].reply.attempts[0].raw


def test_nearly_json_is_asked_about_once_more() -> None:
    """promptfoo#3002: the trailing comment is told, and the second answer counts."""
    with FakeOpenAI(
        [said('{"reason": "fine", "score": 1.0 // all points present\n}'), said('{"score": 1.0}')]
    ) as server:
        result = ask(server)
    assert result.unwrap().score == 1.0
    assert len(result.unwrap().exchanges) == 2
    assert "all points present" not in server.prompts[1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('```json\n{"score": 1, "reason": "uses ```len(x)``` as asked"}\n```', "uses ```len(x)``` as asked"),
        ('Draft:\n```\n```json\n{"score": 1, "reason": "none"}\n```\n```', "none"),
    ],
)
def test_a_fence_inside_a_string_is_text(text: str, reason: str) -> None:
    """instructor#1837."""
    with FakeOpenAI([said(text)]) as server:
        asked = create_scorer("j", input=str, output=str, judge=judge_at(server)).generate_score(
            score_from(_Said, lambda _: "?", lambda _, answer: answer.score)
        )
        assert came("sync", asked).unwrap().steps[0].answer == _Said(reason, 1)


def test_a_draft_in_the_thoughts_is_no_answer() -> None:
    """gbrain#4640."""
    thought = '<think>Maybe {"score": 0.2}? No, all three dates match.</think>\n{"score": 0.9}'
    assert score_of(thought) == 0.9
    assert score_of('<think>unfinished {"score": 0.4') is NotJson


@attrs.frozen
class Check:
    i: int
    ok: bool


def test_fewer_verdicts_than_criteria_are_seen() -> None:
    """deepeval#489: a fixed number of verdicts is a fixed-length type; two of four are no answer."""
    two = json.dumps({"value": [{"i": 0, "ok": True}, {"i": 2, "ok": True}]})
    four = json.dumps({"value": [{"i": i, "ok": i % 2 == 0} for i in range(4)]})
    with FakeOpenAI([said(two), said(four)]) as server:
        asked = create_scorer("j", input=str, output=str, judge=judge_at(server)).generate_score(
            score_from(
                tuple[Check, Check, Check, Check], lambda _: "?", lambda _, checks: sum(c.ok for c in checks) / 4
            )
        )
        assert came("sync", asked).unwrap().score == 0.5
    assert "expected a list of 4, got 2" in server.prompts[1]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [(said(None, finish="content_filter"), ContentFiltered), (said(""), EmptyReply), (no_choices(), EmptyReply)],
)
def test_a_reply_without_text_is_never_the_word_none(answer: Answer, fault: type) -> None:
    """verifiers#1312: for a score and for a reason."""
    with FakeOpenAI([answer, answer]) as server:
        asked = create_scorer("j", input=str, output=str, judge=judge_at(server, error_processors=[]))
        result = came("sync", asked.generate_score(score_prompt(lambda _: "?")))
        reason = came(
            "sync", asked.generate_score(pure(lambda _: 1.0)).generate_reason(reason_prompt(lambda _: "why?"))
        )
    assert isinstance(fault_of(result), fault)
    assert isinstance(fault_of(reason), fault)
    assert reason.failure().score == 1.0


# Mangled replies


@attrs.frozen
class Judged:
    verdict: Literal["good", "bad"]
    score: Annotated[float, "between 0 and 1"]
    parts: list[int]


TRUE = Judged("good", 0.25, [1, 2, 3])
SAID = '{"verdict": "good", "score": 0.25, "parts": [1, 2, 3]}'
JUNK = ("{", "}", "[", "]", '"', ",", ":", "\\", "\ufeff", "\x00", "\ud800", "```", "<think>", "</think>", "NaN",
        "null", "\u2028", '"score": 0.9', '{"verdict": "bad"}', "e5", "-", "0", "//", "'", "{{7*7}}", "\n")  # fmt: skip


def mangled(chance: random.Random) -> str:
    """A reply that said `TRUE`, damaged in a few places; no damage can spell another whole verdict."""
    text = chance.choice([SAID, f"```json\n{SAID}\n```", f"<think>hm</think>{SAID}", f"I say {SAID} so."])
    for _ in range(chance.randint(1, 4)):
        at, end = sorted(chance.randint(0, len(text)) for _ in range(2))
        match chance.randrange(5):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + text[end:]
            case 2:
                text = text[:at] + chance.choice(JUNK) + text[at:]
            case 3:
                text = text[:at] + text[at:end] * 2 + text[end:]
            case _:
                text = text[end:] + text[:at]
    return text


def literally(text: str, value: object) -> bool:
    """Whether the value stands in the text, written as JSON, in one piece."""
    from json import JSONDecoder

    decoder = JSONDecoder(strict=False)
    for at, character in enumerate(text):
        if character == "{":
            try:
                found, _ = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                continue
            if found == value:
                return True
    return False


def fuzzed(times: int, seed: int) -> int:
    decode = shape_of(Judged).decode
    chance, read = random.Random(seed), 0
    for _ in range(times):
        text = mangled(chance)
        result = decode(text)
        if is_successful(result):
            read += 1
            value = result.unwrap()
            written = {"verdict": value.verdict, "score": value.score, "parts": value.parts}
            assert literally(text, written), text
    return read


def test_no_mangled_reply_raises_or_invents_a_value() -> None:
    """What is read stands in the reply, letter for letter."""
    assert fuzzed(2_000, 1) > 20


@pytest.mark.slow
def test_a_hundred_thousand_mangled_replies_neither() -> None:
    """As above, at length."""
    assert fuzzed(100_000, 2) > 1_000


def test_mangled_replies_through_a_whole_ask() -> None:
    """A prompt step on a judge that says such things: a score that was said, or a fault."""
    chance = random.Random(3)

    async def model(call: object) -> str:
        return mangled(chance)

    judge = Judge(calling(model, identity="mangler"), error_processors=[AT_ONCE])
    asked = create_scorer("j", input=str, output=str, judge=judge).generate_score(
        score_from(Judged, lambda _: "?", lambda _, answer: answer.score)
    )
    for row in range(100):
        result = asked.run_sync(Run("q", str(row)))
        assert is_successful(result) or isinstance(fault_of(result), (NotJson, SchemaMismatch, EmptyReply))


def test_mangled_bodies_are_faults() -> None:
    """A server whose bodies are cut and doubled anywhere."""
    chance = random.Random(4)
    whole = said(GOOD).body

    def body(asked: object, number: int) -> Answer:
        at, end = sorted(chance.randint(0, len(whole)) for _ in range(2))
        return raw(chance.choice([whole[:at], whole[:at] + whole[end:], whole[at:], whole[:end] + whole[at:]]))

    with FakeOpenAI(body) as server:
        asked = scorer(judge_at(server, error_processors=[]))
        for row in range(100):
            result = came("sync", asked, str(row))
            assert result.unwrap().score == 0.5 if is_successful(result) else len(faults(result)) == 1


def test_a_truncated_body_is_never_a_value() -> None:
    """The connection ends inside the reply."""
    with FakeOpenAI([truncated(said(GOOD))]) as server:
        assert isinstance(fault_of(ask(server, error_processors=[])), Unreachable)
