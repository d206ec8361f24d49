"""Pages that open from a file: everything in them, nothing fetched, every text of others only text."""

from scorewright.reports.html.calibrating import calibration_fragment, calibration_page
from scorewright.reports.html.comparing import comparison_fragment, comparison_page
from scorewright.reports.html.page import fragment, page

__all__ = [
    "calibration_fragment",
    "calibration_page",
    "comparison_fragment",
    "comparison_page",
    "fragment",
    "page",
]
