"""A scorer beside people: agreement, the best threshold, what a score means, what to correct."""

from __future__ import annotations

from scorewright.calibration.assessing import calibration
from scorewright.calibration.calibrated import Calibration, LabelledRow, Matrix, Pair
from scorewright.calibration.counting import Confusion
from scorewright.calibration.cutting import Cut, best_cut
from scorewright.calibration.people import People
from scorewright.calibration.reliability import Bin, Reliability, reliability
from scorewright.calibration.running import calibrate, calibrate_items, calibrate_sync
from scorewright.calibration.stored import calibrate_stored

__all__ = [
    "Bin",
    "Calibration",
    "Confusion",
    "Cut",
    "LabelledRow",
    "Matrix",
    "Pair",
    "People",
    "Reliability",
    "best_cut",
    "calibrate",
    "calibrate_items",
    "calibrate_stored",
    "calibrate_sync",
    "calibration",
    "reliability",
]
