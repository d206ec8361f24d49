"""How long an output may be."""

from __future__ import annotations

from typing import Literal

from scorewright.core import Step, Verdict, create_scorer, pure
from scorewright.faults import DefinitionError
from scorewright.library.checks.content import TextCheck
from scorewright.library.defining import counted, expect_one_of, expect_whole, needs, spelled
from scorewright.library.text.words import graphemes, words


def length_within(
    least: int = 0, most: int | None = None, /, *, unit: Literal["graphemes", "code_points", "bytes"] = "graphemes"
) -> TextCheck:
    """Whether the output is from `least` to `most` units long, both included; None is no upper limit.

    Graphemes are what a reader takes for one character (Unicode UAX #29): "é" in two code points is one, and so is a
    family of emoji. Bytes are those of UTF-8.
    """
    expect_span(least, most, "length_within")
    expect_one_of(unit, ("graphemes", "code_points", "bytes"), "length_within(…, unit=…)")
    if unit == "graphemes":
        needs("regex", "library", "length_within(…, unit='graphemes')")

    def judged(step: Step[object, str, None, None]) -> Verdict:
        found = measured(step.run.output, unit)
        return Verdict(
            inside(found, least, most), f"{counted(found, unit[:-1].replace('_', ' '))}; {span(least, most)}"
        )

    return create_scorer(
        spelled("length_within", least, most, unit=(unit, "graphemes")),
        input=object,
        output=str,
        description=f"the output is {span(least, most)} {unit.replace('_', ' ')} long",
    ).generate_verdict(pure(judged))


def words_within(least: int = 0, most: int | None = None, /) -> TextCheck:
    """Whether the output has from `least` to `most` words, both included; None is no upper limit.

    A word is a run of letters and digits; of Chinese and Japanese, which write no blanks, each character is one.
    """
    expect_span(least, most, "words_within")

    def judged(step: Step[object, str, None, None]) -> Verdict:
        found = len(words(step.run.output))
        return Verdict(inside(found, least, most), f"{counted(found, 'word')}; {span(least, most)} are due")

    return create_scorer(
        spelled("words_within", least, most),
        input=object,
        output=str,
        description=f"the output has {span(least, most)} words",
    ).generate_verdict(pure(judged))


def expect_span(least: object, most: object, call: str, /) -> None:
    """Raise unless the limits are whole numbers in their order."""
    expect_whole(least, f"{call}(least, most): least")
    if most is not None:
        expect_whole(most, f"{call}(least, most): most")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        raise DefinitionError(f"{call}(least, most) takes the smaller limit first, not {least}, {most}")


def measured(text: str, unit: Literal["graphemes", "code_points", "bytes"], /) -> int:
    """The length of a text; half of a surrogate pair counts as the three bytes that it would be written as."""
    if unit == "graphemes":
        return len(graphemes(text))
    return len(text) if unit == "code_points" else len(text.encode("utf-8", "surrogatepass"))


def inside(found: int, least: int, most: int | None, /) -> bool:
    """Is the number within the limits?"""
    return least <= found and (most is None or found <= most)


def span(least: int, most: int | None, /) -> str:
    """The limits in words."""
    return f"{least} or more" if most is None else f"{least} to {most}"
