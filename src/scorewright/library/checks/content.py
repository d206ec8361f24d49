"""What a text must hold, begin with, end with, be, or not hold."""

from __future__ import annotations

import re
from typing import Never, Protocol, TypeAlias

from scorewright.core import Scorer, Step, Verdict, create_scorer, pure
from scorewright.faults import DefinitionError
from scorewright.library.defining import expect_flag, expect_text, spelled, told

TextCheck: TypeAlias = Scorer[object, str, object, Never]


class Pattern(Protocol):
    """A compiled pattern, of `re` or of the package `regex`."""

    @property
    def pattern(self) -> str:
        """Its source."""
        ...

    @property
    def flags(self) -> int:
        """Its flags."""
        ...

    def search(self, string: str, /) -> object:
        """The first match anywhere, or None."""
        ...

    def fullmatch(self, string: str, /) -> object:
        """The match of the whole text, or None."""
        ...


def includes(text: str, /, *, ignore_case: bool = True) -> TextCheck:
    """Whether the output contains the text; every output contains an empty one."""
    expect_text(text, "includes(text)")
    expect_flag(ignore_case, "includes(…, ignore_case=…)")
    target = cased(text, ignore_case)

    def judged(step: Step[object, str, None, None]) -> Verdict:
        at = cased(step.run.output, ignore_case).find(target)
        return Verdict(at >= 0, f"{told(text)} {'is in the output' if at >= 0 else 'is not in the output'}")

    return create_scorer(
        spelled("includes", text, ignore_case=(ignore_case, True)),
        input=object,
        output=str,
        description=f"the output contains {told(text)}",
    ).generate_verdict(pure(judged))


def excludes(text: str, /, *, ignore_case: bool = True) -> TextCheck:
    """Whether the output does not contain the text; no output is without an empty one."""
    expect_text(text, "excludes(text)")
    expect_flag(ignore_case, "excludes(…, ignore_case=…)")
    target = cased(text, ignore_case)

    def judged(step: Step[object, str, None, None]) -> Verdict:
        at = cased(step.run.output, ignore_case).find(target)
        return Verdict(at < 0, f"{told(text)} {'is not in the output' if at < 0 else 'is in the output'}")

    return create_scorer(
        spelled("excludes", text, ignore_case=(ignore_case, True)),
        input=object,
        output=str,
        description=f"the output does not contain {told(text)}",
    ).generate_verdict(pure(judged))


def equals(text: str, /, *, ignore_case: bool = True) -> TextCheck:
    """Whether the output is the text, blanks and all."""
    expect_text(text, "equals(text)")
    expect_flag(ignore_case, "equals(…, ignore_case=…)")
    target = cased(text, ignore_case)

    def judged(step: Step[object, str, None, None]) -> Verdict:
        same = cased(step.run.output, ignore_case) == target
        return Verdict(same, f"the output is {told(step.run.output)}" + ("" if same else f", not {told(text)}"))

    return create_scorer(
        spelled("equals", text, ignore_case=(ignore_case, True)),
        input=object,
        output=str,
        description=f"the output is {told(text)}",
    ).generate_verdict(pure(judged))


def starts_with(text: str, /, *, ignore_case: bool = True) -> TextCheck:
    """Whether the output begins with the text."""
    expect_text(text, "starts_with(text)")
    expect_flag(ignore_case, "starts_with(…, ignore_case=…)")
    target = cased(text, ignore_case)

    def judged(step: Step[object, str, None, None]) -> Verdict:
        begins = cased(step.run.output, ignore_case).startswith(target)
        return Verdict(begins, f"the output begins with {told(step.run.output[: len(text) + 8])}")

    return create_scorer(
        spelled("starts_with", text, ignore_case=(ignore_case, True)),
        input=object,
        output=str,
        description=f"the output begins with {told(text)}",
    ).generate_verdict(pure(judged))


def ends_with(text: str, /, *, ignore_case: bool = True) -> TextCheck:
    """Whether the output ends with the text."""
    expect_text(text, "ends_with(text)")
    expect_flag(ignore_case, "ends_with(…, ignore_case=…)")
    target = cased(text, ignore_case)

    def judged(step: Step[object, str, None, None]) -> Verdict:
        output = step.run.output
        ends = cased(output, ignore_case).endswith(target)
        return Verdict(ends, f"the output ends with {told(output[max(0, len(output) - len(text) - 8) :])}")

    return create_scorer(
        spelled("ends_with", text, ignore_case=(ignore_case, True)),
        input=object,
        output=str,
        description=f"the output ends with {told(text)}",
    ).generate_verdict(pure(judged))


def matches(pattern: str | Pattern, /, *, exact: bool = False) -> TextCheck:
    """Whether the pattern matches somewhere in the output; with `exact`, the whole output.

    A text is compiled with `re`; a compiled pattern, of `re` or of the package `regex`, brings its own flags. Judging
    keeps no place between runs. A pattern that backtracks without end does so here too: it is the author's.
    """
    expect_flag(exact, "matches(…, exact=…)")
    found = compiled(pattern)
    seek = found.fullmatch if exact else found.search

    def judged(step: Step[object, str, None, None]) -> Verdict:
        matched = seek(step.run.output) is not None
        where = "the whole output" if exact else "the output"
        return Verdict(matched, f"/{found.pattern}/ {'matches' if matched else 'does not match'} {where}")

    flags = found.flags & ~re.UNICODE.value
    return create_scorer(
        spelled("matches", found.pattern, flags=(flags, 0), exact=(exact, False)),
        input=object,
        output=str,
        description=f"the output matches {told(found.pattern)}",
    ).generate_verdict(pure(judged))


def compiled(pattern: str | Pattern, /) -> Pattern:
    """The pattern, compiled; what cannot be is a mistake in the definition."""
    if isinstance(pattern, str):
        try:
            return re.compile(pattern)
        except re.error as wrong:
            raise DefinitionError(f"matches(…) takes a regular expression; in {told(pattern)}: {wrong}") from wrong
    if not isinstance(getattr(pattern, "pattern", None), str) or not callable(getattr(pattern, "fullmatch", None)):
        raise DefinitionError(f"matches(pattern) takes a text or re.compile(…) of a text, not {type(pattern).__name__}")
    return pattern


def cased(text: str, ignore_case: bool, /) -> str:
    """The text as it is compared."""
    return text.lower() if ignore_case else text
