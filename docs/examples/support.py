"""Does an answer of the support name the facts, keep to the policy, and speak the customer's language?"""

import re
from typing import Literal

import attrs
from returns.result import Result

from scorewright import NotScorable, Step, create_scorer, err, ok, pure

FORBIDDEN = r"guarantee|voucher|(1[1-9]|[2-9]\d|100) ?%|refund.*(today|at once)"
COMMON = {
    "en": ["the", "and", "you", "your", "is", "we", "it", "to", "of", "for", "will", "are"],
    "de": ["der", "die", "das", "und", "sie", "ihre", "ihr", "ist", "wir", "zu", "für", "nicht"],
    "fr": ["le", "la", "les", "et", "vous", "votre", "est", "nous", "de", "pour", "une", "ne"],
}


@attrs.frozen
class Case:
    question: str
    language: Literal["en", "de", "fr"]
    order: str
    days_since_delivery: int = 0


@attrs.frozen
class Promises:
    made: list[str]
    broken: list[str]


def promises(step: Step[Case, str, list[str], None]) -> Result[Promises, NotScorable]:
    made = [said for said in step.pre if re.search(r"will|'ll|refund|guarantee|voucher|%|can return", said)]
    late = "|refund|return" if step.run.input.days_since_delivery > 30 else ""  # the time for returns is over
    broken = [said for said in made if re.search(FORBIDDEN + late, said) and "not able" not in said]
    return ok(Promises(made, broken)) if made else err(NotScorable("nothing was promised"))


def in_their_language(step: Step[Case, str, None, None]) -> Result[float, NotScorable]:
    words = step.run.output.lower().split()
    hits = {name: sum(word in common for word in words) for name, common in COMMON.items()}
    known = sum(hits.values())
    return ok(hits[step.run.input.language] / known) if known else err(NotScorable("too short to tell"))


facts = (
    create_scorer("facts", input=Case, output=str, expected=list[str])
    .preprocess(pure(lambda s: [fact for fact in s.run.expected if fact.lower() not in s.run.output.lower()]))
    .generate_score(pure(lambda s: 1 - len(s.pre) / len(s.run.expected)))
    .generate_reason(pure(lambda s: f"Left out: {', '.join(s.pre)}" if s.pre else "Every fact is there."))
)
policy = (
    create_scorer("policy", input=Case, output=str)
    .preprocess(pure(lambda s: s.run.output.split(". ")))
    .analyze(promises)
    .generate_score(pure(lambda s: 1 - len(s.ana.broken) / len(s.ana.made)))
    .generate_reason(pure(lambda s: f"Not allowed: {s.ana.broken[0]}" if s.ana.broken else "All may be promised."))
)
language = create_scorer("language", input=Case, output=str).generate_score(in_their_language)
