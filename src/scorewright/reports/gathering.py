"""Scores and rows on their way into a report: numbers in columns, texts cut, and only the worst rows kept whole."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from hashlib import blake2b
from sys import intern
from typing import final

import attrs
from typing_extensions import TypeVar

from scorewright.judges.usage import Spent
from scorewright.reports.asked import Asked
from scorewright.reports.report import FAILED, NOT_SCORABLE, SCORED, Better, Case, Failure, Line, Outcomes, Unscored
from scorewright.reports.texts import brief, case_of, cut, group_of, tags_of, told
from scorewright.suites.spending import NOTHING_SPENT, added
from scorewright.suites.written import as_json

K = TypeVar("K")
MOST_LINES = 20_000  # rows that a table shows
MOST_CASES = 200  # rows that are kept whole, over all scorers
WORST = 8  # of each scorer, at most
FIRST = 3
TARGET = "target"
_MOST_KINDS = 200
_MOST_TOLD = 300
_MOST_REASON = 4_000
_OTHERS = "others, of more kinds than are kept apart"


@final
@attrs.frozen(order=True)
class Low:
    """A score far from the good end: how far, its place, and its reason."""

    rank: float
    at: int
    reason: str = attrs.field(order=False)


@final
@attrs.define
class Lows:
    """The worst scores so far; of equals the first."""

    better: Better
    best: float | None
    most: int
    held: list[Low] = attrs.field(factory=list[Low])

    def add(self, score: float, at: int, reason: str, /) -> None:
        """Keep it when it is among the worst."""
        rank = score if self.better == "higher" else -score
        if score == self.best or (len(self.held) == self.most and rank >= self.held[-1].rank):
            return
        insort(self.held, Low(rank, at, cut(reason, _MOST_REASON)))
        del self.held[self.most :]


@final
@attrs.define
class _Alike:
    count: int = 0
    first: list[str] = attrs.field(factory=list[str])


@final
class Gathering:
    """All scores are told first, then the rows; what is kept of them is bounded but for some ten bytes a score."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.outcomes: dict[str, Outcomes] = {}
        self.lows: dict[str, Lows] = {}
        self.numbers: dict[str, int] = {}
        self.tags: dict[int, tuple[str, ...]] = {}
        self.groups: dict[int, str] = {}
        self.questions: dict[int, int] = {}
        self.lines: list[Line] = []
        self.order: list[int] = []  # the numbers of rows, as the rows came
        self.cases: dict[int, Case] = {}
        self.n_target_failed: int = 0
        self.n_waiting: int = 0
        self.spent: Spent = NOTHING_SPENT
        self._whole: set[int] | None = None
        self._known_tags: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._failures: dict[tuple[str, str, str, str], _Alike] = {}
        self._unscored: dict[tuple[str, str], _Alike] = {}
        for id in asked.scorers:
            self._begin(id)

    def scored(self, row: str, scorer: str, turn: int, score: float, reason: str | None, /) -> None:
        """A score."""
        number = self._number(row)
        at = self._outcomes(scorer).add(number, turn, SCORED, score, _told(number, reason))
        self.lows[scorer].add(score, at, reason or "")

    def not_scorable(self, row: str, scorer: str, turn: int, reason: str, /) -> None:
        """That a row does not hold what a scorer judges."""
        number = self._number(row)
        self._outcomes(scorer).add(number, turn, NOT_SCORABLE, None, _told(number, reason))
        _count(self._unscored, (scorer, brief(reason, _MOST_TOLD)), (scorer, _OTHERS), row)

    def failed(self, row: str, scorer: str, turn: int, step: str, kind: str, message: str, /) -> None:  # noqa: PLR0917 - a failure's fields, in their order
        """That a scorer failed on a row."""
        number = self._number(row)
        self._outcomes(scorer).add(number, turn, FAILED, None, _told(number, f"{kind}: {message}"))
        key = (scorer, step, kind, brief(message, _MOST_TOLD))
        _count(self._failures, key, (scorer, "", kind, _OTHERS), row)

    def took(self, spent: Spent, /) -> None:
        """What one of them cost."""
        self.spent = added(self.spent, spent)

    def item(self, row: str, form: Mapping[str, object], output: object, fault: tuple[str, str] | None, /) -> None:
        """A row, what the target answered, and the kind and message of its fault where it failed."""
        if self._whole is None:
            self._whole = {self.outcomes[id].rows[low.at] for id, lows in self.lows.items() for low in lows.held}
        if row not in self.numbers and fault is None and self.outcomes:
            self.n_waiting += 1
        number = self._number(row)
        self.order.append(number)
        self.questions[number] = question_of(form)
        tags = tags_of(form) if form.get("tags") else ()
        if tags:
            tags = self.tags[number] = self._known_tags.setdefault(tags, tags)
        group = group_of(form)
        if group:
            group = self.groups[number] = intern(group)
        if fault is not None:
            self._target_failed(row, number, *fault)
        why = "" if fault is None else f"{fault[0]}: {fault[1]}"
        if len(self.lines) < MOST_LINES:
            given, answered, expected = map(_short, (form.get("input"), output, form.get("expected")))
            self.lines.append(Line(row, given, answered, expected, tags, group, _short(why)))
        if number in self._whole:
            self.cases[number] = case_of(row, form, output, why)

    def settle(self) -> None:
        """Number the rows anew, as they came: until then they are numbered as scores named them."""
        order = [*dict.fromkeys(self.order), *(each for each in self.numbers.values() if each not in self.questions)]
        if order == [*range(len(order))]:
            return
        place = {number: at for at, number in enumerate(order)}
        ids = [*self.numbers]
        self.numbers = {ids[number]: at for at, number in enumerate(order)}
        self.tags = {place[number]: held for number, held in self.tags.items()}
        self.groups = {place[number]: held for number, held in self.groups.items()}
        self.questions = {place[number]: held for number, held in self.questions.items()}
        self.cases = {place[number]: held for number, held in self.cases.items()}
        for outcomes in self.outcomes.values():
            for at, row in enumerate(outcomes.rows):
                outcomes.rows[at] = place[row]

    @property
    def failures(self) -> tuple[Failure, ...]:
        """By how often they happened."""
        alike = sorted(self._failures.items(), key=lambda each: -each[1].count)
        return tuple(Failure(*key, each.count, tuple(each.first)) for key, each in alike)

    @property
    def unscored(self) -> tuple[Unscored, ...]:
        """By how often they happened."""
        alike = sorted(self._unscored.items(), key=lambda each: -each[1].count)
        return tuple(Unscored(*key, each.count, tuple(each.first)) for key, each in alike)

    def _target_failed(self, row: str, number: int, kind: str, message: str) -> None:
        self.n_target_failed += 1
        for outcomes in self.outcomes.values():
            outcomes.add(number, 0, FAILED, None, _told(number, f"{TARGET}: {kind}"))
        _count(self._failures, ("", TARGET, kind, brief(message, _MOST_TOLD)), ("", TARGET, kind, _OTHERS), row)

    def _number(self, row: str) -> int:
        return self.numbers.setdefault(row, len(self.numbers))

    def _outcomes(self, scorer: str) -> Outcomes:
        found = self.outcomes.get(scorer)
        return self._begin(scorer) if found is None else found

    def _begin(self, scorer: str) -> Outcomes:
        self.outcomes[scorer] = Outcomes()
        known = self.asked.scorers.get(scorer)
        better = self.asked.better(scorer) or "higher"
        scale = None if known is None else known.scale
        best = None if scale is None else scale.high if better == "higher" else scale.low
        share = MOST_CASES // max(len(self.asked.scorers), 1)
        self.lows[scorer] = Lows(better, best, max(1, min(WORST, share)))
        return self.outcomes[scorer]


def question_of(form: Mapping[str, object], /) -> int:
    """A number of what a row asks, whatever was answered: two runs can be compared where it is the same."""
    get = form.get
    given, expected, context, about = get("input"), get("expected"), get("context"), get("request_context")
    if isinstance(given, str) and expected is context is about is None:  # the short way, for most rows
        asked = given
    else:
        asked = as_json([given, expected, context, about])
    return int.from_bytes(blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _short(value: object) -> str:
    return brief(told(value), _MOST_TOLD)


def _told(number: int, reason: str | None) -> str:
    return brief(reason, _MOST_TOLD) if reason and number < MOST_LINES else ""


def _count(held: dict[K, _Alike], key: K, others: K, row: str) -> None:
    each = held.get(key)
    if each is None:
        each = held.setdefault(key if len(held) < _MOST_KINDS else others, _Alike())
    each.count += 1
    if len(each.first) < FIRST:
        each.first.append(row)
