"""What holds for every comparison of two texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library import naive
from library.scoring import against, judged

from scorewright import Run, Scorer
from scorewright.library import text
from scorewright.library.text.references import References

ON_INPUT: dict[str, Callable[[], Scorer[str, str]]] = {
    "content_similarity": text.content_similarity,
    "textual_difference": text.textual_difference,
    "keyword_coverage": text.keyword_coverage,
    "completeness": text.completeness,
}
ON_REFERENCE: dict[str, Callable[[], Scorer[object, str, References]]] = {
    "exact_match": text.exact_match,
    "f1": text.f1,
    "levenshtein": text.levenshtein,
    "levenshtein of graphemes": lambda: text.levenshtein(unit="graphemes"),
    "jaro_winkler": text.jaro_winkler,
    "bleu": text.bleu,
    "chrf": text.chrf,
    "rouge1": lambda: text.rouge("rouge1"),
    "rouge2": lambda: text.rouge("rouge2"),
    "rougeL": text.rouge,
}
SYMMETRIC = (
    "content_similarity",
    "textual_difference",
    "exact_match",
    "f1",
    "levenshtein",
    "rouge1",
    "rouge2",
    "rougeL",
)

few = settings(max_examples=25)  # a time for each of the formulas

TEXTS = st.text(st.sampled_from("ab cdé東京👍🏽\u0301\n.'"), max_size=14) | st.text(max_size=8)
FULL = st.lists(st.sampled_from(["parcel", "depot", "Graz", "東京", "seven"]), min_size=4, max_size=8).map(" ".join)


def pair(name: str, one: str, other: str) -> float:
    return (
        judged(ON_INPUT[name](), one, other).score
        if name in ON_INPUT
        else against(ON_REFERENCE[name](), one, other).score
    )


@pytest.mark.parametrize("name", [*ON_INPUT, *ON_REFERENCE])
@few
@given(one=TEXTS, other=TEXTS)
def test_a_score_is_a_share(name: str, one: str, other: str) -> None:
    """From 0 to 1 for any two texts, with a reason."""
    assert 0.0 <= pair(name, one, other) <= 1.0


@pytest.mark.parametrize("name", [*ON_INPUT, *ON_REFERENCE])
@few
@given(same=FULL)
def test_a_text_is_itself(name: str, same: str) -> None:
    """Exactly 1, not nearly."""
    assert pair(name, same, same) == 1.0


@pytest.mark.parametrize("name", SYMMETRIC)
@few
@given(one=TEXTS, other=TEXTS)
def test_the_order_of_both_does_not_matter(name: str, one: str, other: str) -> None:
    """For those that are called a similarity."""
    assert pair(name, one, other) == pair(name, other, one)


@pytest.mark.parametrize("name", ON_REFERENCE)
@few
@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_the_nearest_reference_counts(name: str, output: str, first: str, second: str) -> None:
    """A second reference never lowers the score."""
    scorer = ON_REFERENCE[name]()
    assert against(scorer, output, [first, second]).score >= against(scorer, output, first).score - 1e-9


@given(one=TEXTS, other=TEXTS)
def test_dice_is_what_crossing_out_gives(one: str, other: str) -> None:
    """The multiset of pairs against pairs crossed out one by one."""
    plain = text.content_similarity(ignore_case=False)
    assert judged(plain, one, other).score == pytest.approx(naive.dice(one, other))


@given(one=TEXTS, other=TEXTS)
def test_the_common_subsequence_is_the_textbooks(one: str, other: str) -> None:
    """The bit-parallel one against the table of n·m."""
    assert judged(text.textual_difference(), one, other).score == pytest.approx(naive.lcs_ratio(one, other))


def test_every_configuration_has_its_id() -> None:
    """No two of them collide."""
    made: list[Scorer[object, str, References]] = [make() for make in ON_REFERENCE.values()]
    ids = [scorer.id for scorer in made]
    ids += [make().id for make in ON_INPUT.values()]
    ids += [
        text.content_similarity(ignore_case=False).id,
        text.textual_difference(most_cells=5).id,
        text.keyword_coverage(stop_words=["a"]).id,
        text.tone().id,
        text.tone("great").id,
        text.tone(lexicon={"good": 3}).id,
        text.tone(lexicon={"good": 2}).id,
        text.bleu(tokenize="zh").id,
        text.chrf(word_order=2).id,
        text.numeric_closeness().id,
        text.numeric_closeness(relative=0.1).id,
        text.numeric_closeness(absolute=0.1).id,
        text.set_overlap().id,
        text.set_overlap("jaccard").id,
        text.list_overlap().id,
        text.json_difference().id,
        text.json_difference(any_order=True).id,
        text.on_texts(text.content_similarity()).id,
        text.on_texts(text.content_similarity(), joined_by=" ").id,
        text.against_expected(text.content_similarity()).id,
    ]
    assert len(set(ids)) == len(ids)


def test_a_run_without_a_reference_is_not_scorable() -> None:
    """Neither 0 nor an error (mastra#21743)."""
    run = Run("", "a", None)
    for make in ON_REFERENCE.values():
        failure = make().run_sync(run).failure()  # type: ignore[arg-type]  # a row without a reference
        assert str(failure.cause) == "NotScorable(reason='the run has no reference answer')"
        assert "no reference" in str(make().run_sync(Run("", "a", list[str]())).failure().cause)


@pytest.mark.parametrize("name", [*ON_INPUT, *ON_REFERENCE])
def test_half_a_surrogate_pair_is_scored(name: str) -> None:
    """As models write it now and then; the reason can be saved (UKGovernmentBEIS/inspect_ai#3802)."""
    said, due = "price \ud83d end", "price \ud83d\ude00 here"
    run = Run(due, said, due)
    found = (ON_INPUT[name]() if name in ON_INPUT else ON_REFERENCE[name]()).run_sync(run).unwrap()
    assert 0.0 <= found.score < 1.0
    str(found.reason).encode("utf-8")
