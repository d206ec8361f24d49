"""What stands between a prompt and its judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time

import attrs
import pytest
from fakes.openai_server import FakeOpenAI, said
from judges.asking import GOOD, MODES, Came, Mode, ask, came, fault_of, judge_at
from returns.pipeline import is_successful

from scorewright import create_scorer, err, ok, replay, score_prompt, transcript_of
from scorewright.core import JudgeRequest
from scorewright.faults import Aborted
from scorewright.judges import CapTokens, Judge, Moderate, Redact, abort
from scorewright.judges.processors import estimated_tokens

modes = pytest.mark.parametrize("mode", MODES)


def prompts_of(result: Came) -> list[str]:
    evidence = result.unwrap() if is_successful(result) else result.failure()
    return [exchange.request.prompt for exchange in evidence.exchanges]


def adding(text: str) -> Callable[[JudgeRequest], object]:
    return lambda request: ok(attrs.evolve(request, prompt=request.prompt + text))


async def adding_later(request: JudgeRequest) -> object:
    return ok(attrs.evolve(request, prompt=request.prompt + "(later)"))


@modes
def test_input_processors_run_in_order_sync_or_async(mode: Mode) -> None:
    """Each sees what the one before it made; the server and the evidence see the end."""
    with FakeOpenAI([said(GOOD)]) as server:
        result = ask(server, mode, input_processors=[adding("(1)"), adding_later, adding("(3)")])
    assert server.prompts[0].startswith("what was said(1)(later)(3)\n")
    assert prompts_of(result) == ["what was said(1)(later)(3)"]


@modes
def test_they_are_not_run_again_for_a_second_question(mode: Mode) -> None:
    """The request has been through them."""
    with FakeOpenAI([said("no idea"), said(GOOD)]) as server:
        result = ask(server, mode, input_processors=[adding("(1)"), adding_later])
    assert [prompt.count("(1)(later)") for prompt in server.prompts] == [1, 1]
    assert prompts_of(result) == ["what was said(1)(later)"] * 2


@modes
def test_what_is_redacted_is_seen_nowhere(mode: Mode) -> None:
    """Not by the server, not in the evidence, not in what is printed; a replay finds the reply."""
    key, output = "sk-abcdefghijklmnop1234", "my key is sk-abcdefghijklmnop1234, call me at me@example.org"
    with FakeOpenAI([said(GOOD)]) as server:
        from scorewright import Run

        asked = create_scorer(
            "j", input=str, output=str, judge=judge_at(server, input_processors=[Redact()])
        ).generate_score(score_prompt(lambda step: step.run.output))
        result = came(mode, asked, output)
        again = replay(asked, Run("what was asked", output), transcript_of(result.unwrap()))
    assert server.prompts[0].startswith("my key is [redacted], call me at [redacted]\n")
    assert key.encode() not in server.requests[0].raw
    assert key not in repr(result.unwrap().exchanges)
    assert again == result


@modes
@pytest.mark.parametrize("at", [0, 1])
def test_an_abort_before_the_request_sends_nothing(at: int, mode: Mode) -> None:
    """And the prompt, redacted or not, is not kept."""
    later = [lambda _: abort("gate", "not today"), CapTokens(2)][at]
    with FakeOpenAI([]) as server:
        result = ask(server, mode, input_processors=[Redact(), later])
    assert isinstance(fault_of(result), Aborted)
    assert server.requests == []
    assert prompts_of(result) == [""]
    assert result.failure().exchanges[0].reply.attempts == ()


@modes
@pytest.mark.parametrize(
    ("processor", "why"),
    [
        (lambda _: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (lambda request: request, "raised TypeError: it gave JudgeRequest: return ok(…) or abort(…)"),
        (lambda _: None, "raised TypeError: it gave NoneType: return ok(…) or abort(…)"),
        (lambda _: err("no"), "gave err(str): return abort(…)"),
    ],
)
def test_a_processor_that_breaks_aborts(processor: Callable[[JudgeRequest], object], why: str, mode: Mode) -> None:
    """Nothing is sent; the fault names it."""
    with FakeOpenAI([]) as server:
        fault = fault_of(ask(server, mode, input_processors=[processor]))
    assert isinstance(fault, Aborted)
    assert fault.why == why
    assert server.requests == []


@modes
def test_an_async_processor_that_breaks_aborts(mode: Mode) -> None:
    """As above, in an await."""

    async def broken(request: JudgeRequest) -> object:
        raise LookupError("gone")

    async def bare(request: JudgeRequest) -> object:
        return request.prompt

    async def failing(request: JudgeRequest) -> object:
        return err(request.prompt)

    with FakeOpenAI([]) as server:
        for processor, why in (
            (broken, "raised LookupError: gone"),
            (bare, "raised TypeError: it gave str"),
            (failing, "gave err(str): return abort(…)"),
        ):
            fault = fault_of(ask(server, mode, input_processors=[adding("x"), processor]))
            assert isinstance(fault, Aborted)
            assert fault.why.startswith(why)
            assert processor.__name__ in fault.processor
    assert server.requests == []


@modes
def test_output_processors_change_what_the_step_sees(mode: Mode) -> None:
    """What is recorded is the reply as it came, so that a replay runs them again."""
    from scorewright import Run

    async def doubled(text: str) -> object:
        return ok(json.dumps({"score": json.loads(text)["score"] * 2}))

    ran: list[str] = []

    def seen(text: str) -> object:
        ran.append(text)
        return ok(text)

    with FakeOpenAI([said('{"score": 0.25}')]) as server:
        judge = judge_at(server, output_processors=[seen, doubled])
        asked = create_scorer("j", input=str, output=str, judge=judge).generate_score(score_prompt(lambda _: "?"))
        result = came(mode, asked)
        again = replay(asked, Run("what was asked", "what was said"), transcript_of(result.unwrap()))
    assert result.unwrap().score == again.unwrap().score == 0.5
    assert result.unwrap().exchanges[0].reply.answer.unwrap() == '{"score": 0.25}'
    assert ran == ['{"score": 0.25}'] * 2


@modes
@pytest.mark.parametrize("broken", [False, True])
def test_an_abort_after_the_reply_asks_nothing_more(broken: bool, mode: Mode) -> None:
    """No second question, no retry; the paid reply is kept."""

    def refuse(text: str) -> object:
        return 1 / 0 if broken else abort("gate", "not this")

    with FakeOpenAI(lambda *_: said("no idea")) as server:
        result = ask(server, mode, output_processors=[refuse])
    assert isinstance(fault_of(result), Aborted)
    assert len(server.requests) == 1
    assert result.failure().exchanges[0].reply.answer.unwrap() == "no idea"


@modes
def test_moderation_is_a_predicate(mode: Mode) -> None:
    """On the judge's own words."""
    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        allowed = ask(server, mode, output_processors=[Moderate(lambda text: "score" in text)])
        refused = ask(server, mode, output_processors=[Moderate(lambda text: "kind" in text, "be kind")])
    assert allowed.unwrap().score == 0.5
    assert fault_of(refused) == Aborted("Moderate", "be kind")


@modes
def test_a_steps_empty_list_switches_the_scorers_off(mode: Mode) -> None:
    """An absent one inherits."""
    with FakeOpenAI(lambda *_: said(GOOD)) as server:
        outer = judge_at(server, input_processors=[adding("(outer)")])
        draft = create_scorer("j", input=str, output=str, judge=outer)
        for step_judge in (
            None,
            Judge("other"),
            Judge(input_processors=[]),
            Judge(input_processors=[adding("(step)")]),
        ):
            came(mode, draft.generate_score(score_prompt(lambda _: "?", judge=step_judge)))
    assert [prompt.partition("\n")[0] for prompt in server.prompts] == ["?(outer)", "?(outer)", "?", "?(step)"]


def test_tokens_are_estimated_before_they_are_paid_for() -> None:
    """Four characters each; every character beyond ASCII counts as one."""
    assert estimated_tokens("") == 1
    assert estimated_tokens("x" * 400) == 101
    assert estimated_tokens("漢" * 400) == 401
    with FakeOpenAI([said(GOOD)]) as server:
        fine = ask(server, input_processors=[CapTokens(50)])
        assert is_successful(fine)


# Redaction


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnopqrst",
        "sk_live_abcdefghijklmnop1234",
        "ghp_" + "a1" * 18,
        "github_pat_" + "a1" * 12,
        "hf_" + "aB" * 17,
        "xoxb-1234567890-abcdef",
        "glpat-" + "a1" * 10,
        "AIza" + "a" * 35,
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl",
        "Bearer abcdefghijklmnop.qrst",
        "bearer   abcdefghijklmnop==",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc+/=\n-----END RSA PRIVATE KEY-----",
        "me.and+you@mail.example.org",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "378282246310005",
    ],
)
@pytest.mark.parametrize("around", ["{}", "key: {};", "({})", "\n{}\n", '"{}"'])
def test_secrets_and_personal_data_are_taken_out(secret: str, around: str) -> None:
    """Whole, whatever stands around them."""
    left = Redact()(JudgeRequest(around.format(secret))).unwrap().prompt
    assert left == around.format("[redacted]")


@pytest.mark.parametrize(
    "text",
    [
        "a task-oriented, risk-averse desk-bound person",
        "1 2 3 4 5 6 7 8 9 10 11 12 13",
        "2019 2020 2021 2022",
        "1234567890123456",
        "id-4111111111111112",
        "3.14159265358979323846",
        "see @mentions and a@b",
        "Bearer tokens are fine to talk about",
        "the sk- prefix",
    ],
)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    """What is judged must not be changed without need."""
    assert Redact()(JudgeRequest(text)).unwrap().prompt == text


def test_patterns_and_text_may_be_ones_own() -> None:
    """The text that is put in is text, whatever backslashes it has."""
    redact = Redact([r"\bJane\b"], by=r"\1")
    assert redact(JudgeRequest("Jane met Janet")).unwrap().prompt == r"\1 met Janet"


PIECES = (
    "a", "1", " ", "-", ".", "@", "_", "=", "/", "a.", "a@", "a-", "1 ", "1-", "eyJ", "eyJ-", "eyJaaaaaaaa.",
    "eyJaaaaaaaa-.", "sk-", "sk-a ", "ghp_", "bearer ", "bearer\t", "Bearer a", "a.b@", "@a.", "a@a.", "a@a-", "xoxb-",
    "AIza", "4111 ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A PRIVATE KEY-----a", "é", "漢@", "a+",
    "github_pat_", "hf_a-",
)  # fmt: skip


def seconds_for(piece: str, size: int) -> float:
    request = JudgeRequest(piece * (size // len(piece)))
    began = process_time()
    Redact()(request)
    return process_time() - began


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_text_costs_time_in_proportion(piece: str) -> None:
    """A text that a pattern nearly matches everywhere: four times as long takes no sixteen times the time."""
    assert seconds_for(piece, 80_000) < 10 * seconds_for(piece, 20_000) + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_a_hostile_megabyte_takes_seconds_at_most(piece: str) -> None:
    """As above, at length."""
    assert seconds_for(piece, 1_000_000) < 5
