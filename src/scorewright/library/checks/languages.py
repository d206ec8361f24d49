"""Which language an output is written in."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from returns.result import Result

from scorewright.core import Scorer, Step, Verdict, create_scorer
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.defining import expect_number, expect_text, needs, spelled
from scorewright.results import err, ok

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

READ = 20_000


def language(code: str, /, *, sure: float = 0.5) -> Scorer[object, str, object, NotScorable]:
    """Whether the output is written in a language, named by its ISO 639-1 code such as "en".

    Found by the package py3langid from the first 20,000 characters. An output without letters, or one whose language
    is less probable than `sure`, cannot be scored: too short to tell is not wrong.
    """
    needs("py3langid", "library", "language(…)")
    expect_text(code, "language(code)", blank=False)
    expect_number(sure, "language(…, sure=…)", most=1.0)
    if code not in known():
        raise DefinitionError(f"language(code) takes one of {', '.join(known())}, not {code!r}")

    def judged(step: Step[object, str, None, None]) -> Result[Verdict, NotScorable]:
        text = step.run.output[:READ]
        if not any(map(str.isalpha, text)):
            return err(NotScorable("the output has no letters"))
        found, chance = identifier().classify(text)
        if chance < sure:
            return err(NotScorable(f"no language is sure: {found} at best, with a probability of {chance:.2f}"))
        return ok(Verdict(found == code, f"it is written in {found}, with a probability of {chance:.2f}"))

    return create_scorer(
        spelled("language", code, sure=(sure, 0.5)),
        input=object,
        output=str,
        description=f"the output is written in {code}",
    ).generate_verdict(judged)


@cache
def identifier() -> LanguageIdentifier:
    """The model, which takes a second to load."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@cache
def known() -> tuple[str, ...]:
    """The languages that the model knows."""
    return tuple(sorted(identifier().labels))
