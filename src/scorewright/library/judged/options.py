"""The options of judged scorers: held at definition, and told in the id."""

from __future__ import annotations

from math import floor, isfinite

from scorewright.core import Answerer
from scorewright.core.definition import is_number, shown
from scorewright.faults import DefinitionError
from scorewright.library.judged.template import Template

BATCH = 20  # claims in one question, unless said otherwise


def able(judge: Answerer, /) -> Answerer:
    """The judge, when it can be asked; else a `DefinitionError` that says how to mend it."""
    if not _is_judge(judge):
        raise DefinitionError(f'a judge is due first, such as Judge("openai/gpt-4o-mini"), not {shown(judge)}')
    if judge.mistake:
        raise DefinitionError(f"the judge cannot answer: {judge.mistake}")
    return judge


def number(name: str, given: float, /, *, low: float, high: float = float("inf")) -> float:
    """A finite number between two ends, both of which count; else a `DefinitionError` that names the option."""
    if is_number(given) and isfinite(given) and low <= given <= high:
        return float(given)
    ends = f"from {low:g} to {high:g}" if isfinite(high) else f"of at least {low:g}"
    raise DefinitionError(f"{name}= takes a finite number {ends}, not {shown(given)}")


def share(name: str, given: float, /) -> float:
    """A number from 0 to 1."""
    return number(name, given, low=0, high=1)


def penalty(name: str, given: float, /) -> float:
    """A number that is taken off, so not below 0."""
    return number(name, given, low=0)


def top(given: float, /) -> float:
    """The upper end of a scale that begins at 0."""
    if is_number(given) and isfinite(given) and given > 0:
        return float(given)
    raise DefinitionError(f"scale= takes the best score that can be had, a finite number above 0, not {shown(given)}")


def count(name: str, given: int, /) -> int:
    """A whole number of at least 1."""
    if type(given) is int and given >= 1:
        return given
    raise DefinitionError(f"{name}= takes a whole number of at least 1, not {shown(given)}")


def text(name: str, given: str, /) -> str:
    """A text that is not blank."""
    if not _is_text(given) or not given.strip():
        raise DefinitionError(f"{name}= takes a text that is not blank, not {shown(given)}")
    return given.strip()


def _is_judge(given: object) -> bool:
    return isinstance(given, Answerer)


def _is_text(given: object) -> bool:
    return isinstance(given, str)


def described(what: str, /, *prompts: Template) -> str:
    """The description of a scorer: what it says, and the prompts that it asks."""
    return f"{what} Prompts: {', '.join(prompt.mark for prompt in prompts)}."


def rounded(score: float, scale: float, /) -> float:
    """The score at two decimals, halves up, and never above the scale."""
    return min(scale, floor((score + _EPSILON) * 100 + 0.5) / 100)


_EPSILON = 2.220446049250313e-16  # so that 0.285 as a float, a little less, is rounded as it is written
