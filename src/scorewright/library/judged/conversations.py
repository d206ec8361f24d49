"""Judging a whole conversation: by a criterion, by what the user wanted, by the agent's role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, final

import attrs

from scorewright.core import Answerer, Calculated, Outcome, Scale, ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.faults import JudgeFault
from scorewright.library.defining import expect_text, spelled
from scorewright.library.judged.guards import needing
from scorewright.library.judged.options import BATCH, able, count, described, share, text, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults, Turn
from scorewright.library.judged.template import numbered, template
from scorewright.library.judged.verdicts import calculated, claims_in, share_of, told, verdicts_on
from scorewright.results import ok

Turns: TypeAlias = tuple[Turn, ...]
First: TypeAlias = Step[Asked, Turns, None, None, object]


@final
@attrs.frozen
class Satisfied:
    """Whether the conversation meets the criterion."""

    reason: str
    satisfied: bool


def multi_turn_judge(judge: Answerer, criterion: str, /, *, scale: float = 1.0) -> Scorer[Asked, Turns, object, Faults]:
    """Whether the agent, over all its turns, meets one criterion: `scale`, or 0.

    An agent that said nothing meets none: 0, unasked. The turns of the user are shown, but not judged. One question.
    """
    wanted, best, prompt = text("criterion", criterion), top(scale), template("multi_turn-criterion")

    def shown(step: First) -> Mapping[str, str | int]:
        return {"criterion": wanted, "conversation": spoken(step.run.output)}

    ask = asking(prompt, Satisfied, shown)

    def judged(step: First) -> Outcome[Satisfied, JudgeFault]:
        return ask(step) if of_agent(step.run.output) else ok(Satisfied("the agent said nothing", False))

    def score(step: Step[Asked, Turns, None, Satisfied, object]) -> Calculated:
        turns = {"turns of the agent": len(of_agent(step.run.output))}
        return calculated(best if step.ana.satisfied else 0.0, turns, prompt)

    def reason(step: ScoredStep[Asked, Turns, None, Satisfied, object]) -> str:
        head = f"{'Satisfied' if step.ana.satisfied else 'Not satisfied'}: {wanted}"
        return f"{head}\n{step.ana.reason}" if step.ana.reason.strip() else head

    return (
        create_scorer(
            spelled("multi_turn_judge", wanted, scale=(best, 1.0)),
            input=Asked,
            output=tuple[Turn, ...],
            judge=able(judge),
            scale=Scale(0, best),
            description=described("Whether the agent meets a criterion over all its turns.", prompt),
        )
        .analyze(judged)
        .generate_score(pure(score))
        .generate_reason(pure(reason))
    )


def conversation_completeness(
    judge: Answerer, /, *, uncertainty_weight: float = 0.5, batch_size: int = BATCH
) -> Scorer[Asked, Turns, object, Faults]:
    """The share of what the user wanted, over the whole conversation, that the agent saw to.

    score = (yes + uncertainty_weight · unsure) / wishes, at two decimals. A conversation in which the user says or
    wants nothing is not scorable. Two questions, more with more batches.
    """
    weight, size = share("uncertainty_weight", uncertainty_weight), count("batch_size", batch_size)
    find, judge_each = template("conversation-wishes"), template("conversation-verdicts")
    return (
        create_scorer(
            spelled("conversation_completeness", uncertainty_weight=(weight, 0.5), batch_size=(size, BATCH)),
            input=Asked,
            output=tuple[Turn, ...],
            judge=able(judge),
            description=described("The share of the user's wishes that were seen to.", find, judge_each),
        )
        .preprocess(needing(_no_user, claims_in(find, lambda s: spoken(s.run.output), "conversation")))
        .analyze(
            verdicts_on(judge_each, lambda s: s.pre, lambda s: {"conversation": spoken(s.run.output)}, batch_size=size)
        )
        .generate_score(
            share_of({"yes": 1, "unsure": weight}, 1.0, find, judge_each, nothing="the user wanted nothing")
        )
        .generate_reason(pure(told("wishes")))
    )


def role_adherence(
    judge: Answerer, /, *, role: str = "", batch_size: int = BATCH
) -> Scorer[Asked, Turns, object, Faults]:
    """The share of the agent's turns that keep to its role: `role`, or the system prompt of the run.

    score = yes / turns of the agent, at two decimals. A run without a role, or in which the agent says nothing, is not
    scorable. One question for each batch of turns.
    """
    expect_text(role, "role_adherence(role=…)")
    size, judge_each = count("batch_size", batch_size), template("role_adherence-verdicts")

    def role_of(given: Asked) -> str:
        return role.strip() or given.system.strip()

    def lack(step: First) -> str:
        if not role_of(step.run.input):
            return "the agent has no role: neither in the scorer nor in the run's system prompt"
        return "" if of_agent(step.run.output) else "the agent said nothing"

    def said(step: First) -> Outcome[tuple[str, ...], JudgeFault]:
        return ok(of_agent(step.run.output))

    return (
        create_scorer(
            spelled("role_adherence", role=(role.strip(), ""), batch_size=(size, BATCH)),
            input=Asked,
            output=tuple[Turn, ...],
            judge=able(judge),
            description=described("The share of the agent's turns that keep to its role.", judge_each),
        )
        .preprocess(needing(lack, said))
        .analyze(
            verdicts_on(
                judge_each,
                lambda s: s.pre,
                lambda s: {"role": role_of(s.run.input), "conversation": spoken(s.run.output)},
                batch_size=size,
            )
        )
        .generate_score(share_of({"yes": 1}, 1.0, judge_each, nothing="the agent said nothing"))
        .generate_reason(pure(told("turns")))
    )


def of_agent(turns: Turns, /) -> tuple[str, ...]:
    """What the agent said, turn by turn; blank turns do not count."""
    return tuple(turn.text for turn in turns if turn.role == "agent" and turn.text.strip())


def spoken(turns: Turns, /) -> str:
    """The conversation as a prompt shows it: a line each, which no turn can leave."""
    return numbered([f"{turn.role}: {turn.text}" for turn in turns if turn.text.strip()])


def _no_user(step: First) -> str:
    return "" if any(turn.role == "user" and turn.text.strip() for turn in step.run.output) else "the user said nothing"
