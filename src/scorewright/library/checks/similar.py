"""How like a given text an output is."""

from __future__ import annotations

from scorewright.core import Step, Verdict, create_scorer, pure
from scorewright.library.checks.content import TextCheck, cased
from scorewright.library.defining import expect_flag, expect_number, expect_text, spelled, told
from scorewright.library.text.similarity import dice


def similarity(text: str, /, *, ignore_case: bool = True, threshold: float | None = None) -> TextCheck:
    """How like the text the output is: the Dice coefficient of their letter pairs; with a threshold, whether it is met.

    Blanks do not count. A threshold of 0 is a threshold, and always met.
    """
    expect_text(text, "similarity(text)")
    expect_flag(ignore_case, "similarity(…, ignore_case=…)")
    if threshold is not None:
        expect_number(threshold, "similarity(…, threshold=…)", most=1.0)
    target = cased(text, ignore_case)

    def judged(step: Step[object, str, None, None]) -> Verdict:
        found = dice(cased(step.run.output, ignore_case), target)
        reason = f"{found:.3f} like {told(text)}"
        if threshold is None:
            return Verdict(found, reason)
        return Verdict(found >= threshold, f"{reason}; {threshold:g} is due")

    return create_scorer(
        spelled("similarity", text, ignore_case=(ignore_case, True), threshold=(threshold, None)),
        input=object,
        output=str,
        description=f"the output is like {told(text)}",
    ).generate_verdict(pure(judged))
