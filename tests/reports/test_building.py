"""What a report holds, from a store and from items at hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import attrs
import pytest
from reports.samples import evaluated, number, reported, rows, stored, waste

from scorewright import create_scorer, pure
from scorewright.reports import Report, report_of, report_of_items
from scorewright.suites import Coverage, Suite, evaluate_sync
from scorewright.suites.journal import Experiment, StoredItem, StoredScore, StoreError, open_store

OUTPUTS = ("0.1", "1", "none", "fail: no", "0.5", "fail: no", "fail: never", "0.9")


def tagged(*outputs: str) -> list[dict[str, object]]:
    return [
        {**row, "tags": ["even" if at % 2 == 0 else "odd"], "group": "ab"[at // 4]}
        for at, row in enumerate(rows(*outputs))
    ]


def known(report: Report) -> Report:
    """Without what only a suite tells, or only a store."""
    scorers = tuple(attrs.evolve(each, hash="") for each in report.scorers)
    return attrs.evolve(report, scorers=scorers, experiment="", created="", notes=(), ids=(), lines=(), source="")


def test_a_store_and_its_items_tell_the_same(tmp_path: Path) -> None:
    """Means, slices, failures, worst items and checks."""
    suite = Suite((number, ">= 0.2"), waste, name="both", thresholds={"waste": "<= 0.9"})
    kept = stored(suite, tagged(*OUTPUTS), tmp_path / "runs.db")
    held = reported(suite, tagged(*OUTPUTS))
    assert kept.ids == held.ids
    assert kept.lines == held.lines
    assert [each.outcomes.states for each in kept.scorers] == [each.outcomes.states for each in held.scorers]
    assert known(kept) == known(held)


def test_a_mean_has_its_coverage_and_its_interval() -> None:
    """What failed and what is not scorable is in neither, and is counted."""
    mean = reported(Suite(number), rows(*OUTPUTS)).by_id["number"].mean
    assert mean.value == pytest.approx(0.625)
    assert mean.coverage == Coverage(4, 1, 3)
    assert mean.low is not None
    assert mean.high is not None
    assert mean.low < 0.625 < mean.high
    assert mean.method == "t"


def test_without_statistics_there_is_no_interval_and_a_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean is there all the same."""
    monkeypatch.setitem(sys.modules, "scorewright.statistics", None)
    report = reported(Suite(number), rows(*OUTPUTS))
    mean = report.by_id["number"].mean
    assert (mean.value, mean.low, mean.high) == (0.625, None, None)
    assert report.notes == ("no interval: it needs numpy and scipy, pip install 'scorewright[statistics]'",)


def test_of_nothing_there_is_no_number() -> None:
    """None is no zero."""
    scorer = reported(Suite(number), rows("none")).by_id["number"]
    assert (scorer.mean.value, scorer.spread, scorer.histogram, scorer.worst) == (None, None, None, ())


def test_failures_are_told_by_kind_the_most_frequent_first() -> None:
    """How many, and the first rows."""
    report = reported(Suite(number), rows(*OUTPUTS))
    assert [(each.kind, each.count, each.first) for each in report.failures] == [
        ("StepRaised", 2, ("r3", "r5")),
        ("StepRaised", 1, ("r6",)),
    ]
    assert "fail: no" in report.failures[0].message
    assert [(each.reason, each.count, each.first) for each in report.not_scorable] == [("it says none", 1, ("r2",))]


def test_a_target_that_fails_fails_its_row_with_every_scorer() -> None:
    """It is told once."""

    def target(given: str) -> str:
        if given.endswith("1"):
            raise RuntimeError("broken")
        return "0.5"

    report = reported(Suite(number, waste), rows("", "", ""), target=target)
    assert report.n_target_failed == 1
    assert [each.mean.coverage for each in report.scorers] == [Coverage(2, 0, 1)] * 2
    assert [(each.scorer, each.count, each.first) for each in report.failures] == [("", 1, ("r1",))]
    assert "broken" in report.lines[1].fault


def test_slices_are_means_of_tags_and_groups() -> None:
    """Each with its own coverage; the rows of a tag are clustered by group."""
    slices = reported(Suite(number), tagged(*OUTPUTS)).by_id["number"].slices
    found = {(each.kind, each.name): (each.mean.value, each.mean.coverage) for each in slices}
    assert found["tag", "even"] == (pytest.approx(0.3), Coverage(2, 1, 1))
    assert found["tag", "odd"] == (pytest.approx(0.95), Coverage(2, 0, 2))
    assert found["group", "a"] == (pytest.approx(0.55), Coverage(2, 1, 1))
    assert next(each for each in slices if each.name == "odd").mean.method == "t, clustered by 2 groups"


def test_what_slices_leave_out_is_said() -> None:
    """Of many groups those with the most runs are shown."""
    given = [{**row, "group": f"g{at}"} for at, row in enumerate(rows(*["0.5"] * 30))]
    report = reported(Suite(number), given)
    assert len(report.by_id["number"].slices) == 20
    assert "of 30 groups the 20 with the most runs are shown" in report.notes


def test_the_worst_items_are_those_far_from_the_good_end() -> None:
    """With input, output and reason, the worst first; never one with the best score."""
    report = reported(Suite(number, waste), rows("0.4", "1", "0.1", "0.25555555"))
    worst = report.by_id["number"].worst
    assert [(each.score, each.case.id, each.reason) for each in worst[:2]] == [
        (0.1, "r2", "it says 0.1"),
        (0.25555555, "r3", "it says 0.25555555"),
    ]
    assert [(said.role, said.text) for said in worst[0].case.said] == [("input", "question 2"), ("output", "0.1")]
    assert 1.0 not in [each.score for each in worst]
    assert report.by_id["waste"].worst[0].case.id == "r3"


def test_a_conversation_is_told_message_by_message() -> None:
    """Messages that went in, and the turns of one that was held."""
    messages = [{"role": "system", "content": "be kind"}, {"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    report = reported(Suite(number), [{"id": "a", "input": messages, "output": "0.1"}])
    assert report.lines[0].input == "system: be kind\nuser: hi"
    case = report.by_id["number"].worst[0].case
    assert [(said.role, said.text) for said in case.said] == [("system", "be kind"), ("user", "hi"), ("output", "0.1")]
    turns = [{"input": "one", "output": "0.5"}, {"input": "two", "output": "0.1"}]
    suite = Suite(turns=[number])
    report = reported(suite, [{"id": "a", "input": "talk", "turns": turns}])
    worst = report.by_id["number"].worst[0]
    assert (worst.score, worst.turn) == (0.1, 2)
    told = [(said.role, said.text) for said in worst.case.said]
    assert told == [("user", "one"), ("assistant", "0.5"), ("user", "two"), ("assistant", "0.1")]


def test_an_agents_own_record_is_told(tmp_path: Path) -> None:
    """Its messages, with what it called."""
    called = {"type": "tool", "name": "search", "arguments": {"for": "hours"}}
    run = {
        "input": {
            "system_messages": [],
            "input_messages": [{"role": "user", "parts": [{"type": "text", "text": "open?"}]}],
        },
        "output": {"messages": [{"role": "assistant", "parts": [called, {"type": "text", "text": "from nine"}]}]},
    }
    row = json.dumps({"id": "r0", "input": "open?", "answered": {"run": run}})
    with open_store(tmp_path / "runs.db") as store:
        store.begin(Experiment("e", "some", '{"scorers": {"s": "h"}, "gates": ["s >= 0.5"]}', "2026-01-01"))
        scores = [StoredScore("e", f"r{at}", "s", "h", "scored", float(at), None, "{}") for at in range(2)]
        store.add([StoredItem("e", "r0", 0, row, '"from nine"'), StoredItem("e", "r1", 1, "{}")], scores)
        (worst,) = report_of(store).by_id["s"].worst
    assert [said.role for said in worst.case.said] == ["user", "assistant"]
    assert worst.case.said[1].text == '{"type":"tool","name":"search","arguments":{"for":"hours"}}\nfrom nine'


def test_the_turns_of_a_row_are_one_cluster(tmp_path: Path) -> None:
    """They depend on each other."""
    turns = [{"input": "one", "output": "0.5"}, {"input": "two", "output": "0.1"}]
    given = [{"id": str(at), "input": "talk", "turns": turns} for at in range(4)]
    evaluate_sync(Suite(turns=[number]), given, store=tmp_path / "runs.db")
    mean = report_of(tmp_path / "runs.db").by_id["number"].mean
    assert (mean.coverage.n, mean.method) == (8, "t, clustered by 4 groups")


def test_rows_that_are_not_done_are_counted(tmp_path: Path) -> None:
    """They make the evaluation incomplete."""
    with open_store(tmp_path / "runs.db") as store:
        store.begin(Experiment("e", "some", json.dumps({"scorers": {"s": "h"}}), "2026-01-01"))
        items = [StoredItem("e", f"r{at}", at, json.dumps({"id": f"r{at}", "input": "q"})) for at in range(3)]
        old = StoredScore("e", "r1", "s", "old", "scored", 0.1, None, "{}")
        store.add(items, [StoredScore("e", "r0", "s", "h", "scored", 1.0, None, "{}"), old])
        report = report_of(store)
    assert (report.n_items, report.n_waiting, report.verdict) == (3, 2, "incomplete")
    assert report.by_id["s"].mean.value == 1.0  # a score of another definition does not count


def test_a_scale_that_nothing_says_is_not_made_up(tmp_path: Path) -> None:
    """Higher is taken for better where no bound tells, and that is said; settings that tell it are believed."""
    spec = {"scorers": {"s": "h", "t": "h"}, "about": {"t": {"scale": [0, None], "better": "lower"}}}
    with open_store(tmp_path / "runs.db") as store:
        store.begin(Experiment("e", "some", json.dumps(spec), "2026-01-01"))
        scores = [StoredScore("e", "r0", name, "h", "scored", 3.0, None, "{}") for name in ("s", "t")]
        store.add([StoredItem("e", "r0", 0, '{"id":"r0","input":"q"}')], scores)
        report = report_of(store)
    first, second = report.scorers
    assert (first.scale, first.better, second.better) == (None, "higher", "lower")
    assert second.scale is not None
    assert (second.scale.low, second.scale.high) == (0.0, float("inf"))
    assert report.notes == ("nothing says which end of the scale is good for s: higher is taken for better",)


def test_what_is_not_in_a_store_is_said(tmp_path: Path) -> None:
    """The experiments that there are are named."""
    evaluate_sync(Suite(number), rows("1"), store=tmp_path / "runs.db")
    with pytest.raises(StoreError, match="holds 0 experiments 'nope'"):
        report_of(tmp_path / "runs.db", "nope")


def test_costs_of_a_store_are_added_up(tmp_path: Path) -> None:
    """Of scores and of failures."""
    usage = {
        "input_tokens": 3,
        "output_tokens": 1,
        "cached_input_tokens": 0,
        "reasoning_tokens": 0,
        "cache_write_tokens": 0,
    }
    spent = {"attempts": 2, "usage": usage, "uncounted": 0, "dollars": 0.5, "avoided": usage}
    record = json.dumps({"spent": spent, "steps": []}, separators=(",", ":"))
    fault = json.dumps({"fault": {"kind": "TimedOut", "message": "late"}, "spent": spent}, separators=(",", ":"))
    with open_store(tmp_path / "runs.db") as store:
        store.begin(Experiment("e", "some", json.dumps({"scorers": {"s": "h"}}), "2026-01-01"))
        items = [StoredItem("e", f"r{at}", at, '{"input":"q"}') for at in range(2)]
        scored = StoredScore("e", "r0", "s", "h", "scored", 1.0, None, record)
        store.add(items, [scored, StoredScore("e", "r1", "s", "h", "failed", None, None, fault)])
        report = report_of(store)
    assert (report.spent.attempts, report.spent.dollars, report.spent.usage.input_tokens) == (4, 1.0, 6)
    assert [(each.kind, each.message) for each in report.failures] == [("TimedOut", "late")]


def test_texts_are_cut_and_say_how_long_they_were() -> None:
    """A megabyte does not go into a report."""
    long = create_scorer("long", input=str, output=str).generate_score(pure(lambda _: 0.5))
    given = [{"id": "a", "input": "x" * 1_000_000, "output": "y"}]
    report = report_of_items(evaluated(Suite(long), given), Suite(long))
    said = report.by_id["long"].worst[0].case.said
    assert said[0].text.endswith("… (1,000,000 characters in all)")
    assert len(said[0].text) < 5_000
    assert len(report.lines[0].input) == 300
