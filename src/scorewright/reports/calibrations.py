"""A calibration that shows itself, in a notebook and on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import attrs

from scorewright.reports.calibrated_texts import renderable
from scorewright.reports.html.calibrating import calibration_fragment

if TYPE_CHECKING:
    from rich.console import RenderableType

    from scorewright.calibration import Calibration


@final
@attrs.frozen
class CalibrationReport:
    """A calibration, and what its rows are called."""

    calibration: Calibration
    source: str = ""

    def _repr_html_(self) -> str:
        return calibration_fragment(self.calibration, self.source)

    def __rich__(self) -> RenderableType:
        return renderable(self.calibration)
