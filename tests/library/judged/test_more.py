"""The scorers that no golden row holds, and what the formulas promise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library.judged.saying import JUDGE, Answers, claims, fault, verdicts

from scorewright import Run, answering
from scorewright.core import JudgeRequest
from scorewright.library import judged
from scorewright.library.judged import Asked, Noisy, Turn
from scorewright.library.judged.options import rounded
from scorewright.library.judged.retrieval import average_precision
from scorewright.library.judged.rubrics import listed

RUN = Run(Asked("q", ("first", "second")), "a", "r")
WORDS = st.lists(st.sampled_from(["yes", "no", "unsure"]), min_size=1, max_size=8)


# Correctness


@pytest.mark.parametrize(
    ("of_answer", "of_reference", "beta", "score"),
    [
        (("yes", "yes"), ("yes",), 1, 1.0),
        (("yes", "no"), ("yes", "yes"), 1, 0.67),  # 2 x .5 x 1 / 1.5
        (("yes", "no"), ("yes", "yes"), 2, 0.83),  # 5 x .5 x 1 / (4 x .5 + 1)
        (("yes", "unsure"), ("yes", "no", "no", "no"), 0, 0.5),  # beta 0 is precision
        (("no",), ("no",), 1, 0.0),
    ],
)
def test_correctness_is_f_beta(
    of_answer: tuple[str, ...], of_reference: tuple[str, ...], beta: float, score: float
) -> None:
    """Of the claims of the answer that the reference supports, and the other way round."""

    def found(request: JudgeRequest) -> dict[str, object]:
        return claims(len(of_answer if "\na\n" in request.prompt else of_reference))

    def judge(request: JudgeRequest) -> dict[str, object]:
        return verdicts(*(of_answer if "\nr\n" in request.prompt else of_reference))

    answers = Answers(Claims=found, Verdicts=judge)
    done = judged.correctness(JUDGE, beta=beta).run_sync(RUN, answer=answers).unwrap()
    assert (done.score, answers.asked) == (score, ["Claims", "Claims", "Verdicts", "Verdicts"])


def test_an_answer_without_claims_is_not_correct() -> None:
    """And its reference is not held against it."""

    def found(request: JudgeRequest) -> dict[str, object]:
        return claims(0 if "\na\n" in request.prompt else 2)

    answers = Answers(Claims=found)
    assert fault(judged.correctness(JUDGE).run_sync(RUN, answer=answers)) == "scored 0.0"


# Groundedness


def cited(*said: tuple[str, list[int]]) -> dict[str, object]:
    return {"verdicts": [{"reason": "r", "support": support, "citations": pieces} for support, pieces in said]}


def test_groundedness_names_the_pieces() -> None:
    """Each claim's, in the evidence and in the reason."""
    answers = Answers(Claims=claims(3), Groundings=cited(("full", [1, 2]), ("partial", [2]), ("none", [])))
    done = judged.groundedness(JUDGE).run_sync(RUN, answer=answers).unwrap()
    assert done.score == 0.5
    assert [each.citations for each in done.record("analyze").value] == [(1, 2), (2,), ()]
    assert done.reason == "- full, piece 1, 2: claim 1 (r)\n- partial, piece 2: claim 2 (r)\n- none: claim 3 (r)"


@pytest.mark.parametrize("said", [("full", []), ("full", [0]), ("partial", [3])])
def test_a_citation_of_nothing_is_a_fault(said: tuple[str, list[int]]) -> None:
    """A support without a piece, or of a piece that is not there."""
    answers = Answers(Claims=claims(1), Groundings=cited(said))
    assert fault(judged.groundedness(JUDGE).run_sync(RUN, answer=answers)) == "SchemaMismatch"


def test_each_claim_is_grounded_once() -> None:
    """As for any verdict."""
    answers = Answers(Claims=claims(2), Groundings=cited(("none", [])))
    assert fault(judged.groundedness(JUDGE).run_sync(RUN, answer=answers)) == "SchemaMismatch"


def test_a_match_names_what_it_matches() -> None:
    """Unless it is missing."""
    match = {"explanation": "e", "ground_truth_unit": "r", "output_unit": None, "match_type": "exact"}
    answers = Answers(
        Units={"output_units": ["a"], "ground_truth_units": ["r"]},
        Comparison={"matches": [match], "extra_in_output": [], "contradictions": []},
    )
    assert fault(judged.answer_similarity(JUDGE).run_sync(RUN, answer=answers)) == "SchemaMismatch"


# Help and instructions


@pytest.mark.parametrize(("level", "score"), [("Fully", 1.0), ("a little", 0.25), ("not at all", 0.0)])
def test_helpfulness_is_a_level(level: str, score: float) -> None:
    """Evenly spaced."""
    answers = Answers(Helped={"reason": "r", "level": level})
    assert judged.helpfulness(JUDGE).run_sync(RUN, answer=answers).unwrap().score == score


def test_instructions_are_those_of_the_operator_and_of_the_user() -> None:
    """Each is judged by itself."""
    answers = Answers(Claims=claims(4), Verdicts=verdicts("yes", "yes", "unsure", "no"))
    run = Run(Asked("Use three words.", system="Answer in French."), "Il fait beau.")
    done = judged.instruction_following(JUDGE).run_sync(run, answer=answers).unwrap()
    assert done.score == 0.63
    assert "Answer in French.\n\nUse three words." in answers.requests[0].prompt


# Conversations

TALK = (Turn("user", "Cancel it."), Turn("agent", "Done."), Turn("user", "And refund me."), Turn("agent", "Arr, done."))


def test_a_conversation_is_complete_when_every_wish_was_seen_to() -> None:
    """Wishes that may have been count in part."""
    answers = Answers(Claims=claims(2), Verdicts=verdicts("yes", "unsure"))
    assert judged.conversation_completeness(JUDGE).run_sync(Run(Asked(), TALK), answer=answers).unwrap().score == 0.75


def test_every_turn_of_the_agent_is_held_against_its_role() -> None:
    """The scorer's role, or else the run's system prompt; no question finds out which turns there are."""
    for scorer, asked in (
        (judged.role_adherence(JUDGE, role="A clerk."), Asked(system="A pirate.")),
        (judged.role_adherence(JUDGE), Asked(system="A clerk.")),
    ):
        answers = Answers(Verdicts=verdicts("yes", "no"))
        done = scorer.run_sync(Run(asked, TALK), answer=answers).unwrap()
        assert (done.score, answers.asked) == (0.5, ["Verdicts"])
        assert "\nA clerk.\n" in answers.requests[0].prompt
        assert done.reason is not None
        assert "- no: Arr, done." in done.reason


# Formulas


@given(WORDS, st.sampled_from([1.0, 0.336, 10.0]), st.data())
def test_a_better_verdict_never_lowers_the_score(words: list[str], scale: float, data: st.DataObject) -> None:
    """Which stays on its scale; hallucination is the mirror of faithfulness for the same words."""
    at = data.draw(st.integers(0, len(words) - 1))
    scores = []
    for said in (words, [*words[:at], "yes", *words[at + 1 :]]):
        answer = answering([json.dumps(claims(len(said))), json.dumps(verdicts(*said))])
        scores.append(judged.faithfulness(JUDGE, scale=scale).run_sync(RUN, answer=answer).unwrap().score)
    assert 0 <= scores[0] <= scores[1] <= scale


@given(st.lists(st.booleans(), max_size=8))
def test_average_precision_wants_the_useful_first(useful: list[bool]) -> None:
    """No order is better than with the useful ones in front, which is 1."""
    best = average_precision(sorted(useful, reverse=True))
    assert average_precision(useful) <= best == float(any(useful))


@pytest.mark.parametrize(("score", "shown"), [(0.185, 0.19), (0.285, 0.29), (2 / 3, 0.67), (0.4349, 0.43), (0.0, 0.0)])
def test_scores_are_rounded_at_two_decimals(score: float, shown: float) -> None:
    """Halves up; and a score never leaves its scale for that."""
    assert rounded(score, 1) == shown
    assert rounded(0.336, 0.336) == 0.336


def test_a_checklist_is_read_line_by_line() -> None:
    """One marker is taken off, and no decimal number is one."""
    text = "- one\n* two\n3. three\n4) four\n• five\n\n   \n-- six\n10 seven\n1.5 litres\n- [ ] box"
    said = [each.text for each in listed(text)]
    assert said == ["one", "two", "three", "four", "five", "-- six", "10 seven", "1.5 litres", "[ ] box"]


def test_only_required_criteria_must_be_met() -> None:
    """Where any is required; and which are is never read from the answer."""
    rule = judged.rubric(JUDGE, ["polite", judged.rubrics.Criterion("short", required=False)])
    said = {"criteria": [{"criterion": f"C{at}", "reason": "r", "satisfied": at == 1} for at in (2, 1)]}
    done = rule.run_sync(RUN, answer=Answers(Rulings=said)).unwrap()
    assert (done.score, done.reason) == (1, "- met: polite (r)\n- not met, optional: short (r)")


@pytest.mark.parametrize("keys", [["C1"], ["C1", "C1"], ["C1", "C2", "C3"], ["C1", "polite"]])
def test_every_criterion_gets_one_ruling(keys: list[str]) -> None:
    """By its name."""
    said = {"criteria": [{"criterion": key, "reason": "r", "satisfied": True} for key in keys]}
    end = judged.rubric(JUDGE, ["polite", "short"]).run_sync(RUN, answer=Answers(Rulings=said))
    assert fault(end) == "SchemaMismatch"


def test_a_run_may_bring_its_rubric() -> None:
    """In its request context, or in its metadata, as a text or as a list."""
    said = {"criteria": [{"criterion": "c1", "reason": "r", "satisfied": True}]}
    for run in (
        Run(Asked("q"), "a", request_context={"rubric": "- polite"}),
        Run(Asked("q"), "a", metadata={"rubric": ["polite"]}),
    ):
        answers = Answers(Rulings=said)
        assert judged.rubric(JUDGE).run_sync(run, answer=answers).unwrap().score == 1
        assert "C1: polite" in answers.requests[0].prompt


def test_a_toxic_answer_gets_a_verdict() -> None:
    """None at all is no verdict."""
    assert fault(judged.toxicity(JUDGE).run_sync(RUN, answer=Answers(Verdicts=verdicts()))) == "SchemaMismatch"


def test_a_summary_is_explained_question_by_question() -> None:
    """Whatever the order of the verdicts."""
    aligned = {"claim": "c", "reason": "r", "supported": True}
    of_source = json.dumps({"alignment": [aligned], "questions": ["Where?", "When?"]})
    turned = [{"index": 2, "reason": "no day", "answered": False}, {"index": 1, "reason": "Lyon", "answered": True}]
    run = Run(Asked(context=("It left for Lyon on Monday.",)), "It left for Lyon.")
    told = judged.summarization(JUDGE).run_sync(run, answer=answering([of_source, json.dumps({"coverage": turned})]))
    assert told.unwrap().score == 0.5
    assert (told.unwrap().reason or "").splitlines()[1:] == [
        "- answered: Where? (Lyon)",
        "- not answered: When? (no day)",
    ]


def test_no_dimension_counts_twice() -> None:
    """And the judge's own number is one from 0 to 1."""
    side = {"dimension": "accuracy", "specificChanges": "s", "noiseInfluence": "n", "impactLevel": "none"}
    for said in (
        {"dimensions": [side, {**side, "dimension": " Accuracy"}], "robustnessScore": 1},
        {"dimensions": [side], "robustnessScore": 1.01},
    ):
        run = Run(Noisy("q", "q?!", "b"), "a")
        end = judged.noise_sensitivity(JUDGE).run_sync(run, answer=Answers(Robustness=said))
        assert fault(end) == "SchemaMismatch"


def test_both_prompts_are_judged_side_by_side() -> None:
    """The user's counts 0.7, the system's the rest; each is shown its own."""

    def said(request: JudgeRequest) -> dict[str, object]:
        number = 0 if "<system_prompt " in request.prompt else 1
        side = {"reason": "r", "score": number}
        return {
            "intentAlignment": side,
            "requirementsFulfillment": {"requirements": [], "overallScore": number},
            "completeness": side,
            "responseAppropriateness": side,
        }

    answers = Answers(Alignment=said)
    run = Run(Asked("Where?", system="Be brief.", history="user: Hi"), "Here.")
    done = judged.prompt_alignment(JUDGE).run_sync(run, answer=answers).unwrap()
    assert (done.score, answers.asked) == (0.7, ["Alignment", "Alignment"])
    assert not any("user: Hi" in request.prompt for request in answers.requests)
    judged.prompt_alignment(JUDGE, with_history=True).run_sync(run, answer=answers).unwrap()
    assert all("user: Hi" in request.prompt for request in answers.requests[2:])
