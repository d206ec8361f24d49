"""What the commands end with."""

from __future__ import annotations

from typing import Final

from scorewright.suites.deciding import Verdict

FINE, GATE_FAILED, USAGE, INCONCLUSIVE, INCOMPLETE, INTERRUPTED = 0, 1, 2, 3, 4, 130
INTERRUPT: Final = "interrupted"  # why a run that was interrupted stopped

CODES: Final[dict[Verdict, int]] = {
    "passed": FINE,
    "scored": GATE_FAILED,
    "failed": GATE_FAILED,
    "inconclusive": INCONCLUSIVE,
    "incomplete": INCOMPLETE,
}
