"""Live scores on their way to a target, as a sink."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from scorewright.core.definition import expect_flag, shown
from scorewright.faults import DefinitionError
from scorewright.live.exporting.exporting import export_scores_sync
from scorewright.live.exporting.line import Patience
from scorewright.live.exporting.reading import live_score
from scorewright.live.exporting.target import Target, is_target
from scorewright.live.jobs import LiveScore
from scorewright.live.sinks import Sink


class Unexported(Exception):
    """Scores that did not arrive at a target; the message says how many, and why the first one did not."""


@final
class ExportTo(Sink):
    """Sends live scores to a target, such as `Live(ExportTo(Langfuse()))`.

    A reason goes along only where `content` is True: it may quote what was said. A group of which any score did not
    arrive is counted as unstored; those that did are there all the same. Scores without a trace have no place.
    """

    def __init__(
        self, target: Target, /, *, name: str = "live", content: bool = False, patience: Patience | None = None
    ) -> None:
        expect_flag(content, "ExportTo(target, content=…)")
        if not is_target(target):
            raise DefinitionError(f"ExportTo(…) takes a target, such as Phoenix(), not {shown(target)}")
        self._target = target
        self._name = name
        self._content = content
        self._patience = patience

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Send them; where one does not arrive it raises `Unexported`."""
        made = [live_score(score, self._name, reasons=self._content) for score in scores]
        exported = export_scores_sync(made, self._target, patience=self._patience)
        lost = (*exported.failed, *exported.skipped)
        if lost:
            raise Unexported(f"{len(lost)} of {len(scores)} scores did not arrive at {exported.target}: {lost[0].why}")
