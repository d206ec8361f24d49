"""What travels from a worker process: values as they are, and what cannot travel in its JSON form."""

from __future__ import annotations

from io import BytesIO
from pickle import HIGHEST_PROTOCOL, Pickler, loads
from typing import cast, final

import attrs
from returns.result import Success
from typing_extensions import override

from scorewright.core import Evaluation, ScoringFailure
from scorewright.results import err, ok
from scorewright.suites.records import ItemRecord, Judged
from scorewright.suites.targets import Answered
from scorewright.suites.written import plain


def sent(value: object, /) -> bytes | None:
    """The value in bytes that the other side can read; None where it cannot travel."""
    file = BytesIO()
    noting = _Noting(file, HIGHEST_PROTOCOL)
    try:
        noting.dump(value)
        if noting.foreign:
            loads(file.getvalue())  # noqa: S301 - written the line before
    except Exception:  # noqa: BLE001 - a user's class may raise anything when it is written, or read again
        return None
    return file.getvalue()


@final
class _Noting(Pickler):
    """A pickler that notes whether there is anything in it that may be written and not read: of a user's class."""

    foreign = False

    @override
    def reducer_override(self, given: object, /) -> str:
        """Leave everything as it is."""
        module = given.__module__ if isinstance(given, type) else type(given).__module__
        self.foreign = self.foreign or module.partition(".")[0] not in _OURS
        return cast("str", NotImplemented)  # it says: as without this method


_OURS = {"builtins", "returns", "scorewright"}


def portable(record: ItemRecord, /) -> ItemRecord:
    """The item, with every value that cannot travel as JSON holds it."""
    scores = tuple(attrs.evolve(each, result=_portable(each.result)) for each in record.scores)
    answered = record.answered
    if answered is not None:
        steps = {name: _carried(step) for name, step in answered.steps.items()}
        run = None if sent(answered.run) is None else answered.run
        answered = Answered(_carried(answered.output), steps, run, None, tuple(map(_carried, answered.turns)))
    return attrs.evolve(record, scores=scores, answered=answered)


def _carried(value: object) -> object:
    return value if sent(value) is not None else plain(value)


def _portable(result: Judged) -> Judged:
    if isinstance(result, Success):
        done = result.unwrap()
        return ok(Evaluation(done.names, _flat(done.trail), done.drawn_id, done.score, done.reason))
    failure = result.failure()
    return err(
        ScoringFailure[object](
            failure.names, _flat(failure.trail), failure.drawn_id,
            step=failure.step, cause=_carried(failure.cause), score=failure.score,
        )
    )  # fmt: skip


def _flat(trail: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(_carried(each) if at % 3 == 1 else each for at, each in enumerate(trail))
