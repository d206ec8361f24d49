"""Scorers by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Never, TypeAlias, final

import attrs

from scorewright.core.run import record
from scorewright.core.scorer import Scorer
from scorewright.faults import DefinitionError

SomeScorer: TypeAlias = Scorer[Never, Never, Never, object]  # of whatever types: who runs it makes runs that fit


@final
@record
class Scorers:
    """A collection of scorers with different ids, in order, that does not change.

    `scorers["polite"]` and `scorers.get("polite")` look one up; `one | other` is both. What has no id of its own, or
    one that is taken, raises `DefinitionError`. Laws: `|` is associative, and `Scorers()` is its unit.

    >>> from scorewright import create_scorer, pure
    >>> short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) < 20))
    >>> Scorers(short).ids
    ('short',)
    """

    all: tuple[SomeScorer, ...]
    by_id: Mapping[str, SomeScorer] = attrs.field(eq=False, repr=False)

    def __init__(self, *scorers: SomeScorer) -> None:
        by_id: dict[str, SomeScorer] = {}
        for scorer in scorers:
            id = _id_of(scorer)
            if id in by_id:
                raise DefinitionError(f"two scorers have the id {id!r}: give one another with .named(…)")
            by_id[id] = scorer
        object.__setattr__(self, "all", scorers)
        object.__setattr__(self, "by_id", by_id)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(self.by_id)

    def get(self, id: str, /) -> SomeScorer | None:
        """The scorer of this id; None where there is none."""
        return self.by_id.get(id)

    def __getitem__(self, id: str, /) -> SomeScorer:
        return self.by_id[id]

    def __contains__(self, id: object, /) -> bool:
        return id in self.by_id

    def __iter__(self) -> Iterator[SomeScorer]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __or__(self, other: Scorers, /) -> Scorers:
        return Scorers(*self.all, *other.all)


def _id_of(given: object) -> str:
    if isinstance(given, Scorer):
        return given.about.id
    raise DefinitionError(f"Scorers(…) takes scorers, not {type(given).__name__}; a list is given as Scorers(*listed)")
