"""Does the answer say what the reference answer says?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, cast, final

import attrs

from scorewright.core import Answerer, Calculated, Outcome, Run, Scale, ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.faults import JudgeFault
from scorewright.library.defining import expect_flag, spelled
from scorewright.library.judged.batches import misnumbered
from scorewright.library.judged.guards import needing, nothing
from scorewright.library.judged.options import able, described, penalty, rounded, share, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import Template, numbered, template
from scorewright.library.judged.verdicts import calculated
from scorewright.results import ok

MatchType: TypeAlias = Literal["exact", "semantic", "partial", "missing"]


@final
@attrs.frozen
class Units:
    """What answer and reference say, unit by unit."""

    output_units: tuple[str, ...]
    ground_truth_units: tuple[str, ...]


@final
@attrs.frozen
class Match:
    """How far one unit of the reference is found in the answer; `index` is its number, from 1."""

    explanation: str
    ground_truth_unit: str
    output_unit: str | None
    match_type: MatchType
    index: int | None = attrs.field(default=None, validator=attrs.validators.optional(attrs.validators.ge(1)))


@final
@attrs.frozen
class Contradiction:
    """Two units that cannot both be true."""

    explanation: str
    output_unit: str
    ground_truth_unit: str


@final
@attrs.frozen
class Comparison:
    """What the judge says of all units; no matches at all says that nothing of the reference was found."""

    matches: tuple[Match, ...]
    extra_in_output: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]


First: TypeAlias = Step[Asked, str, None, None, str]
Compared: TypeAlias = Step[Asked, str, Units, Comparison, str]


def answer_similarity(
    judge: Answerer,
    /,
    *,
    semantic_worth: float = 0.8,
    exact_bonus: float = 0.2,
    missing_penalty: float = 0.15,
    contradiction_penalty: float = 1.0,
    extra_penalty: float = 0.05,
    require_reference: bool = True,
    scale: float = 1.0,
) -> Scorer[Asked, str, str, Faults]:
    """How far the answer says what the reference says, unit by unit.

    score = scale · clamp((Σ worth) / (units · (1 + exact_bonus)) - contradiction_penalty · contradictions
    - min(extra_penalty · extras, 0.2)), at two decimals, where a unit that is found exactly is worth 1 + exact_bonus,
    in other words `semantic_worth`, in part half of that, and a missing one -missing_penalty. Two questions. A run
    without a reference is not scorable; with `require_reference=False` it scores 0, as a blank answer does, unasked.
    """
    semantic, bonus = share("semantic_worth", semantic_worth), penalty("exact_bonus", exact_bonus)
    missing, clash = (
        penalty("missing_penalty", missing_penalty),
        penalty("contradiction_penalty", contradiction_penalty),
    )
    extra, best = penalty("extra_penalty", extra_penalty), top(scale)
    expect_flag(require_reference, "answer_similarity(require_reference=…)")
    reference = str if require_reference else cast("type[str]", str | None)  # None is then a run like any other
    worth: Mapping[MatchType, float] = {
        "exact": 1 + bonus,
        "semantic": semantic,
        "partial": semantic * 0.5,
        "missing": -missing,
    }
    divide, compare = template("answer_similarity-units"), template("answer_similarity-matches")

    def score(step: Compared) -> Calculated:
        said = step.ana
        base = sum(worth[each.match_type] for each in said.matches) / (max(1, len(said.matches)) * (1 + bonus))
        left = base - clash * len(said.contradictions) - min(extra * len(said.extra_in_output), _MOST_EXTRA)
        counts = Counter[str](each.match_type for each in said.matches)
        counts.update({"extra": len(said.extra_in_output), "contradictions": len(said.contradictions)})
        return calculated(rounded(best * min(1.0, max(0.0, left)), best), counts, divide, compare)

    return (
        create_scorer(
            spelled(
                "answer_similarity",
                semantic_worth=(semantic, 0.8),
                exact_bonus=(bonus, 0.2),
                missing_penalty=(missing, 0.15),
                contradiction_penalty=(clash, 1.0),
                extra_penalty=(extra, 0.05),
                require_reference=(require_reference, True),
                scale=(best, 1.0),
            ),
            input=Asked,
            output=str,
            expected=reference,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("How far the answer says what the reference says.", divide, compare),
        )
        .preprocess(needing(_no_reference if require_reference else nothing, _units(divide)))
        .analyze(_compared(compare))
        .generate_score(pure(score))
        .generate_reason(pure(_told))
    )


_MOST_EXTRA = 0.2


def _units(prompt: Template) -> Callable[[First], Outcome[Units, JudgeFault]]:
    """The units of both texts; a blank answer has none, and a reference that cannot be divided is one."""
    ask = asking(prompt, Units, _both)

    def units(step: First) -> Outcome[Units, JudgeFault]:
        return ok(Units((), ())) if _one_is_blank(step.run) else ask(step)

    return units


def _compared(
    prompt: Template,
) -> Callable[[Step[Asked, str, Units, None, str]], Outcome[Comparison, JudgeFault]]:
    ask = asking(prompt, Comparison, _unit_lists, objection=_objection)

    def compared(step: Step[Asked, str, Units, None, str]) -> Outcome[Comparison, JudgeFault]:
        return ok(Comparison((), (), ())) if _one_is_blank(step.run) else ask(step)

    return compared


def _one_is_blank(run: Run[Asked, str, str]) -> bool:
    return not (run.output.strip() and (run.expected or "").strip())


def _no_reference(step: First) -> str:
    return "" if step.run.expected.strip() else "the reference answer is blank"


def _both(step: First) -> Mapping[str, str | int]:
    return {"answer": step.run.output, "reference": step.run.expected}


def _reference_units(step: Step[Asked, str, Units, None, str]) -> tuple[str, ...]:
    return step.pre.ground_truth_units or (step.run.expected,)


def _unit_lists(step: Step[Asked, str, Units, None, str]) -> Mapping[str, str | int]:
    return {
        "question": step.run.input.question,
        "reference_units": numbered(_reference_units(step)),
        "answer_units": numbered(step.pre.output_units or (step.run.output,)),
    }


def _objection(step: Step[Asked, str, Units, None, str], said: Comparison) -> str:
    due = range(1, len(_reference_units(step)) + 1)
    if any(each.output_unit is None and each.match_type != "missing" for each in said.matches):
        return "a match that is not missing names the unit of the answer"
    return misnumbered([each.index for each in said.matches], due) if said.matches else ""


def _told(step: ScoredStep[Asked, str, Units, Comparison, str]) -> str:
    said = step.ana
    lines = [f"- {each.match_type}: {each.ground_truth_unit} ({each.explanation})" for each in said.matches]
    lines += [f"- not in the reference: {each}" for each in said.extra_in_output]
    lines += [f"- contradiction: {each.output_unit} / {each.ground_truth_unit}" for each in said.contradictions]
    return "\n".join(lines or ["Nothing of the reference was found."])
