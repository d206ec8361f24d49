"""Scores in the store of the suites, and runs that wait there so that a restarted process scores what was sampled."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import cast, final

from returns.result import Success
from typing_extensions import TypeForm, override

from scorewright.core import Answer, Run, Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_flag, shown
from scorewright.faults import DefinitionError, InvalidRun
from scorewright.live.jobs import Job, LiveRun, LiveScore, Origin, Unreadable, row_id_of
from scorewright.live.sinks import HandsOver, Left
from scorewright.shapes import structure
from scorewright.shapes.values import is_list, object_of
from scorewright.suites.journal import Experiment, State, Store, StoredItem, StoredScore
from scorewright.suites.written import as_json, plain, score_form

_LAST = 2**31 - 1  # that every database holds


def position_at(ended: float, /) -> int:
    """The place of a live run in its store: the second in which it ended. There is an index of places."""
    return max(0, min(int(ended), _LAST))


@final
class InStore(HandsOver):
    """Keeps scores in a store, as an experiment that is called "live" unless it is given another name.

    A score that comes twice (the same run, step, scorer and version of it) is one. `content` is as in `JsonLines`. With
    `hand_over` every run that was sampled is in the store, content and all, until it is scored: `Live.resume` scores
    what a process that ended before left. Then judges are asked through the store's journal, so that no answer is
    paid for twice; a judge needs an identity for that.
    """

    def __init__(self, store: Store, /, *, name: str = "live", content: bool = False, hand_over: bool = False) -> None:
        expect_flag(content, "InStore(store, content=…)")
        expect_flag(hand_over, "InStore(store, hand_over=…)")
        if not _is_store(store):
            raise DefinitionError(f'InStore(…) takes an open store, open_store("runs.db"), not {shown(store)}')
        self.store: Store = store
        self.name: str = name
        self.hands_over: bool = hand_over
        self._content = content or hand_over
        self._begun = False

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Write and commit; what cannot be written raises `StoreError`."""
        self._begin()
        items = [] if self.hands_over else [self._item(score.run, score.origin, ()) for score in scores]
        self.store.add(items, [self._score(score) for score in scores])
        self.store.flush()

    @override
    def flush(self) -> None:
        """Wait until all is committed."""
        self.store.flush()

    def hand_over(self, jobs: Sequence[Job], /) -> None:
        """Write and commit runs that are still to be scored, with the ids of their scorers."""
        self._begin()
        together: dict[str, list[Job]] = {}
        for job in jobs:
            together.setdefault(row_id_of(job.run, job.origin), []).append(job)
        self.store.add(
            [self._item(each[0].run, each[0].origin, [job.attached.id for job in each]) for each in together.values()]
        )
        self.store.flush()

    def answering(self, answer: Answer, /) -> Answer:
        """Who answers: the journal where runs are handed over."""
        return self.store.answering(answer) if self.hands_over else answer

    def left(self, scorers: Scorers, /) -> Iterator[Left]:
        """The runs that were handed over and not scored, for those scorers that are given."""
        self._begin()
        done = {(each.row_id, each.scorer) for each in self.store.finished(self.name)}
        for item in self.store.items(self.name):
            row = object_of(json.loads(item.row))
            due = row.get("due")
            for id in due if is_list(due) else []:
                scorer = scorers.get(str(id))
                if scorer is not None and (item.row_id, scorer.about.id) not in done:
                    yield (scorer, *_read(item, row, scorer))

    def _begin(self) -> None:
        if not self._begun:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            self.store.begin(Experiment(self.name, self.name, '{"live":true}', now))
            self._begun = True

    def _item(self, run: LiveRun, origin: Origin, due: Sequence[str]) -> StoredItem:
        form: dict[str, object] = {"id": run.run_id, "trace_id": origin.trace_id, "span_id": origin.span_id}
        form |= {"step": origin.step, "ended": origin.ended}
        if self._content:
            form |= {"input": plain(run.input), "request_context": dict(run.request_context)}
            form |= {"metadata": dict(run.metadata), "due": list(due)}
        output = as_json(plain(run.output)) if self._content else None
        return StoredItem(self.name, row_id_of(run, origin), position_at(origin.ended), as_json(form), output)

    def _score(self, score: LiveScore) -> StoredScore:
        form: dict[str, object] = score_form(score.found) if self._content else {"steps": []}
        return StoredScore(
            self.name,
            score.row_id,
            score.scorer,
            score.scorer_hash,
            cast("State", score.state),  # a score that is kept is of one of the three
            score.score,
            score.reason,
            as_json(form),
        )


def _read(item: StoredItem, row: dict[str, object], scorer: SomeScorer) -> tuple[LiveRun, Origin, Exception | None]:
    """A stored run in the types of its scorer; where it does not fit them, as it is, with what is wrong."""
    wrong: list[Exception] = []

    def structured(name: str, value: object, form: object) -> object:
        read = structure(value, cast("TypeForm[object]", form))  # a scorer tells its types as objects
        if isinstance(read, Success):
            return read.unwrap()
        misfit = read.failure()
        wrong.append(Unreadable(InvalidRun(f"{name}{misfit.path.removeprefix('$')}", misfit.why)))
        return value

    run = Run(
        structured("input", row.get("input"), scorer.about.input),
        structured("output", json.loads(item.output or "null"), scorer.about.output),
        run_id=str(row["id"]),
        request_context=object_of(row.get("request_context")),
        metadata=object_of(row.get("metadata")),
    )
    ended = row.get("ended")
    trace_id, span_id, step = (str(row.get(name) or "") for name in ("trace_id", "span_id", "step"))
    origin = Origin(trace_id, span_id, step, float(ended) if isinstance(ended, (int, float)) else 0.0)
    return run, origin, wrong[0] if wrong else None


def _is_store(given: object) -> bool:
    return isinstance(given, Store)
