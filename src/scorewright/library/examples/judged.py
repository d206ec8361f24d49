"""Examples of the judged scorers, with what a judge might answer."""

from __future__ import annotations

from typing import TypeAlias

from scorewright.core import Run
from scorewright.judges import Judge
from scorewright.library import judged
from scorewright.library.examples.shown import Examples, shown
from scorewright.library.judged import Asked, Noisy, Turn

# Short names: a definition that fits a line stands in the catalogue as it stands here.
Plain: TypeAlias = Run[Asked, str, None]
Held: TypeAlias = Run[Asked, str, str]

judge: Judge = Judge("openai/gpt-4o-mini")
run: Plain = Run(Asked("Where is parcel 7?", ("Parcel 7: in Lyon.",)), "It is in Lyon and arrives today.")
found: Held = Run(Asked("Where is parcel 7?", ("Hours", "Parcel 7: in Lyon.")), "In Lyon.", "Parcel 7 is in Lyon.")
against: Held = Run(Asked("Where is parcel 7?"), "In Lyon.", "Parcel 7 is in Lyon and arrives today.")
polite: Plain = Run(Asked("Where is parcel 7?", system="Be brief. Be polite."), "In Lyon.")
noisy: Run[Noisy, str, None] = Run(
    Noisy("Where is parcel 7?", "Where is parcel 7? My cat is orange.", baseline="In Lyon."), "In Lyon. Nice cat!"
)
short: Plain = Run(Asked(context=("Parcel 7 left Paris on Monday. It is in Lyon.",)), "Parcel 7 is in Lyon.")
talk: Run[Asked, tuple[Turn, Turn], None] = Run(
    Asked(system="You are a clerk."), (Turn("user", "Cancel it and refund me."), Turn("agent", "It is cancelled."))
)

one_claim = '{"claims": ["Parcel 7 is in Lyon."]}'
two_claims = '{"claims": ["Parcel 7 is in Lyon.", "It arrives today."]}'
yes = '{"verdicts": [{"reason": "said so", "verdict": "yes"}]}'
no = '{"verdicts": [{"reason": "nothing of the kind", "verdict": "no"}]}'
yes_no = '{"verdicts": [{"reason": "said so", "verdict": "yes"}, {"reason": "not said", "verdict": "no"}]}'

EXAMPLES: Examples = {
    "answer_relevancy": lambda: shown(judged.answer_relevancy(judge), run, two_claims, yes_no),
    "answer_similarity": lambda: shown(
        judged.answer_similarity(judge),
        against,
        '{"output_units": ["Parcel 7 is in Lyon."],'
        ' "ground_truth_units": ["Parcel 7 is in Lyon.", "It arrives today."]}',
        '{"matches": [{"explanation": "same", "ground_truth_unit": "Parcel 7 is in Lyon.",'
        ' "output_unit": "Parcel 7 is in Lyon.", "match_type": "exact"},'
        ' {"explanation": "not said", "ground_truth_unit": "It arrives today.",'
        ' "output_unit": null, "match_type": "missing"}], "extra_in_output": [], "contradictions": []}',
    ),
    "bias": lambda: shown(judged.bias(judge), run, '{"claims": ["Lyon is the only city that works."]}', yes),
    "context_precision": lambda: shown(
        judged.context_precision(judge),
        found,
        '{"verdicts": [{"context_index": 0, "reason": "of no use", "verdict": "no"},'
        ' {"context_index": 1, "reason": "says where", "verdict": "yes"}]}',
    ),
    "context_recall": lambda: shown(judged.context_recall(judge), found, one_claim, yes),
    "context_relevance": lambda: shown(
        judged.context_relevance(judge),
        found,
        '{"evaluations": [{"context_index": 0, "reason": "of no use", "relevance_level": "none", "was_used": false},'
        ' {"context_index": 1, "reason": "says where", "relevance_level": "high", "was_used": true}],'
        ' "missing_context": ["when it arrives"], "overall_assessment": "half of it"}',
    ),
    "conversation_completeness": lambda: shown(
        judged.conversation_completeness(judge), talk, '{"claims": ["Cancel it.", "Refund it."]}', yes_no
    ),
    "correctness": lambda: shown(judged.correctness(judge), against, one_claim, two_claims, yes, yes_no),
    "faithfulness": lambda: shown(judged.faithfulness(judge), run, two_claims, yes_no),
    "g_eval": lambda: shown(
        judged.g_eval(judge, "warmth", "The answer is warm.", steps=["Look for a greeting."], samples=1),
        run,
        '{"reason": "no greeting", "grade": 2}',
    ),
    "groundedness": lambda: shown(
        judged.groundedness(judge),
        run,
        two_claims,
        '{"verdicts": [{"reason": "said so", "support": "full", "citations": [1]},'
        ' {"reason": "not said", "support": "none", "citations": []}]}',
    ),
    "hallucination": lambda: shown(judged.hallucination(judge), run, one_claim, no),
    "helpfulness": lambda: shown(judged.helpfulness(judge), run, '{"reason": "says where and when", "level": "fully"}'),
    "instruction_following": lambda: shown(
        judged.instruction_following(judge), polite, '{"claims": ["Be brief.", "Be polite."]}', yes_no
    ),
    "multi_turn_judge": lambda: shown(
        judged.multi_turn_judge(judge, "The agent stays polite."), talk, '{"reason": "it does", "satisfied": true}'
    ),
    "noise_sensitivity": lambda: shown(
        judged.noise_sensitivity(judge),
        noisy,
        '{"dimensions": [{"dimension": "relevance", "specific_changes": "speaks of the cat",'
        ' "noise_influence": "the cat", "impact_level": "minimal"}],'
        ' "major_issues": [], "overall_assessment": "robust", "robustness_score": 0.9}',
    ),
    "prompt_alignment": lambda: shown(
        judged.prompt_alignment(judge, mode="user"),
        run,
        '{"intent_alignment": {"reason": "asks where", "score": 1},'
        ' "requirements_fulfillment": {"requirements": [], "overall_score": 1},'
        ' "completeness": {"reason": "whole", "score": 0.5},'
        ' "response_appropriateness": {"reason": "fits", "score": 1}, "overall_assessment": "good"}',
    ),
    "role_adherence": lambda: shown(judged.role_adherence(judge), talk, yes),
    "rubric": lambda: shown(
        judged.rubric(judge, "- It is polite.\n- It is short."),
        run,
        '{"criteria": [{"criterion": "C1", "reason": "kind", "satisfied": true},'
        ' {"criterion": "C2", "reason": "too long", "satisfied": false}]}',
    ),
    "summarization": lambda: shown(
        judged.summarization(judge),
        short,
        '{"alignment": [{"claim": "Parcel 7 is in Lyon.", "reason": "said so", "supported": true}],'
        ' "questions": ["Did it leave Paris?", "Is it in Lyon?"]}',
        '{"coverage": [{"reason": "not said", "answered": false}, {"reason": "said so", "answered": true}]}',
    ),
    "toxicity": lambda: shown(judged.toxicity(judge), run, no),
}
