"""Evaluations in a store: what was done and paid for is neither done nor paid for again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from enum import Enum
from pathlib import Path

import attrs
import pytest
from fakes.openai_server import Answer, Body, FakeOpenAI, said
from suites.scoring import judged, number, same, words

from scorewright import Judge, create_scorer, ok, pure, score_prompt
from scorewright.core import JudgeReply, JudgeRequest
from scorewright.suites import ItemRecord, Row, Steps, Suite, evaluate, evaluate_sync
from scorewright.suites.journal import open_store
from scorewright.suites.rescoring import rescore
from scorewright.suites.rows import read_rows

ROOT = Path(__file__).parents[2]


class Asked:
    """A judge that counts what it is asked, and fails where it is told to."""

    def __init__(self, failing: str = "nothing") -> None:
        self.prompts: list[str] = []
        self.failing = failing

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        self.prompts.append(request.prompt)
        if self.failing in request.prompt:
            raise ConnectionError("the judge is down")
        return JudgeReply(ok('{"score": 0.5}'))


def rows(n: int) -> list[dict[str, object]]:
    return [{"id": str(at), "input": f"input {at}", "output": f"output {at}"} for at in range(n)]


def test_the_same_call_again_continues(store: str) -> None:
    """What was done is not done again, and counts; what is new is done."""
    judge = Asked()
    first = evaluate_sync(Suite(judged, words), rows(3), store=store, answer=judge)
    assert (first.n_items, first.n_before, len(judge.prompts)) == (3, 0, 3)
    again = evaluate_sync(Suite(judged, words), rows(3), store=store, answer=judge)
    assert (again.n_items, again.n_before, len(judge.prompts)) == (0, 3, 3)
    assert again.experiment == first.experiment
    assert {id: each.mean for id, each in again.scorers.items()} == {
        id: each.mean for id, each in first.scorers.items()
    }
    more = evaluate_sync(Suite(judged, words), rows(5), store=store, answer=judge)
    assert (more.n_items, more.n_before, len(judge.prompts)) == (2, 3, 5)
    assert more["judged"].mean.coverage.n_scored == 5


def test_a_resume_with_nothing_left_is_fine(store: str) -> None:
    """`EleutherAI/lm-evaluation-harness#2140`: it says what there is, and its verdict is the same."""
    suite = Suite((number, ">= 0.5"))
    given = [{"id": "a", "input": "q", "output": "1"}, {"id": "b", "input": "q", "output": "none"}]
    first = evaluate_sync(suite, given, store=store)
    again = evaluate_sync(suite, given, store=store)
    assert (first.verdict, again.verdict, again.n_items) == ("passed", "passed", 0)
    assert again.scorers == attrs.evolve(first, scorers=again.scorers).scorers
    assert again.n_not_scorable == 1


def test_other_thresholds_change_nothing_that_was_scored(store: str) -> None:
    """`UKGovernmentBEIS/inspect_ai#5296`: they are held against the scores that there are."""
    given = [{"id": "a", "input": "q", "output": "0.5"}]
    assert evaluate_sync(Suite((number, ">= 0.5")), given, store=store).verdict == "passed"
    again = evaluate_sync(Suite((number, ">= 0.6"), gates={"number": 0.1}), given, store=store)
    assert (again.n_items, again.n_before, again.verdict) == (0, 1, "scored")


def test_a_row_that_changed_is_done_again(store: str) -> None:
    """Under the same id; its old score is gone."""
    suite = Suite(number)
    evaluate_sync(suite, [{"id": "a", "input": "q", "output": "0"}], store=store)
    changed = evaluate_sync(suite, [{"id": "a", "input": "q", "output": "1"}], store=store)
    assert (changed.n_items, changed["number"].mean.value) == (1, 1.0)
    again = evaluate_sync(suite, [{"id": "a", "input": "q", "output": "1"}], store=store)
    assert (again.n_before, again["number"].mean.value) == (1, 1.0)


def test_a_row_that_changed_loses_its_scores_before_it_is_asked_again(store: str) -> None:
    """Whatever happens then, no old score stands beside a new answer: the target fails, or the process is gone."""
    given = [{"id": "a", "input": "q"}, {"id": "b", "input": "q"}]
    changed = [{"id": "a", "input": "changed"}, {"id": "b", "input": "q"}]
    fails = [True]

    def target(given: str) -> str:
        if given == "changed" and fails:
            raise ConnectionError(fails.pop())
        return given

    async def gone(request: JudgeRequest, /) -> JudgeReply:
        raise KeyboardInterrupt

    suite = Suite(judged)

    def scored() -> list[str]:
        with open_store(store) as opened:
            return [each.row_id for each in opened.scores(opened.experiment().id)]

    assert evaluate_sync(suite, given, store=store, target=target, answer=Asked()).n_items == 2
    assert evaluate_sync(suite, changed, store=store, target=target, answer=Asked()).n_target_failed == 1
    assert scored() == ["b"]
    with pytest.raises(KeyboardInterrupt):
        evaluate_sync(suite, changed, store=store, target=target, answer=gone)
    assert scored() == ["b"]
    last = evaluate_sync(suite, changed, store=store, target=target, answer=Asked())
    assert (last.n_items, last.n_before, last["judged"].mean.coverage.n_scored) == (1, 1, 2)


def test_turns_that_are_no_more_count_no_more(store: str) -> None:
    """A conversation that became shorter has the scores of the turns that it has."""
    suite = Suite(turns=[words])
    turns = [{"input": str(n), "output": "a"} for n in range(3)]
    for length, fresh in ((3, 1), (2, 1), (2, 0)):
        summary = evaluate_sync(suite, [{"id": "a", "input": "q", "turns": turns[:length]}], store=store)
        assert (summary.n_items, summary["words"].mean.coverage.n_scored) == (fresh, length)


def test_a_scorer_that_changed_is_another_experiment(store: str) -> None:
    """A scorer of the same id with other code gives no old scores."""
    first = create_scorer("it", input=str, output=str).generate_score(pure(lambda _: 0.0))
    other = create_scorer("it", input=str, output=str).generate_score(pure(lambda _: 1.0))
    old = evaluate_sync(Suite(first), rows(2), store=store)
    new = evaluate_sync(Suite(other), rows(2), store=store)
    assert new.experiment != old.experiment
    assert (new.n_items, new["it"].mean.value) == (2, 1.0)


def test_what_failed_is_tried_again_and_nothing_is_paid_twice(store: str) -> None:
    """A judge that was down for one of two scorers: the reply of the other is in the store."""
    other = judged.named("other")
    failing = Asked("'output 1'")
    suite = Suite(judged, words)
    summary = evaluate_sync(suite, rows(3), store=store, answer=failing)
    assert str(summary["judged"].mean) == "0.5 (2/3 scored · 1 failed)"
    up = Asked()
    summary = evaluate_sync(suite, rows(3), store=store, answer=up)
    assert (summary.n_items, summary.n_before) == (1, 2)
    assert len(up.prompts) == 1
    assert str(summary["judged"].mean) == "0.5 (3/3 scored)"
    shared = Asked()
    evaluate_sync(Suite(judged, other), rows(3), store=store, answer=shared)
    assert shared.prompts == []  # another suite with the same questions: the store has the answers


def test_a_target_is_not_asked_again_for_what_it_answered(store: str) -> None:
    """Also where its scorers failed after it; one that failed is asked again."""
    asked: list[str] = []

    async def target(given: str) -> str:
        asked.append(given)
        if asked.count(given) == 1 and given == "boom":
            raise RuntimeError("once")
        return f"answer to {given}"

    given: list[dict[str, object]] = [{"input": each} for each in ("a", "boom", "b")]
    first = evaluate_sync(Suite(judged), given, store=store, target=target, answer=Asked("answer to b"))
    assert (first.n_target_failed, first["judged"].mean.coverage.n_scored) == (1, 1)
    again = evaluate_sync(Suite(judged), given, store=store, target=target, answer=Asked())
    assert sorted(asked) == ["a", "b", "boom", "boom"]
    assert str(again["judged"].mean) == "0.5 (3/3 scored)"


def test_a_target_whose_code_changed_is_asked_anew(store: str) -> None:
    """Its old answers would be those of another target."""
    one = evaluate_sync(Suite(words), [{"input": "a"}], store=store, target=lambda given: f"{given} one")
    two = evaluate_sync(Suite(words), [{"input": "a"}], store=store, target=lambda given: f"{given} two three four")
    assert one.experiment != two.experiment
    assert two["words"].mean.value == 0.5


def test_stored_items_are_scored_again_without_the_target(store: str) -> None:
    """`comet-ml/opik#8396`: scorers of steps and of the agent's run get what they take, and none is dropped."""
    from suites.test_targets import messages

    from scorewright.agents import AgentRun, answered, asked

    def flow(given: str) -> Steps:
        if given == "boom":
            raise RuntimeError("no")
        run = AgentRun(asked(given), answered("one", "two"), final_output="two", final_kind="text")
        return Steps(run, {"draft": "a b c d"})

    given: list[dict[str, object]] = [{"id": each, "input": each} for each in ("a", "boom", "b")]
    first = evaluate_sync(Suite(words), given, store=store, target=flow)
    items: list[ItemRecord] = []
    suite = Suite(messages, words, steps={"draft": [words]})
    again = asyncio.run(rescore(suite, store, on_item=items.append))
    assert again.experiment != first.experiment
    assert again.n_broken == 1  # the row whose target had failed
    assert {id: each.mean.value for id, each in again.scorers.items()} == {
        "messages": 0.2,
        "words": 1.0,
        "draft/words": 0.5,
    }
    assert items[0].output == "two"


def test_a_conversation_is_scored_again_turn_by_turn(store: str) -> None:
    """With the answers of then."""
    from suites.test_targets import TURNS, length

    calls: list[object] = []

    def target(said: object) -> str:
        calls.append(said)
        return "abc" if len(calls) == 1 else "abcd"

    evaluate_sync(Suite(turns=[words]), TURNS, store=store, target=target)
    items: list[ItemRecord] = []
    asyncio.run(rescore(Suite(turns=[length]), store, on_item=items.append))
    assert {key: each.score for key, each in items[0].evaluations.items()} == {"length[1]": 1 / 4}
    assert len(calls) == 2


def test_whatever_a_step_gives_can_be_stored(store: str) -> None:
    """`confident-ai/deepeval#2926`, `langwatch/langwatch#1558`: an enum, NaN, a cycle, an object, half a surrogate."""

    class Colour(Enum):
        RED = "red"

    cycle: list[object] = []
    cycle.append(cycle)
    values: dict[str, object] = {
        "enum": Colour.RED,
        "nan": float("nan"),
        "cycle": cycle,
        "object": object(),
        "surrogate": "\ud83d",
        "key": {1: "one"},
    }
    strange = (
        create_scorer("strange", input=str, output=str)
        .preprocess(pure(lambda s: values[s.run.output]))
        .generate_score(pure(lambda _: 1.0))
    )
    summary = evaluate_sync(Suite(strange), [{"input": "q", "output": each} for each in values], store=store)
    assert summary["strange"].mean.coverage.n_scored == len(values)
    with open_store(store) as opened:
        records = [json.loads(score.record, parse_constant=_refused) for score in opened.scores(summary.experiment)]
    given = [record["steps"][0]["value"] for record in records]
    assert given[:2] == ["red", "nan"]
    assert given[4:] == ["\ud83d", {"1": "one"}]


def _refused(constant: str) -> object:
    raise AssertionError(constant)


def test_a_suite_without_scorers_keeps_what_the_target_answers(store: str) -> None:
    """`mlflow/mlflow#23746`: rows and reference answers are stored, to be scored later."""
    summary = evaluate_sync(Suite(), [{"input": "a", "expected": "b"}], store=store, target=lambda _: "b")
    assert (summary.n_items, summary.verdict) == (1, "inconclusive")
    later = asyncio.run(rescore(Suite(same), store))
    assert later["same"].mean.value == 1.0


@pytest.mark.parametrize("id", ["same[a]", "[", "a[1][2]"])
def test_an_id_with_brackets_is_found_again(store: str, id: str) -> None:
    """Of a parametrised check, also for every turn of a conversation."""
    said = create_scorer(id, input=object, output=str).generate_score(pure(lambda _: 1.0))
    given = [{"id": "a", "input": "q", "output": "o"}]
    talk = [{"id": "a", "input": "q", "turns": [{"input": "1", "output": "o"}, {"input": "2", "output": "o"}]}]
    for suite, held, scored in ((Suite(said), given, 1), (Suite(turns=[said]), talk, 2)):
        evaluate_sync(suite, held, store=store)
        again = evaluate_sync(suite, held, store=store)
        assert (again.n_before, again[id].mean.coverage.n_scored) == (1, scored)


def test_every_row_is_kept_whatever_its_id(store: str) -> None:
    """What no database can say is an escape from the beginning; where that is the id of another row, it is told."""
    ids = ["\0", "\ud800", "x\0", "'; DROP TABLE item;--", "é", "e\u0301", "a[1]", "\\", " ", "a" * 100_000]
    given: list[object] = [{"id": id, "input": "q"} for id in ids]
    first = evaluate_sync(Suite(words), given, store=store, target=lambda _: "a")
    again = evaluate_sync(Suite(words), given, store=store, target=lambda _: "a")
    assert (first.n_items, first.n_broken) == (10, 0)
    assert (again.n_before, again["words"].mean.coverage.n_scored) == (10, 10)
    same = evaluate_sync(Suite(words), [*given, {"id": "x\\x00", "input": "q"}, Row("\0", "q")])
    assert [broken.why.partition(" was")[0] for broken in same.broken] == [r"the id 'x\\x00'", r"the id '\\x00'"]


def test_scoring_again_continues(store: str) -> None:
    """The same call goes on with the same experiment: it does not take what it has stored itself for what is scored."""
    evaluate_sync(Suite(), [{"id": str(at), "input": "a"} for at in range(5)], store=store, target=lambda _: "b")

    def enough(item: ItemRecord) -> None:
        if item.index == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        asyncio.run(rescore(Suite(words), store, on_item=enough, concurrency=1))
    whole = asyncio.run(rescore(Suite(words), store))
    assert 3 <= whole.n_before < 5
    assert whole["words"].mean.coverage.n_scored == 5
    other = asyncio.run(rescore(Suite(judged), store, whole.experiment, answer=Asked()))
    assert other.source == f"experiment {whole.experiment}"


def test_a_retry_makes_the_store_no_bigger(store: str) -> None:
    """`UKGovernmentBEIS/inspect_ai#3993`: what is done again takes the place of what was there."""
    failing = Suite(judged)
    for _ in range(4):
        evaluate_sync(failing, rows(5), store=store, answer=Asked("output"))
    with sqlite3.connect(store) as raw:
        assert raw.execute("SELECT count(*) FROM item").fetchone() == (5,)
        assert raw.execute("SELECT count(*) FROM score").fetchone() == (5,)
    raw.close()


def test_rows_come_back_as_they_were(store: str) -> None:
    """Every field that a row can hold."""
    given = {
        "id": "a",
        "input": {"q": ["x", 1.5, None]},
        "expected": ["y"],
        "context": ["c1", "c2"],
        "metadata": {"lang": "en"},
        "tags": ["t"],
        "group": "g",
        "request_context": {"tenant": "acme"},
    }
    (row,) = read_rows([given])
    assert isinstance(row, Row)
    taken = create_scorer("taken", input=dict[str, object], output=str).generate_score(pure(lambda _: 1.0))
    evaluate_sync(Suite(taken), [given], store=store, target=lambda _: "out")
    items: list[ItemRecord] = []
    asyncio.run(rescore(Suite(taken), store, on_item=items.append))
    assert items[0].row == row


def test_a_store_of_ones_own_stays_open(store: str) -> None:
    """It is given open, and the caller closes it."""
    with open_store(store) as opened:
        evaluate_sync(Suite(number), rows(0), store=opened)
        summary = asyncio.run(evaluate(Suite(words), rows(2), store=opened))
        assert sum(1 for _ in opened.items(summary.experiment)) == 2


def test_cancelled_it_keeps_what_was_paid(store: str) -> None:
    """Of an item whose second scorer still waits, the first one's answer is in the store."""
    other = create_scorer("other", input=str, output=str, judge=Judge("openai/gpt-4o-mini")).generate_score(
        score_prompt(lambda step: f"waits {step.run.output}")
    )

    async def main() -> None:
        waiting = asyncio.Event()
        paid = asyncio.Event()

        async def answer(request: JudgeRequest, /) -> JudgeReply:
            if "waits" in request.prompt:
                await paid.wait()
                waiting.set()
                await asyncio.Event().wait()
            paid.set()
            return JudgeReply(ok('{"score": 0.5}'))

        task = asyncio.create_task(evaluate(Suite(judged, other), rows(1), store=store, answer=answer))
        await waiting.wait()
        with open_store(store) as looking:
            while not _answers(store):  # noqa: ASYNC110 - the reply is durable before it goes on; only the file tells
                await asyncio.sleep(0)
            assert looking.experiments()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    judge = Asked()
    evaluate_sync(Suite(judged, other), rows(1), store=store, answer=judge)
    assert [prompt for prompt in judge.prompts if "waits" not in prompt] == []
    assert len(judge.prompts) == 1


def _answers(store: str) -> int:
    raw = sqlite3.connect(store)
    try:
        count: int = raw.execute("SELECT count(*) FROM call WHERE entry IS NOT NULL").fetchone()[0]
    finally:
        raw.close()
    return count


KILLED = """
import os, sys
from scorewright import Judge, create_scorer, score_prompt
from scorewright.suites import Suite, evaluate_sync

judge = Judge("fake", base_url=os.environ["JUDGE"])
judged = create_scorer("judged", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda step: f"How good is {step.run.output}?")
)
rows = [{"id": str(at), "input": "q", "output": f"<{at}>"} for at in range(60)]
summary = evaluate_sync(Suite(judged), rows, store=sys.argv[1], concurrency=4)
print(summary["judged"].mean)
"""


def test_a_killed_process_pays_again_only_for_what_was_under_way(tmp_path: Path, store: str) -> None:
    """A real signal, counted by the server: four questions are out, and one more may be answered and not recorded."""
    (tmp_path / "killed.py").write_text(KILLED)
    command = [sys.executable, "-W", "error", str(tmp_path / "killed.py"), store]
    processes: list[subprocess.Popen[str]] = []
    asked: list[str] = []

    def answer(body: Body, number: int) -> Answer:
        asked.append(str(body["messages"]))
        if len(asked) == 25:
            processes[0].send_signal(signal.SIGKILL)
        return said('{"score": 0.5}')

    with FakeOpenAI(answer) as server:
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "JUDGE": server.base_url}
        processes.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
        processes[0].communicate(timeout=60)
        assert processes[0].returncode == -signal.SIGKILL
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "0.5 (60/60 scored)\n"
    assert len({*asked}) == 60
    assert len(asked) <= 60 + 5


def test_a_path_is_the_same_however_it_is_spelled(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dot before it makes no other experiment, and asks no target again."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text('{"input": "a"}\n')
    suite = Suite(words)
    ran = [
        evaluate_sync(suite, rows, store=store, target=str.upper)
        for rows in ("rows.jsonl", "./rows.jsonl", Path("rows.jsonl"), ".//rows.jsonl")
    ]
    assert (len({each.experiment for each in ran}), [each.n_before for each in ran]) == (1, [0, 1, 1, 1])


def test_rows_that_are_no_more_count_no_more(store: str) -> None:
    """In the summary of whoever evaluates; the store keeps what was paid for them."""
    given = [Row(id, id) for id in "abc"]
    suite = Suite(words)
    evaluate_sync(suite, given, store=store, target=str.upper)
    fewer = evaluate_sync(suite, [given[2], given[0]], store=store, target=str.upper)
    again = evaluate_sync(suite, given, store=store, target=str.upper)
    counted = [(each.n_items, each.n_before, each["words"].mean.coverage.n_scored) for each in (fewer, again)]
    assert counted == [(0, 2, 2), (0, 3, 3)]
