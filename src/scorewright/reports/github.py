"""A report for GitHub Actions: the summary of a step, and annotations for what was missed."""

import os
import re

from scorewright.reports.markdown import markdown
from scorewright.reports.report import Report
from scorewright.reports.sentences import check, heading, verdict
from scorewright.reports.texts import brief, visible

MOST_BYTES = 1024 * 1024  # of the summary of one step; GitHub drops one that is larger
MOST_ANNOTATIONS = 10  # of one kind and one step; GitHub drops the rest
_MOST_TITLE = 100
_MOST_MESSAGE = 1_000
_CUT = "\n\n*The rest is left out: GitHub shows one MiB of a step's summary.*\n"
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def step_summary(report: Report, most: int = MOST_BYTES, /) -> str:
    """The report as Markdown, cut at the end of a line where GitHub would drop it."""
    whole = markdown(report)
    held = whole.encode()
    if len(held) <= most:
        return whole
    kept = held[: most - len(_CUT.encode())].decode(errors="ignore")
    return kept[: kept.rfind("\n")] + _CUT


def annotations(report: Report, /) -> tuple[str, ...]:
    """Workflow commands, one for each gate and threshold that is not met: missed ones first, ten at most."""
    missed = [each for each in report.checks if each.decision == "missed"]
    undecided = [each for each in report.checks if each.decision == "undecided"]
    told = [(f"{each.scorer}: {each.kind} {each.decision}", check(each)) for each in (*missed, *undecided)]
    if not told and report.verdict != "passed":
        told = [(report.name, f"{': '.join(verdict(report))} ({heading(report)})")]
    if len(told) > MOST_ANNOTATIONS:
        rest = len(told) - MOST_ANNOTATIONS + 1
        told = [*told[: MOST_ANNOTATIONS - 1], (report.name, f"{rest} more gates and thresholds are not met")]
    return tuple(
        f"::error title={_escaped(title, _MOST_TITLE, _PROPERTY)}::{_escaped(message, _MOST_MESSAGE, _DATA)}"
        for title, message in told
    )


def write_step_summary(report: Report, /) -> bool:
    """Add the summary to the file that GitHub names in `GITHUB_STEP_SUMMARY`; False where it names none."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return False
    with open(path, "ab") as file:  # noqa: PTH123 - appended in one write, as the runner wants it
        file.write(step_summary(report).encode())
    return True


def _escaped(text: str, most: int, table: dict[str, str]) -> str:
    held = brief(visible(text), most)
    return re.sub("|".join(map(re.escape, table)), lambda found: table[found[0]], held)
