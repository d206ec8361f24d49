"""What became of every run that was triggered, to the unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, final

import attrs

Fate: TypeAlias = Literal["sampled_out", "filtered", "dropped", "scored", "not_scorable", "failed"]
FATES: Final[tuple[Fate, ...]] = ("sampled_out", "filtered", "dropped", "scored", "not_scorable", "failed")


@final
@attrs.frozen
class Counts:
    """What became of the runs of one process, for one scorer or for all.

    Law: `triggered` is the sum of `sampled_out`, `filtered`, `dropped`, `scored`, `not_scorable`, `failed` and
    `pending`; and `stored` and `unstored` add up to `scored`, `not_scorable` and `failed`. `resumed` are those of the
    triggered that an earlier process left. `reasons` says more, as "dropped: the queue is full".
    """

    triggered: int = 0
    sampled_out: int = 0
    filtered: int = 0
    dropped: int = 0
    scored: int = 0
    not_scorable: int = 0
    failed: int = 0
    pending: int = 0
    stored: int = 0
    unstored: int = 0
    resumed: int = 0
    reasons: Mapping[str, int] = MappingProxyType({})

    @property
    def adds_up(self) -> bool:
        """Whether the law holds."""
        fates = self.sampled_out + self.filtered + self.dropped + self.finished + self.pending
        return self.triggered == fates and self.finished == self.stored + self.unstored

    @property
    def finished(self) -> int:
        """The runs that a scorer has seen."""
        return self.scored + self.not_scorable + self.failed

    def __str__(self) -> str:
        told = ", ".join(f"{getattr(self, name):,} {name.replace('_', ' ')}" for name in NUMBERS)
        more = "; ".join(f"{reason} ({count:,})" for reason, count in sorted(self.reasons.items()))
        return f"{told}; {more}" if more else told


NUMBERS: Final = tuple(field.name for field in attrs.fields(Counts) if field.name != "reasons")


@final
class Tally:
    """Counts that are still being counted. Whoever calls holds a lock."""

    __slots__ = ("numbers", "reasons")

    def __init__(self) -> None:
        self.numbers: dict[str, int] = dict.fromkeys(NUMBERS, 0)
        self.reasons: dict[str, int] = {}

    def add(self, *names: str) -> None:
        """Count one under each name."""
        for name in names:
            self.numbers[name] += 1

    def note(self, reason: str, /) -> None:
        """Count a reason."""
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


def counts_of(tallies: Iterable[Tally], /) -> Counts:
    """All together, as one value that does not change."""
    total = Tally()
    for tally in tallies:
        for name, number in tally.numbers.items():
            total.numbers[name] += number
        for reason, number in tally.reasons.items():
            total.reasons[reason] = total.reasons.get(reason, 0) + number
    return Counts(**total.numbers, reasons=MappingProxyType(total.reasons))
