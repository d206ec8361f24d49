"""Batches of scores as one request each: cut by size, and halved where a server refuses a batch without saying whom."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import TypeAlias, final

import attrs
from typing_extensions import override

from scorewright.live.exporting.line import Line, Patience, Reply, Trouble, body_of
from scorewright.live.exporting.scores import Score
from scorewright.live.exporting.target import Delivery, OverLine, Refused, Target

Form: TypeAlias = Mapping[str, object]
_ENOUGH = 20
_OURS = frozenset({400, 409, 422})  # something in the batch is at fault, or there is too much of it


@final
@attrs.frozen
class Batch:
    """Scores that go in one request, with their JSON."""

    scores: tuple[Score, ...]
    forms: tuple[bytes, ...]

    def halves(self) -> tuple[Batch, Batch]:
        """The first and the second half."""
        middle = len(self.scores) // 2
        return Batch(self.scores[:middle], self.forms[:middle]), Batch(self.scores[middle:], self.forms[middle:])

    def without(self, ids: Refused, /) -> Batch:
        """The same without some."""
        kept = [at for at, score in enumerate(self.scores) if score.id not in ids]
        return Batch(tuple(self.scores[at] for at in kept), tuple(self.forms[at] for at in kept))


class PostingTarget(Target):
    """A target that takes a list of scores in one request, and replaces those that it has."""

    most_bytes: int = 900_000

    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """The headers that vouch for a request."""

    @abstractmethod
    def secrets(self) -> tuple[str, ...]:
        """What is taken out of everything that a server says."""

    @abstractmethod
    def root(self) -> str:
        """The base URL."""

    @abstractmethod
    def path(self, score: Score, /) -> str:
        """Where a score is posted to; those of one path go together."""

    @abstractmethod
    def form(self, score: Score, /) -> Form:
        """A score as the server takes it."""

    @abstractmethod
    def wrapped(self, forms: bytes, /) -> bytes:
        """The body of a request; `forms` are joined by commas."""

    def refused(self, reply: Reply, batch: Batch, /) -> Refused | None:
        """Who was refused by a batch that was taken; None where some were and nobody knows whom."""
        del reply, batch
        return {}

    def blamed(self, reply: Reply, batch: Batch, /) -> Refused:
        """Whom a server names that refused the whole batch, where it names anybody."""
        del reply, batch
        return {}

    def open(self, patience: Patience, /) -> Delivery:
        """A way to the server."""
        return _Posting(self, Line(self.root(), self.headers(), self.secrets(), patience))


@final
class _Posting(OverLine):
    def __init__(self, target: PostingTarget, line: Line) -> None:
        super().__init__(line)
        self._target = target
        self._most = target.most_bytes
        self._refused_alone = 0  # until the first is taken: a server that refuses everything is not asked about each

    @override
    async def send(self, batch: Sequence[Score], /) -> Refused:
        target = self._target
        paths: dict[str, list[Score]] = {}
        for score in batch:
            paths.setdefault(target.path(score), []).append(score)
        refused: dict[str, str] = {}
        for path, scores in paths.items():
            for each in cut(scores, lambda score: body_of(target.form(score)), self._most):
                refused |= await self._post(path, each)
        return refused

    async def _post(self, path: str, batch: Batch) -> Refused:
        """Send it; where somebody in it is at fault, send halves until it is known who: each replaces itself."""
        refused: dict[str, str] = {}
        waiting = [batch]
        while waiting:
            each = waiting.pop()
            if not each.scores:
                continue
            heard = await self._line.call("POST", path, self._target.wrapped(b",".join(each.forms)))
            if isinstance(heard, Trouble):
                refused |= {score.id: heard.why for score in each.scores}
                continue
            found = self._found(heard, each)
            if found is None:
                waiting.extend(reversed(each.halves()))
            else:
                refused |= found
                if found and not heard.is_fine:
                    waiting.append(each.without(found))
        return refused

    def _found(self, reply: Reply, batch: Batch) -> Refused | None:
        """Who did not go; None where halves are to be sent."""
        if reply.is_fine:
            found = self._target.refused(reply, batch)
            self._refused_alone = self._refused_alone if found is None or len(found) == len(batch.scores) else -1
        elif reply.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            found = None
            if len(batch.scores) > 1:
                self._most = min(self._most, sum(map(len, batch.forms)) // 2 + 1)  # of batches to come
        else:
            named = self._target.blamed(reply, batch)
            all_of_them = {score.id: reply.why for score in batch.scores}
            found = named or (None if reply.status in _OURS else all_of_them)
        if found is not None:
            return found
        if len(batch.scores) == 1 and self._refused_alone >= 0:
            self._refused_alone += 1
        is_hopeless = self._refused_alone >= _ENOUGH or len(batch.scores) == 1
        return {score.id: reply.why for score in batch.scores} if is_hopeless else None


def cut(scores: Sequence[Score], form: Callable[[Score], bytes], most: int, /) -> Iterator[Batch]:
    """Batches of at most so many bytes; one score that is longer goes alone."""
    held: list[tuple[Score, bytes]] = []
    size = 0
    for score in scores:
        said = form(score)
        if held and size + len(said) + 1 > most:
            yield _batch(held)
            held.clear()
            size = 0
        held.append((score, said))
        size += len(said) + 1
    if held:
        yield _batch(held)


def _batch(held: Sequence[tuple[Score, bytes]]) -> Batch:
    return Batch(tuple(score for score, _ in held), tuple(said for _, said in held))
