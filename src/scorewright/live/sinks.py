"""Where scores go: a function, a file, a store."""

from __future__ import annotations

import inspect
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias, final

from scorewright.core import Answer, Scorers, ScoringFailure
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_flag, expect_function, shown
from scorewright.faults import DefinitionError
from scorewright.live.jobs import Job, LiveRun, LiveScore, Origin
from scorewright.wording import describe


class Sink(ABC):
    """Takes scores, on one thread of the worker's and never on the caller's; so it may take its time.

    `keep` returns when the scores are kept, and raises when none of them is; then they are counted as unstored.
    """

    at_once: int = 256  # so many scores `keep` is given at most

    @abstractmethod
    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Keep these."""

    def flush(self) -> None:
        """See to it that all that was kept has arrived."""
        return


Left: TypeAlias = tuple[SomeScorer, LiveRun, Origin, Exception | None]  # with what is wrong with it, if anything is


class HandsOver(Sink):
    """A sink that can also keep runs until they are scored."""

    hands_over: bool  # whether it does

    @abstractmethod
    def hand_over(self, jobs: Sequence[Job], /) -> None:
        """Keep runs that are still to be scored."""

    @abstractmethod
    def answering(self, answer: Answer, /) -> Answer:
        """Who answers the judges' questions, so that what was paid for is not lost either."""

    @abstractmethod
    def left(self, scorers: Scorers, /) -> Iterator[Left]:
        """The runs that were handed over and not scored, for those scorers that are given."""


@final
class Callback(Sink):
    """Hands each score to a function. Where it raises, that score is unstored."""

    at_once = 1

    def __init__(self, f: Callable[[LiveScore], object], /) -> None:
        expect_function(f, "Callback(…)", "lambda score: print(score.score)")
        if inspect.iscoroutinefunction(f):
            raise DefinitionError("Callback(…) takes a plain function: it is called on a thread without a loop")
        self._f = f

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Call the function with each."""
        for score in scores:
            self._f(score)


@final
class JsonLines(Sink):
    """Adds a line a score to a file, which several processes may share: a group of lines is one write at its end.

    Without `content` the lines hold ids, score, reason and the kind of a fault, and nothing of what was said but what
    the reason quotes; with it also input, output, context, metadata, steps and prompts.
    """

    def __init__(self, path: str | os.PathLike[str], /, *, content: bool = False) -> None:
        expect_flag(content, "JsonLines(path, content=…)")
        if not _is_path(path):
            raise DefinitionError(f'JsonLines(…) takes a path, such as "scores.jsonl", not {shown(path)}')
        self._path = Path(path)
        self._content = content

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Append; a file that cannot be written raises `OSError`."""
        lines = "".join(f"{_line(score, self._content)}\n" for score in scores)
        with self._path.open("ab", buffering=0) as file:
            written = lines.encode("utf-8", "backslashreplace")
            if file.write(written) != len(written):
                raise OSError(f"{self._path} took a part of the lines only")


def _line(score: LiveScore, content: bool) -> str:
    if not content:
        return json.dumps(form_of(score), ensure_ascii=False)
    from scorewright.suites.written import as_json, score_form

    run, found = score.run, score.found
    form: dict[str, object] = {
        **form_of(score),
        "why": describe(found.cause) if isinstance(found, ScoringFailure) else None,
        "input": run.input,
        "output": run.output,
        "request_context": dict(run.request_context),
        "metadata": dict(run.metadata),
        "record": score_form(found),
    }
    return as_json(form)


def form_of(score: LiveScore, /) -> dict[str, object]:
    """A score as files hold it, without what was said."""
    origin, run = score.origin, score.run
    return {
        "scorer": score.scorer,
        "scorer_hash": score.scorer_hash,
        "run_id": run.run_id,
        "trace_id": origin.trace_id or None,
        "span_id": origin.span_id or None,
        "step": origin.step or None,
        "ended": _moment(origin.ended),
        "state": score.state,
        "score": score.score,
        "reason": score.reason,
        "fault": fault_kind(score),
    }


def fault_kind(score: LiveScore, /) -> str | None:
    """The kind of what went wrong; its message may quote what was said, and is no part of it."""
    if score.state != "failed" or not isinstance(score.found, ScoringFailure):
        return None
    cause = score.found.cause
    raised: object = getattr(cause, "raised", None)
    kind: object = getattr(raised, "kind", None)
    return kind if isinstance(kind, str) else type(cause).__name__


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _is_path(given: object) -> bool:
    return isinstance(given, (str, os.PathLike))
