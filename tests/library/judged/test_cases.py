"""What users of other tools met, as tests: the id of each case stands in its sentence."""

from __future__ import annotations

import json

import pytest
from library.judged.saying import JUDGE, NOBODY, Answers, claims, fault, verdicts

from scorewright import Run
from scorewright.agents import answered, asked, assistant, called
from scorewright.core import Attempt, JudgeReply, JudgeRequest
from scorewright.faults import ContextTooLong, NotScorable, TimedOut
from scorewright.library.judged import (
    Asked,
    context_precision,
    context_recall,
    faithfulness,
    for_agents,
    helpfulness,
    rubric,
)
from scorewright.results import err, ok


@pytest.mark.parametrize("context", [(), ("",)])
def test_recall_is_nothing_where_nothing_was_retrieved(context: tuple[str, ...]) -> None:
    """vibrantlabsai/ragas#813: 0 without a question; a reference that claims nothing is not applicable."""
    end = context_recall(JUDGE).run_sync(Run(Asked("q", context), "a", "Three claims."), answer=NOBODY)
    assert (fault(end), end.unwrap().reason) == ("scored 0.0", "Nothing was retrieved.")
    without = Run(Asked("q", ("opening hours 9-17",)), "a", "")
    assert fault(context_recall(JUDGE).run_sync(without, answer=NOBODY)) == "NotScorable"


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ('{"claims": []}', "NotScorable"),
        ("sorry?", "NotJson"),
        (TimedOut("after 30 s"), "TimedOut"),
        (json.dumps(claims(1)), "scored 0.0"),
    ],
)
def test_four_outcomes_are_four(said: str | TimedOut, end: str) -> None:
    """vibrantlabsai/ragas#733: no claims, no readable answer, no answer at all, and no support."""

    async def judge(request: JudgeRequest, /) -> JudgeReply:
        if request.schema_name == "Verdicts":
            return JudgeReply(ok(json.dumps(verdicts("no"))), (Attempt(),))
        return JudgeReply(err(said) if isinstance(said, TimedOut) else ok(said), (Attempt(),))

    run = Run(Asked("What is the fee?", ("Opening hours: 9-17",)), "The fee is 4 euro.")
    assert fault(faithfulness(JUDGE).run_sync(run, answer=judge)) == end


@pytest.mark.parametrize(
    ("useful", "score"), [((1, 1, 1), 1.0), ((1, 0, 1), 0.83), ((0, 1), 0.5), ((0, 0, 0), 0.0), ((), None)]
)
def test_a_perfect_order_is_perfect(useful: tuple[int, ...], score: float | None) -> None:
    """vibrantlabsai/ragas#2930: 1, and not almost; no pieces are not applicable."""
    said = [{"context_index": at, "reason": "r", "verdict": "yes" if yes else "no"} for at, yes in enumerate(useful)]
    run = Run(Asked("q", tuple(f"piece {at}" for at, _ in enumerate(useful))), "a")
    end = context_precision(JUDGE).run_sync(run, answer=Answers(PieceVerdicts={"verdicts": said}))
    assert fault(end) == ("NotScorable" if score is None else f"scored {score}")


def test_fewer_rulings_than_criteria_are_no_score() -> None:
    """confident-ai/deepeval#489: asked once more, then a failure that says which are missing."""
    said = {"criteria": [{"criterion": key, "reason": "r", "satisfied": True} for key in ("C1", "C3")]}
    answers = Answers(attempts_left=1, Rulings=said)
    four = rubric(JUDGE, ["greets", "cites policy", "gives date", "offers contact"])
    end = four.run_sync(Run(Asked("q"), "a"), answer=answers)
    assert (fault(end), len(answers.requests)) == ("SchemaMismatch", 2)
    assert end.failure().cause.why == "without a verdict: C2, C4"


def test_every_block_of_a_tool_result_is_context() -> None:
    """mastra-ai/mastra#22014, aws/agentcore-cli#1393: wherever it is kept; what is no text leaves a mark."""
    blocks = [
        {"type": "text", "text": "2 rooms found"},
        {"type": "text", "text": "Room 12: 80 EUR"},
        {"type": "json", "json": {"room": 14, "price": 95}},
        {"type": "image", "ref": "plan.png"},
    ]
    answer = answered(assistant(called("rooms", result={"content": blocks})), "Room 12 costs 80 EUR.")
    answers = Answers(Claims=claims(1), Verdicts=verdicts("yes"))
    assert fault(for_agents(faithfulness(JUDGE)).run_sync(Run(asked("q"), answer), answer=answers)) == "scored 1.0"
    for part in ("2 rooms found", "80 EUR", "95", "[image]"):
        assert part in answers.requests[-1].prompt


def test_a_long_answer_is_shown_whole() -> None:
    """langfuse/langfuse#12689: its last lines too."""
    lines = [f"Step {at} done." for at in range(400)]
    lines[389] = "Deleted the backup."
    answers = Answers(Helped={"reason": "r", "level": "fully"})
    helpfulness(JUDGE).run_sync(Run(Asked("q"), "\n".join(lines)), answer=answers).unwrap()
    assert "\n".join(lines) in answers.requests[0].prompt


def test_braces_in_a_text_are_letters() -> None:
    """UKGovernmentBEIS/inspect_ai#3649: shown letter for letter, once."""
    text = "Use {rubric}, {0}, {nope} and {{x}} or {{question}} or {% if y %} and ${HOME}"
    answers = Answers(Helped={"reason": "r", "level": "fully"})
    helpfulness(JUDGE).run_sync(Run(Asked("the question"), text), answer=answers).unwrap()
    assert answers.requests[0].prompt.count(text) == 1
    assert answers.requests[0].prompt.count("the question\n") == 1


def test_all_that_is_empty_is_said_at_once() -> None:
    """langfuse/langfuse#13777: before anyone is asked."""
    end = helpfulness(JUDGE).run_sync(Run(Asked(), " "), answer=NOBODY)
    assert end.failure().cause == NotScorable("the question is empty; the answer is empty")


def test_a_long_answer_that_no_judge_takes_is_told_apart() -> None:
    """vibrantlabsai/ragas#1856: too long, and not merely unreadable."""

    async def judge(_: JudgeRequest, /) -> JudgeReply:
        return JudgeReply(err(ContextTooLong("8000 tokens at most")), (Attempt(),))

    end = faithfulness(JUDGE).run_sync(Run(Asked("q", ("c",)), "word " * 60_000), answer=judge)
    assert fault(end) == "ContextTooLong"
