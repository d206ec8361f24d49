"""Ready scorers that ask a judge. Each is made with the builder, from prompts in files, and can be read in a minute."""

from scorewright.library.judged.alignment import prompt_alignment
from scorewright.library.judged.citing import Grounding, groundedness
from scorewright.library.judged.conversations import conversation_completeness, multi_turn_judge, role_adherence
from scorewright.library.judged.correctness import correctness
from scorewright.library.judged.g_eval import g_eval
from scorewright.library.judged.grounding import faithfulness, hallucination
from scorewright.library.judged.helping import helpfulness, instruction_following
from scorewright.library.judged.opinions import bias, toxicity
from scorewright.library.judged.relevance import context_relevance
from scorewright.library.judged.relevancy import answer_relevancy
from scorewright.library.judged.retrieval import context_precision, context_recall
from scorewright.library.judged.robustness import Noisy, noise_sensitivity
from scorewright.library.judged.rubrics import rubric
from scorewright.library.judged.runs import Asked, Turn, answer_text, for_agents, for_conversations, retrieved, turns
from scorewright.library.judged.similarity import answer_similarity
from scorewright.library.judged.summaries import summarization
from scorewright.library.judged.verdicts import Basis, ClaimVerdict

__all__ = [
    "Asked",
    "Basis",
    "ClaimVerdict",
    "Grounding",
    "Noisy",
    "Turn",
    "answer_relevancy",
    "answer_similarity",
    "answer_text",
    "bias",
    "context_precision",
    "context_recall",
    "context_relevance",
    "conversation_completeness",
    "correctness",
    "faithfulness",
    "for_agents",
    "for_conversations",
    "g_eval",
    "groundedness",
    "hallucination",
    "helpfulness",
    "instruction_following",
    "multi_turn_judge",
    "noise_sensitivity",
    "prompt_alignment",
    "retrieved",
    "role_adherence",
    "rubric",
    "summarization",
    "toxicity",
    "turns",
]
