"""Reports: what an evaluation came to, as a page, a table, a file for other programs; and two of them compared."""

from scorewright.reports.as_json import json_schema, json_text, to_json
from scorewright.reports.building import report_of, report_of_items
from scorewright.reports.calibrated_json import calibration_json, calibration_schema, calibration_text
from scorewright.reports.calibrated_texts import calibration_markdown
from scorewright.reports.compared import comparison_json, comparison_markdown
from scorewright.reports.comparing import compare_reports
from scorewright.reports.comparison import Changed, NotComparable, RunComparison, ScorerComparison
from scorewright.reports.github import annotations, step_summary, write_step_summary
from scorewright.reports.html import (
    calibration_fragment,
    calibration_page,
    comparison_fragment,
    comparison_page,
    fragment,
    page,
)
from scorewright.reports.junit import junit
from scorewright.reports.markdown import markdown
from scorewright.reports.report import (
    Case,
    Check,
    Failure,
    Figure,
    Histogram,
    Line,
    Outcomes,
    Report,
    Said,
    ScorerReport,
    Slice,
    Unscored,
    Worst,
)
from scorewright.reports.shown import CalibrationReport
from scorewright.reports.writing import (
    CALIBRATION_WRITERS,
    COMPARISON_WRITERS,
    WRITERS,
    write_calibration,
    write_comparison,
    write_report,
)

__all__ = [
    "CALIBRATION_WRITERS",
    "COMPARISON_WRITERS",
    "WRITERS",
    "CalibrationReport",
    "Case",
    "Changed",
    "Check",
    "Failure",
    "Figure",
    "Histogram",
    "Line",
    "NotComparable",
    "Outcomes",
    "Report",
    "RunComparison",
    "Said",
    "ScorerComparison",
    "ScorerReport",
    "Slice",
    "Unscored",
    "Worst",
    "annotations",
    "calibration_fragment",
    "calibration_json",
    "calibration_markdown",
    "calibration_page",
    "calibration_schema",
    "calibration_text",
    "compare_reports",
    "comparison_fragment",
    "comparison_json",
    "comparison_markdown",
    "comparison_page",
    "fragment",
    "json_schema",
    "json_text",
    "junit",
    "markdown",
    "page",
    "report_of",
    "report_of_items",
    "step_summary",
    "to_json",
    "write_calibration",
    "write_comparison",
    "write_report",
    "write_step_summary",
]
