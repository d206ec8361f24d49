"""Evaluations as tests: a test runs once for each row, its scores are recorded, and one gate is held against all.

The pytest plugin is loaded by pytest itself. Here is what tests import.
"""

from scorewright.testing.case import Case
from scorewright.testing.evaluated import Evaluated, evaluated
from scorewright.testing.score import Score

__all__ = ["Case", "Evaluated", "Score", "evaluated"]
