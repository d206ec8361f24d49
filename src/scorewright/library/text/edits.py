"""Similarity by edits: Levenshtein and Jaro-Winkler."""

from __future__ import annotations

from returns.result import Result

from scorewright.library.defining import expect_number, expect_one_of, needs, spelled
from scorewright.library.text.limits import CELLS, TooLong, expect_cells, within
from scorewright.library.text.references import BoundedScorer, Unit, in_units, nearest
from scorewright.results import ok


def levenshtein(*, unit: Unit = "code_points", most_cells: int = CELLS) -> BoundedScorer:
    """How few insertions, deletions and replacements lead to the nearest reference: 1 - edits / longer length.

    With `unit="graphemes"` a reader's characters are edited, so that an accent or a family of emoji is one.
    """
    needs("rapidfuzz", "library", "levenshtein(…)")
    expect_one_of(unit, ("code_points", "graphemes"), "levenshtein(unit=…)")
    expect_cells(most_cells, "levenshtein")

    def compare(output: str, reference: str) -> Result[float, TooLong]:
        from rapidfuzz.distance import Levenshtein

        if output == reference:
            return ok(1.0)
        first, second = in_units(output, unit), in_units(reference, unit)
        return within(len(first), len(second), most_cells).map(
            lambda _: Levenshtein.normalized_similarity(first, second)
        )

    return nearest(
        spelled("levenshtein", unit=(unit, "code_points"), most_cells=(most_cells, CELLS)),
        "how few edits lead to the reference",
        compare,
    )


def jaro_winkler(*, prefix_weight: float = 0.1, unit: Unit = "code_points", most_cells: int = CELLS) -> BoundedScorer:
    """How many letters match at nearly the same place, a common beginning of up to four counted more (Winkler 1990).

    Made for names and other short texts. `prefix_weight` goes from 0 (Jaro) to 0.25.
    """
    needs("rapidfuzz", "library", "jaro_winkler(…)")
    expect_number(prefix_weight, "jaro_winkler(prefix_weight=…)", most=0.25)
    expect_one_of(unit, ("code_points", "graphemes"), "jaro_winkler(unit=…)")
    expect_cells(most_cells, "jaro_winkler")

    def compare(output: str, reference: str) -> Result[float, TooLong]:
        from rapidfuzz.distance import JaroWinkler

        if output == reference:
            return ok(1.0)
        first, second = in_units(output, unit), in_units(reference, unit)
        return within(len(first), len(second), most_cells).map(
            lambda _: JaroWinkler.similarity(first, second, prefix_weight=prefix_weight)
        )

    return nearest(
        spelled(
            "jaro_winkler",
            prefix_weight=(prefix_weight, 0.1),
            unit=(unit, "code_points"),
            most_cells=(most_cells, CELLS),
        ),
        "how many letters match at nearly the same place",
        compare,
    )
