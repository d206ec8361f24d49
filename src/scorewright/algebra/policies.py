"""What becomes of a composed scorer when some of its parts gave no score."""

from __future__ import annotations

from typing import final

import attrs
from typing_extensions import TypeVar

from scorewright.core.definition import expect_flag, expect_text, shown
from scorewright.core.evaluation import Evaluation
from scorewright.core.parts import Ended, PartsFailed, missing
from scorewright.faults import DefinitionError, NotScorable

E = TypeVar("E")


@final
@attrs.frozen
class Policy:
    """A rule with a name. A part that is left out counts for nothing, and the coverage says so."""

    name: str
    without_failed: bool
    without_not_scorable: bool

    def __attrs_post_init__(self) -> None:
        expect_text(self.name, "Policy(name, …)")
        expect_flag(self.without_failed, "Policy(…, without_failed=…)")
        expect_flag(self.without_not_scorable, "Policy(…, without_not_scorable=…)")

    def lost(self, labels: tuple[str, ...], ends: tuple[Ended[E], ...], /) -> PartsFailed[E] | NotScorable | None:
        """Why the whole has no score; None where it has one. It never has one when no part has."""
        lost = [end for end in ends if not isinstance(end, Evaluation)]
        if not lost or (len(lost) < len(ends) and all(map(self.allows, lost))):
            return None
        return missing(labels, ends)

    def allows(self, end: Ended[E], /) -> bool:
        """Whether the whole may have a score with this part as it ended."""
        if isinstance(end, Evaluation):
            return True
        return self.without_not_scorable if isinstance(end.cause, NotScorable) else self.without_failed


strict: Policy = Policy("strict", without_failed=False, without_not_scorable=False)
"""Every part is needed: one that failed fails the whole, with all that gave no score; else it is not scorable."""

renormalise: Policy = Policy("renormalise", without_failed=True, without_not_scorable=True)
"""The whole is made of the parts that were scored, their weights brought to one again."""

scorable_only: Policy = Policy("scorable_only", without_failed=False, without_not_scorable=True)
"""Parts that are not scorable are left out as by `renormalise`; one that failed fails the whole as by `strict`."""


def made_with(policy: Policy, /, *said: str) -> str:
    """What a combination was made with, as its step tells it: a policy only where it is another than `strict`."""
    return "; ".join([*filter(None, said), *([] if policy == strict else [policy.name])])


def expect_policy(given: object, call: str, /) -> None:
    """Raise unless it is a policy."""
    if not isinstance(given, Policy):
        raise DefinitionError(
            f"{call}(…, policy=…) takes strict, renormalise, scorable_only or a Policy, the values of "
            f"scorewright.algebra and not their names: not {shown(given)}"
        )


@final
@attrs.frozen
class Coverage:
    """How many parts a score is made of, and how many it lacks."""

    n_scored: int
    n_not_scorable: int
    n_failed: int

    @property
    def is_full(self) -> bool:
        """Whether every part was scored."""
        return not (self.n_not_scorable or self.n_failed)


def coverage_of(ends: tuple[Ended[E], ...], /) -> Coverage:
    """The count of the parts."""
    lost = [end for end in ends if not isinstance(end, Evaluation)]
    if not lost:
        return Coverage(len(ends), 0, 0)
    unscorable = sum(isinstance(end.cause, NotScorable) for end in lost)
    return Coverage(len(ends) - len(lost), unscorable, len(lost) - unscorable)
