"""What is otherwise for some rows: said by the suite for a tag or a function, or by a row of itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from suites.scoring import judged, number, words

from scorewright import DefinitionError, Judge, ok
from scorewright.core import JudgeReply, JudgeRequest
from scorewright.suites import For, ItemRecord, Row, Suite, Summary, TargetTimedOut, evaluate_sync

HARD = Row("hard", "q", "0.4", tags=("hard",))
EASY = Row("easy", "q", "0.4", metadata={"lang": "de"})


def items(suite: Suite, *rows: Row, **options: Any) -> tuple[dict[str, ItemRecord], Summary]:
    """Every item by its id."""
    done: list[ItemRecord] = []
    summary = evaluate_sync(suite, rows, on_item=done.append, **options)
    return {item.row.id: item for item in done}, summary


def test_scorers_are_left_out_by_tag_and_by_function() -> None:
    """They have nothing to score there: counted apart, and told with the reason."""
    rules = [For("hard", skip=["words"]), For(lambda row: row.metadata.get("lang") == "de", only=["words"])]
    done, summary = items(Suite(number, words, settings=rules), HARD, EASY)
    assert {*done["hard"].evaluations} == {"number"}
    assert {*done["easy"].evaluations} == {"words"}
    assert done["hard"].not_scorable == {"words": "the settings of the row leave this scorer out"}
    assert str(summary["words"].mean) == "1 (1/2 scored · 1 not scorable)"
    assert summary.verdict == "passed"


def test_a_row_says_it_for_itself() -> None:
    """After the rules of the suite; a file says it in a column, which is metadata like any other."""
    rows = [
        {"id": "a", "input": "q", "output": "1", "scorewright": {"skip": ["words"]}},
        {"id": "b", "input": "q", "output": "1", "tags": ["hard"]},
    ]
    done: list[ItemRecord] = []
    suite = Suite(number, words, settings=[For("hard", only=["words"])])
    evaluate_sync(suite, rows, on_item=done.append)
    assert {item.row.id: {*item.evaluations} for item in done} == {"a": {"number"}, "b": {"words"}}


def test_a_row_has_its_own_time() -> None:
    """Less or more than the suite gives."""

    async def target(given: str) -> str:
        await asyncio.Event().wait()
        return given

    rows = [Row("a", "q", metadata={"scorewright": {"timeout": 0.01}}), Row("b", "q", tags=("slow",))]
    suite = Suite(words, timeout=3600, settings=[For("slow", timeout=0.02)])
    done, _ = items(suite, *rows, target=target)
    assert {id: item.fault for id, item in done.items()} == {"a": TargetTimedOut(0.01), "b": TargetTimedOut(0.02)}


@pytest.mark.parametrize(
    ("gates", "rules", "own", "missed"),
    [
        ({"number": 0.9}, [], None, 2),
        ({"number": 0.9}, [For("hard", gates={"number": 0.3})], None, 1),
        ({"number": 0.9}, [For("hard", gates={"number": 0.3})], 0.4, 0),
        ({"number": 0.9}, [For("hard", gates={"number": 0.3})], 0.5, 1),
        ({}, [For("hard", gates={"number": 0.3})], None, 0),
        ({}, [For("hard", gates={"number": ">= 0.5"})], None, 1),
        ({}, [], 0.5, 1),
    ],
)
def test_a_row_is_held_to_its_own_limit(
    gates: dict[str, float], rules: list[For], own: float | None, missed: int, store: str
) -> None:
    """In place of the suite's gate; where that has none, the others have no limit. Also when it is counted again."""
    suite = Suite(number, gates=gates, settings=rules)
    easy = EASY if own is None else Row("easy", "q", "0.4", metadata={"scorewright": {"gates": {"number": own}}})
    for n_before in (0, 2):
        summary = evaluate_sync(suite, [HARD, easy], store=store)
        assert summary.n_before == n_before
        assert [(each.n_missed, each.decision) for each in summary.gates] == [(missed, "missed" if missed else "met")]
        assert summary.verdict == ("failed" if missed else "passed")


def test_some_rows_have_another_judge() -> None:
    """It is asked in place of the scorer's own, which fills in what it leaves open; the evidence names it."""
    asked: dict[str, Judge] = {}

    async def answer(request: JudgeRequest, /) -> JudgeReply:
        assert isinstance(request.judge, Judge)
        asked[request.prompt] = request.judge
        return JudgeReply(ok('{"score": 0.5}'))

    suite = Suite(judged, settings=[For("hard", judge=Judge("openai/gpt-4o"))])
    done, summary = items(suite, HARD, Row("easy", "q", "0.9"), answer=answer)
    assert {prompt: judge.model for prompt, judge in asked.items()} == {
        "How good is '0.4'?": "openai/gpt-4o",
        "How good is '0.9'?": "openai/gpt-4o-mini",
    }
    assert summary["judged"].mean.value == 0.5
    (exchange,) = done["hard"].evaluations["judged"].exchanges
    assert exchange.request.judge == asked["How good is '0.4'?"]
    assert [step.step for step in done["hard"].evaluations["judged"].steps] == ["generate_score"]


def test_other_settings_are_another_experiment_only_where_they_change_scores(store: str) -> None:
    """Who is left out and who judges do; limits and times do not."""

    def experiment(*rules: For) -> str:
        return evaluate_sync(Suite(number, words, settings=rules), [HARD], store=store).experiment

    plain = experiment(For("hard", timeout=5))
    assert experiment(For("hard", timeout=6, gates={"number": 0.1})) == plain
    assert experiment(For("hard", skip=["words"])) != plain
    again = evaluate_sync(Suite(number, words, settings=[For("hard", skip=["words"])]), [HARD], store=store)
    assert (again.n_items, again.n_before, again.n_not_scorable) == (0, 1, 1)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"skip": ["wrods"]}, "$.metadata.scorewright: settings name 'wrods'; the scorers of the suite are number"),
        ({"timeout": "5"}, "$.metadata.scorewright.timeout: expected float | None, got a string"),
        ({"timeout": -1}, "timeout= is a number of seconds above 0, not -1"),
        ({"timeuot": 5}, "$.metadata.scorewright.timeuot: is not a key of RowSettings"),
        ({"gates": {"number": 7}}, "the gate of 'number' is a number of 0..1, not 7"),
        (None, "$.metadata.scorewright: "),
    ],
)
def test_what_a_row_cannot_say_breaks_it(own: object, said: str) -> None:
    """With the place of the mistake; nothing is left out or scored by guess, and no target is paid for it."""
    asked: list[str] = []

    def target(given: str) -> str:
        asked.append(given)
        return given

    rows = [Row("a", "1", "1", metadata={"scorewright": own}), Row("b", "1", "1")]
    for options in ({}, {"target": target}):
        done, summary = items(Suite(number), *rows, **options)
        (broken,) = summary.broken
        assert ({*done}, broken.id, summary.verdict) == ({"b"}, "a", "incomplete")
        assert said in broken.why
    assert asked == ["1"]


def test_a_function_that_raises_breaks_the_row() -> None:
    """And no other."""

    def german(row: Row) -> bool:
        return row.metadata["lang"] == "de"

    done, summary = items(Suite(number, settings=[For(german, timeout=5)]), HARD, EASY)
    assert {id: {*item.evaluations} for id, item in done.items()} == {"easy": {"number"}}
    assert [each.why for each in summary.broken] == ["a function of its settings raised KeyError: 'lang'"]


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: Suite(number, settings=[For("hard", skip=["wrods"])]), "settings name 'wrods'"),
        (lambda: Suite(number, settings=[For("hard", gates={"number": 7})]), "the gate of 'number'"),
        (lambda: For("hard", skip="words"), r"skip=\['words'\]"),
        (lambda: For("hard", timeout=0), "timeout= is a number of seconds above 0"),
        (lambda: For(3), "takes a tag or a function of a row, not int"),  # type: ignore[arg-type]  # the mistake
    ],
)
def test_a_mistake_is_told_where_it_is_written(mistake: Callable[[], object], said: str) -> None:
    """Before anything is evaluated."""
    with pytest.raises(DefinitionError, match=said):
        mistake()


def test_a_suite_without_scorers_needs_a_target() -> None:
    """Else there is nothing to do; with one it keeps the answers, and is never passed."""
    with pytest.raises(DefinitionError, match="the suite has no scorers, and there is no target to ask"):
        evaluate_sync(Suite(), [HARD])
    assert evaluate_sync(Suite(), [HARD], target=str.upper).verdict == "inconclusive"
