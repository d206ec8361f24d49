"""Golden rows of judged scorers: the scorer that a row was made with, its run, and what the replies come to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

import attrs
from golden_rows import Json, Row, agent_input, agent_output, items, mapping
from returns.pipeline import is_successful

from scorewright import DefinitionError, Run, answering
from scorewright.agents import AgentInput, AgentOutput, answered, asked, user_text
from scorewright.algebra import Criterion
from scorewright.core import JudgeReply, JudgeRequest, Scorer
from scorewright.judges import Judge
from scorewright.library import judged
from scorewright.library.judged.robustness import Impact

JUDGE = Judge("openai/gpt-4o-mini")

OfAgents: TypeAlias = Scorer[AgentInput, AgentOutput, str, object]


@attrs.frozen
class Came:
    """What a row came to: the score, or the name of the fault; and how many questions it took."""

    said: float | str
    asked: int


def came(row: Row) -> Came:
    """The row, its replies given in order. A second question is asked where the row holds an answer to it."""
    sent: list[JudgeRequest] = []
    replies = [reply if isinstance(reply, str) else json.dumps(reply) for reply in items(row["judge_replies"])]
    answer = answering(
        replies[:1] * 2 if is_judged_twice(row) else replies, attempts_left=int(str(row) in ANSWERED_TWICE)
    )

    async def counted(request: JudgeRequest, /) -> JudgeReply:
        sent.append(request)
        return await answer(request)

    try:
        scorer = SCORERS[row.factory](row)
    except DefinitionError:
        return Came("DefinitionError", 0)
    end = scorer.run_sync(run_of(row), answer=counted)
    return Came(end.unwrap().score if is_successful(end) else type(end.failure().cause).__name__, len(sent))


ANSWERED_TWICE = {"llm-answer-similarity:22", "llm-context-relevance:15", "llm-noise-sensitivity:25"}


def is_judged_twice(row: Row) -> bool:
    """The one analysis that the row holds is given to both questions, about the user's prompt and the system's."""
    there = {"inputMessages", "systemMessages"} <= mapping(row["input"]).keys()
    return "PA-BOTH" in row.defects and there


def run_of(row: Row) -> Run[AgentInput, AgentOutput, str]:
    """The run, with its reference answer as text; a falsy one counts as none."""
    truth = row.get("groundTruth")
    expected = truth if isinstance(truth, str) or not truth else json.dumps(truth)
    context = mapping(row.get("requestContext"))
    literal = mapping(mapping(row["input"]).get("raw"))
    given, answer = agent_input(row["input"]), agent_output(row["output"])
    if "currentText" in literal:
        given, answer = asked(str(literal["originalTask"])), answered(str(literal["currentText"]))
    return Run(given, answer, cast("str", expected or None), request_context=context)


def options_of(row: Row, **names: str) -> dict[str, float]:
    """The options that are numbers, under our names; `scale` has the same name."""
    known = {"scale": "scale", **names}
    return {known[name]: cast("float", value) for name, value in row.options.items() if name in known}


def context(row: Row) -> tuple[str, ...] | None:
    found = row.options.get("$contextExtractor", row.options.get("$getContext", row.options.get("context")))
    return None if found is None else tuple(map(str, items(found)))


def with_context(scorer: Scorer[judged.Asked, str, str, object], row: Row) -> OfAgents:
    """The scorer of agent runs with the row's context; the tools' results where it has none."""
    found = context(row)
    if found is None:
        return judged.for_agents(scorer)
    if row.options.get("context") == [] and row.factory != "createFaithfulnessScorer":
        return judged.for_agents(scorer, context=found)  # the other system refuses an empty list as ours does
    return judged.for_agents(scorer, context=lambda _given, _answer: found)


def plain(make: Callable[..., Scorer[judged.Asked, str, str, object]], **names: str) -> Callable[[Row], OfAgents]:
    return lambda row: with_context(make(JUDGE, **options_of(row, **names)), row)


def without_ground(make: Callable[..., Scorer[judged.Asked, str, str, object]]) -> Callable[[Row], OfAgents]:
    """The other system asks without context too; ours does when it is told to."""
    return lambda row: with_context(make(JUDGE, require_context=False, **options_of(row)), row)


def relevance(row: Row) -> OfAgents:
    penalties = mapping(row.options.get("penalties"))
    names = {
        "unusedHighRelevanceContext": "unused_penalty",
        "missingContextPerItem": "missing_penalty",
        "maxMissingContextPenalty": "most_missing",
    }
    given = {names[name]: cast("float", value) for name, value in penalties.items()}
    return with_context(judged.context_relevance(JUDGE, **options_of(row), **given), row)


def noise(row: Row) -> OfAgents:
    scoring = mapping(row.options.get("scoring"))
    penalties = mapping(scoring.get("penalties"))
    given = {
        "issue_penalty": penalties.get("majorIssuePerItem", 0.1),
        "most_issues": penalties.get("maxMajorIssuePenalty", 0.3),
        "discrepancy": scoring.get("discrepancyThreshold", 0.2),
    }
    weights = cast("Mapping[Impact, float]", mapping(scoring.get("impactWeights")))
    scorer = judged.noise_sensitivity(JUDGE, weights=weights, **cast("dict[str, float]", given))

    def noisy(run: Run[AgentInput, AgentOutput, str]) -> Run[judged.Noisy, str, str]:
        told = row.options
        made = judged.Noisy(user_text(run.input), str(told["noisyQuery"]), str(told["baselineResponse"]))
        return run.with_input(made).with_output(judged.answer_text(run.output))

    return scorer.contramap_run(AgentInput, AgentOutput, noisy)


def alignment(row: Row) -> OfAgents:
    history = mapping(row.options.get("includeConversationHistory"))
    mode = cast("judged.alignment.Mode", row.options.get("evaluationMode", "both"))
    scorer = judged.prompt_alignment(JUDGE, mode=mode, with_history=bool(history), **options_of(row))
    return judged.for_agents(scorer, last=cast("int", history.get("maxMessages", 10)))


def summary(row: Row) -> OfAgents:
    source = row.options.get("source")
    scorer = judged.summarization(JUDGE, **cast("dict[str, int]", options_of(row, maxQuestions="most_questions")))
    return judged.for_agents(scorer, context=lambda _i, _o: () if source is None else (str(source),))


def by_rubric(row: Row) -> OfAgents:
    told = mapping(row.get("args")).get("criteria")
    listed = [mapping(each) for each in items(told)]
    criteria = [Criterion(str(each["description"]), bool(each.get("required", True))) for each in listed]
    given = told if isinstance(told, str) else criteria or None
    return judged.for_agents(judged.rubric(JUDGE, given, **options_of(row)))


def by_criterion(row: Row) -> OfAgents:
    args: Json = mapping(row["args"])
    return judged.for_conversations(judged.multi_turn_judge(JUDGE, str(args["criterion"]), **options_of(row)))


SCORERS: Mapping[str, Callable[[Row], OfAgents]] = {
    "createAnswerRelevancyScorer": plain(judged.answer_relevancy, uncertaintyWeight="uncertainty_weight"),
    "createAnswerSimilarityScorer": plain(
        judged.answer_similarity,
        requireGroundTruth="require_reference",
        semanticThreshold="semantic_worth",
        exactMatchBonus="exact_bonus",
        missingPenalty="missing_penalty",
        contradictionPenalty="contradiction_penalty",
        extraInfoPenalty="extra_penalty",
    ),
    "createBiasScorer": plain(judged.bias),
    "createContextPrecisionScorer": plain(judged.context_precision),
    "createContextRecallScorer": plain(judged.context_recall),
    "createContextRelevanceScorerLLM": relevance,
    "createFaithfulnessScorer": without_ground(judged.faithfulness),
    "createHallucinationScorer": without_ground(judged.hallucination),
    "createMultiTurnJudgeScorer": by_criterion,
    "createNoiseSensitivityScorerLLM": noise,
    "createPromptAlignmentScorerLLM": alignment,
    "createRubricScorer": by_rubric,
    "createSummarizationScorer": summary,
    "createToxicityScorer": plain(judged.toxicity),
}
