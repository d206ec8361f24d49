"""A scorer beside people: labels of every kind, rows that failed, several annotators, and stored scores."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from pathlib import Path

import numpy as np
import pytest

from scorewright import DefinitionError, NotScorable, Scale, Scorer, create_scorer, err, ok, pure
from scorewright.calibration import (
    Calibration,
    LabelledRow,
    calibrate,
    calibrate_items,
    calibrate_stored,
    calibrate_sync,
    calibration,
)
from scorewright.faults import Fault
from scorewright.statistics import Estimate, Undefined, cohen_kappa, corrected_mean, krippendorff_alpha
from scorewright.suites import ItemRecord, Suite, evaluate_sync
from scorewright.suites.journal import StoreError

calls: list[str] = []


def _score(output: str) -> float:
    calls.append(output)
    return float(output)


number: Scorer[str, str, object, Fault] = create_scorer("number", input=str, output=str).generate_score(
    lambda s: err(NotScorable("it says none")) if s.run.output == "none" else ok(_score(s.run.output))
)


def rows(n: int = 60, *, labelled: int = 60, seed: int = 0) -> list[dict[str, object]]:
    drawn = np.random.default_rng(seed)
    made: list[dict[str, object]] = []
    for at in range(n):
        score = round(float(drawn.random()), 2)
        row: dict[str, object] = {"id": f"r{at}", "input": "q", "output": str(score)}
        if at < labelled:
            row["human"] = bool(drawn.random() < score)
        made.append(row)
    return made


def of(*pairs: tuple[float | None, object], **more: object) -> Calibration:
    given = [
        LabelledRow(
            f"r{at}",
            score,
            label if isinstance(label, tuple) else (label,),
            "scored" if score is not None else "failed",
        )
        for at, (score, label) in enumerate(pairs)
    ]
    return calibration(given, **more)  # type: ignore[arg-type]  # handed through


def test_passes_and_failures_are_cut_and_compared() -> None:
    """Agreement at the threshold that was found, by the functions that anybody can call."""
    given = rows()
    found = calibrate_sync(number, given)
    assert found.kind == "pass_fail"
    assert str(found.coverage) == "60/60 scored"
    assert not isinstance(found.cut, Undefined)
    assert isinstance(found.cut.value, float)
    told = [float(str(row["output"])) >= found.cut.value for row in given]
    people = [bool(row["human"]) for row in given]
    kappa = next(each for each in found.agreement if each.measure == "Cohen's kappa")
    assert kappa == cohen_kappa(told, people, order=(False, True))
    assert [each.measure for each in found.agreement] == [
        "percent agreement", "Cohen's kappa", "Krippendorff's alpha, nominal", "AUC",
    ]  # fmt: skip
    assert found.matrix is not None
    assert found.matrix.counts[1][1] == found.cut.confusion.true_passes  # type: ignore[union-attr]  # there is one
    assert any("chosen on these rows" in each for each in found.caution)


def test_async_sync_items_and_store_say_the_same(tmp_path: Path) -> None:
    """And a store is read without asking again."""
    given = rows(40, labelled=30)
    given[2]["output"], given[3]["output"] = "none", "boom"
    items: list[ItemRecord] = []
    evaluate_sync(Suite(number), given, on_item=items.append, store=tmp_path / "runs.db")
    calls.clear()
    stored = calibrate_stored(tmp_path / "runs.db", number)
    assert calls == []
    assert stored == calibrate_stored(tmp_path / "runs.db", "number") == calibrate_items(items, number)
    assert stored == calibrate_sync(number, given) == asyncio.run(calibrate(number, given))
    assert stored.n_unlabelled == 10


def test_labels_that_came_later_are_joined_by_id(tmp_path: Path) -> None:
    """Rows without labels in the store, labels in rows of their own."""
    given = rows(20)
    plain = [{name: row[name] for name in ("id", "input", "output")} for row in given]
    evaluate_sync(Suite(number), plain, store=tmp_path / "runs.db")
    assert calibrate_stored(tmp_path / "runs.db", number).coverage.n == 0
    joined = calibrate_stored(tmp_path / "runs.db", number, labels=given)
    assert joined == calibrate_sync(number, given)


def test_what_a_store_does_not_hold_is_told(tmp_path: Path) -> None:
    """A scorer, an experiment."""
    evaluate_sync(Suite(number), rows(3), store=tmp_path / "runs.db")
    with pytest.raises(DefinitionError, match="has no scorer 'other': there is 'number'"):
        calibrate_stored(tmp_path / "runs.db", "other")
    with pytest.raises(StoreError):
        calibrate_stored(tmp_path / "runs.db", "number", "nope")


def test_rows_without_a_score_are_counted_and_are_no_number() -> None:
    """Failed, not scorable, and those whose labels are missing."""
    given = rows(20)
    given[3]["output"], given[4]["output"], given[5]["output"] = "boom", "none", "none"
    given[5]["human"] = None
    found = calibrate_sync(number, given)
    assert str(found.coverage) == "17/19 scored · 1 not scorable · 1 failed"
    assert [(row.id, row.state) for row in found.unscored] == [("r3", "failed"), ("r4", "not_scorable")]
    assert "boom" in found.unscored[0].told
    assert found.unscored[1].told == "it says none"
    assert found.agreement[0].n == 17
    whole = calibrate_sync(number, [row for row in given if row["id"] not in {"r3", "r4", "r5"}])
    assert found.agreement == whole.agreement
    assert any("left out" in each for each in found.caution)


def test_the_mean_is_corrected_by_the_rows_that_nobody_labelled() -> None:
    """As the function does it; a row that people labelled alone does not change it."""
    given = rows(200, labelled=60)
    found = calibrate_sync(number, given)
    scores = [float(str(row["output"])) for row in given]
    labels = [float(bool(row.get("human"))) for row in given]
    assert found.corrected == corrected_mean(scores[60:], [*zip(scores[:60], labels[:60], strict=True)])
    assert found.people.value == pytest.approx(sum(labels[:60]) / 60)
    all_labelled = calibrate_sync(number, given[:60]).corrected
    assert all_labelled.value == Undefined("people labelled every row: their own mean is the answer")


class Grade(Enum):
    POOR = "p"
    FAIR = "f"
    GOOD = "g"


@pytest.mark.parametrize(
    ("label", "more"),
    [
        (lambda at: ("poor", "fair", "good")[at], {"levels": ["poor", "fair", "good"]}),
        (lambda at: (1, 2, 3)[at], {"levels": [1, 2, 3]}),
        (lambda at: ("POOR", "FAIR", "GOOD")[at], {"levels": Grade}),
        (lambda at: [*Grade][at], {}),
        (lambda at: ("g", "f", "p")[at], {"levels": {"f": 0.5, "g": 0.0, "p": 1.0}}),
    ],
)
def test_levels_are_ordered_and_lie_on_the_scale(label: Callable[[int], object], more: dict[str, object]) -> None:
    """A list with the worst first, an Enum, or a number for each: all say the same."""
    pairs = [(0.1, 0), (0.2, 0), (0.4, 1), (0.6, 2), (0.7, 1), (0.9, 2), (1.0, 2), (0.3, 1)]
    found = of(*((score, label(at)) for score, at in pairs), **more)
    assert found.kind == "levels"
    assert found.matrix is not None
    assert found.matrix.counts == ((2, 0, 0), (0, 3, 0), (0, 1, 2))
    kappa = next(each for each in found.agreement if each.measure.startswith("Cohen"))
    said, told = [at for _, at in pairs], [0, 0, 1, 1, 1, 2, 2, 1]
    assert kappa.value == cohen_kappa(told, said, weights="quadratic").value
    assert isinstance(found.bias, Estimate)
    assert found.bias.value == pytest.approx(sum(score - at / 2 for score, at in pairs) / 8)
    assert found.cut == Undefined("the labels are no passes and failures")


def test_whole_numbers_of_a_short_scale_are_levels() -> None:
    """Those of a long one, and fractions, are numbers."""
    scale = Scale(1, 5)
    assert of((1.2, 1), (3.0, 3), (4.9, 5), scale=scale).kind == "levels"
    assert of((1.2, 1), (3.0, 3), (4.9, 4.5), scale=scale).kind == "number"
    assert of((10, 10), (30, 40), scale=Scale(0, 100)).kind == "number"
    assert of((0.2, 0), (0.7, 1), (0.7, 1)).kind == "pass_fail"
    assert of((0.2, "no"), (0.7, "yes"), (0.7, "PASS ")).kind == "pass_fail"
    assert of((0.2, "0.5"), (0.7, "0.25")).kind == "number"


def test_where_lower_is_better_the_worst_level_lies_at_the_top() -> None:
    """And passes are low scores."""
    found = of((1.0, "bad"), (0.0, "good"), (0.5, "fair"), levels=["bad", "fair", "good"], better="lower")
    assert found.matrix is not None
    assert found.matrix.counts == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    passes = of((0.1, True), (0.2, True), (0.8, False), (0.9, False), better="lower")
    assert not isinstance(passes.cut, Undefined)
    assert passes.cut.value == pytest.approx(0.5)
    assert passes.agreement[0].value == 1.0
    assert passes.agreement[-1].value == 1.0
    assert not isinstance(passes.reliability, Undefined)
    assert passes.reliability.bins[0].people.value == 0.0


def test_numbers_are_correlated_and_compared() -> None:
    """Spearman, Pearson, alpha of intervals; a number on an open scale says no chance."""
    pairs = [(0.1, 0.2), (0.4, 0.35), (0.5, 0.55), (0.9, 0.7), (0.8, 0.95)]
    found = of(*pairs)
    assert [each.measure for each in found.agreement] == [
        "Spearman's rho", "Pearson's r", "Krippendorff's alpha, interval",
    ]  # fmt: skip
    assert found.agreement[2].value == krippendorff_alpha(pairs, scale="interval").value
    open_ended = of((10.5, 11.5), (20, 25.5), (3.5, 4), (8, 7.5), scale=Scale(0, float("inf")))
    assert open_ended.reliability == Undefined("a scale without ends says no chance")


def test_several_annotators_are_one_voice_and_a_yardstick() -> None:
    """The majority counts, a tie is counted and left out; people agree with each other so and so."""
    found = of(
        (0.9, (True, True, False)), (0.8, (True, True, True)), (0.2, (False, False, True)), (0.1, (False, False, None)),
        (0.7, (True, False, None)), (0.3, (False,)),
    )  # fmt: skip
    assert (found.n_tied, found.coverage.n) == (1, 6)
    assert found.agreement[0].n == 5
    assert not isinstance(found.annotators, Undefined)
    assert found.annotators.n == 5
    assert isinstance(found.annotators.each_other, Estimate)
    assert found.annotators.each_other.value == pytest.approx((1 / 3 + 1 + 1 / 3 + 1 + 0) / 5)
    assert isinstance(found.annotators.scorer, Estimate)
    assert found.annotators.scorer.value == pytest.approx((2 / 3 + 1 + 2 / 3 + 1 + 0.5) / 5)
    ratings = [[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, None], [1, 0, None]]
    assert found.annotators.alpha.value == krippendorff_alpha(ratings).value
    assert of((0.9, True), (0.1, False)).annotators == Undefined("fewer than two rows were labelled by two people")


def test_annotators_may_be_columns_a_list_or_a_function() -> None:
    """An empty cell says nothing; the reference answer may be the label."""
    given: list[dict[str, object]] = [
        {"id": "a", "input": "q", "output": "0.9", "ann": "pass", "bob": "", "both": ["pass", ""], "expected": "pass"},
        {"id": "b", "input": "q", "output": "0.1", "ann": "fail", "bob": "pass", "both": ["fail", "pass"],
         "expected": "fail"},
    ]  # fmt: skip
    columns = calibrate_sync(number, given, human=["ann", "bob"])
    assert columns.n_tied == 1
    assert columns.pairs == calibrate_sync(number, given, human="both").pairs
    own = calibrate_sync(number, given, human=lambda row: [row.metadata["ann"], row.metadata["bob"] or None])
    assert own.pairs == columns.pairs
    assert calibrate_sync(number, given, human="expected").coverage.n == 2
    assert calibrate_sync(number, given, human="ann").pairs[0].row.labels == ("fail",)


def test_rows_of_a_group_are_drawn_together() -> None:
    """Copies of a row make no narrower interval."""
    given = rows(30)
    copies = [{**row, "id": f"{row['id']}-{copy}", "group": str(row["id"])} for copy in range(6) for row in given]
    alone = calibrate_sync(number, [{**row, "group": None} for row in copies])
    together = calibrate_sync(number, copies)
    for one, other in zip(alone.agreement, together.agreement, strict=True):
        assert one.value == other.value
        width, wider = (each.interval.high - each.interval.low for each in (one, other))  # type: ignore[union-attr]  # each has one
        assert wider > width
    assert any("come in groups" in each for each in together.caution)


def test_too_few_rows_say_so() -> None:
    """No number without a reason, whatever is missing."""
    nothing = calibration([])
    assert str(nothing.coverage) == "0/0 scored"
    assert all(isinstance(each.value, Undefined) for each in nothing.agreement)
    only_failed = of((None, True), (None, False))
    assert (only_failed.coverage.n_failed, only_failed.coverage.n_scored) == (2, 0)
    assert all(isinstance(each.value, Undefined) for each in only_failed.agreement)
    assert only_failed.reliability == Undefined("no labelled row has a score")
    assert isinstance(only_failed.corrected.value, Undefined)
    unlabelled = of((0.5, None), (0.7, None))
    assert (unlabelled.n_unlabelled, unlabelled.coverage.n) == (2, 0)
    one = of((0.5, True))
    assert isinstance(one.cut, type(of((0.1, True), (0.9, False)).cut))
    assert all(isinstance(each.value, Undefined) for each in one.agreement)


def test_the_pairs_farthest_apart_come_first() -> None:
    """With what there is to read of them."""
    found = calibrate_sync(number, rows(30))
    apart = [pair.apart for pair in found.pairs]
    assert apart == sorted(apart, reverse=True)
    assert found.pairs[0].row.output == str(found.pairs[0].row.score)


@pytest.mark.parametrize(
    ("pairs", "more", "why"),
    [
        ([(0.5, 4)], {}, "and 4 does not: name levels="),
        ([(0.5, "so so")], {}, "not 'so so': name levels="),
        ([(0.5, True), (0.6, 0.5)], {}, "passes and failures, levels or numbers"),
        ([(0.5, "x")], {"levels": ["a", "b"]}, "labels say 'x'"),
        ([(0.5, "a")], {"levels": ["a"]}, "two or more levels"),
        ([(0.5, "a")], {"levels": "a,b"}, "levels= is a list"),
        ([(0.5, "a")], {"levels": {"a": 0.0, "b": 2.0}}, "outside the scorer's scale"),
        ([(0.5, "a")], {"levels": {"a": 0.5, "b": 0.5}}, "two levels lie at one number"),
        ([(0.5, "a")], {"levels": ["a", "b"], "scale": Scale(0, float("inf"))}, "without ends"),
        ([(0.5, 0.25)], {"threshold": 0.5}, "threshold= is for labels that pass and fail"),
    ],
)
def test_labels_that_mean_nothing_are_refused(
    pairs: list[tuple[float, object]], more: dict[str, object], why: str
) -> None:
    """With what to do about it."""
    with pytest.raises(DefinitionError, match=why):
        of(*pairs, **more)


def test_a_row_is_scored_or_has_no_score() -> None:
    """A failure is no number, and a number is no failure."""
    with pytest.raises(DefinitionError, match="a row that is scored has a score"):
        LabelledRow("r", None)
    with pytest.raises(DefinitionError, match="a row that is scored has a score"):
        LabelledRow("r", 0.0, state="failed")


def test_a_target_that_fails_is_counted() -> None:
    """Its row has a label and no score."""

    def answer(given: str) -> str:
        if given == "bad":
            raise ValueError("no answer")
        return "0.5"

    given = [{"id": "a", "input": "good", "human": True}, {"id": "b", "input": "bad", "human": False}]
    found = calibrate_sync(number, given, target=answer)
    assert str(found.coverage) == "1/2 scored · 1 failed"
    assert "no answer" in found.unscored[0].told


def test_one_length_of_everything() -> None:
    """A constant scorer is no better than chance, and says so."""
    constant = create_scorer("constant", input=str, output=str).generate_score(pure(lambda _: 0.5))
    found = calibrate_sync(constant, rows(30))
    assert not isinstance(found.cut, Undefined)
    assert str(found.cut.value).startswith("undefined: no threshold does better than chance")
    assert found.agreement[0].value == Undefined("there is no threshold")
    assert found.agreement[-1].value == 0.5
