"""Scorers, and scorers that wait to be let go, for the tests of live scoring."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from scorewright import NotScorable, Scorer, create_scorer, err, ok, pure
from scorewright.core import Step
from scorewright.faults import Fault
from scorewright.live import Callback, Counts, Live, LiveScore

PATIENCE = 10.0  # seconds; nothing waits so long unless it is broken


def _number(step: Step[str, str, None, None]) -> object:
    said = step.run.output
    if said == "none":
        return err(NotScorable("it says none"))
    if said == "fail":
        raise ValueError("it says fail")
    return ok(float(said))


# the score is the output; "none" is not scorable, "fail" raises
number: Scorer[str, str, object, Fault] = create_scorer("number", input=str, output=str).generate_score(
    _number  # type: ignore[arg-type]  # several kinds of outcome
)
polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda s: "please" in s.run.output))
tone = create_scorer("tone", input=str, output=str).generate_score(pure(lambda _: 0.5))


def until(holds: Callable[[], object]) -> None:
    """Wait for what another thread brings about."""
    pause = Event()
    for _ in range(int(PATIENCE / 0.005)):
        if holds():
            return
        pause.wait(0.005)
    raise AssertionError("it never came about")


class Gate:
    """A scorer that begins, says so, and waits to be let go."""

    def __init__(self, id: str = "gated") -> None:
        self.begun = Event()
        self.open = Event()
        self.scorer = create_scorer(id, input=str, output=str).generate_score(pure(lambda _: self.wait()))

    def wait(self) -> float:
        """Wait, and give a score."""
        self.begun.set()
        assert self.open.wait(PATIENCE)
        return 1.0


class Seen:
    """A live with one callback, and all that it was given."""

    def __init__(self, **settings: object) -> None:
        self.scores: list[LiveScore] = []
        make: Callable[..., Live] = Live
        self.live = make(Callback(self.scores.append), metrics=False, **settings)

    def counts(self) -> Counts:
        """The counts when all is settled."""
        assert self.live.flush(PATIENCE)
        counts = self.live.counts()
        assert counts.adds_up
        return counts

    @property
    def values(self) -> list[float | None]:
        """The scores in the order in which they came."""
        self.counts()
        return [score.score for score in self.scores]
