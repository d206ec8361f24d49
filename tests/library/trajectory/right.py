"""The right values of golden rows that show a defect: why, and a value that owes nothing to our code.

They are worked out from what the row itself holds, or by hand, keyed by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations

import attrs
from golden_rows import Json, Row, items, mapping

REFUSED = None  # the definition is refused, or the run has no score
WEIGHTS = {"accuracy": 0.4, "efficiency": 0.3, "toolFailures": 0.2, "blacklist": 0.1}


@attrs.frozen
class Reason:
    """Why ours differs, and the right score."""

    why: str
    right: Callable[[Row], float | None]


def by_hand(values: Mapping[int, float | None]) -> Callable[[Row], float | None]:
    return lambda row: values[row.line]


def always(value: float | None) -> Callable[[Row], float | None]:
    return lambda _: value


def names(given: object) -> list[str]:
    return [str(mapping(each)["name"]) for each in items(given)]


def sides(row: Row) -> tuple[list[str], list[str]]:
    """The names that were expected, and those of the run."""
    return names(row.options["expectedTrajectory"]), names(mapping(row["output"])["steps"])


def common(expected: list[str], found: list[str]) -> int:
    """The length of the longest common subsequence, by trying all."""
    for size in range(len(expected), 0, -1):
        tried = (list(each) for each in combinations(expected, size))
        if any(each in (list(other) for other in combinations(found, size)) for each in tried):
            return size
    return 0


def repeated(row: Row) -> float:
    """All that was expected was found in these rows: the whole, less the steps too many, less each real repetition."""
    expected, found = sides(row)
    strict = mapping(row.options["comparisonOptions"])["ordering"] == "strict"
    over = max(0, len(found) - len(expected)) if strict else 0
    wanted = Counter(expected)
    again = [name for name, times in Counter(found).items() if times > max(1, wanted[name])]
    return max(0.0, 1 - 0.5 * over / len(expected) - 0.1 * len(again))


def without_failures(row: Row) -> float:
    """The weighted mean of the row's own dimensions, retries left out."""
    held = mapping(row["extra"])
    weights: Json = {**WEIGHTS, **mapping(row.options.get("weights"))}
    active = [name for name in ("accuracy", "efficiency", "blacklist") if name in held]
    weighed = {name: max(0.0, float(str(weights[name]))) for name in active}
    return sum(w * float(str(mapping(held[name])["score"])) for name, w in weighed.items()) / sum(weighed.values())


def failures_alone(row: Row) -> float:
    return float(str(mapping(mapping(row["extra"])["toolFailures"])["score"]))


TRAJECTORY: dict[str, Reason] = {
    "TR-REPEXPECT": Reason("what was expected twice may be called twice", repeated),
    "TR-GREEDY": Reason(
        "the longest common order counts, not the first that comes along", lambda row: common(*sides(row)) / 3
    ),
    "TR-KEYORDER": Reason("the order of keys does not matter; four steps too many still cost everything", always(0.0)),
    "TR-PROVIDER": Reason("the arguments of a provider's tool are compared as any others", always(0.0)),
    "TU-RETRYBONUS": Reason("retries never raise the score of a run that missed its steps", without_failures),
    "TU-CONSTEFF": Reason("to leave repetitions out is no dimension of its own that is always 1", failures_alone),
    "TU-ZEROW": Reason("weights of 0 leave nothing to weigh: the definition says so", always(REFUSED)),
    "TU-UNDEFOVERRIDE": Reason("what a run leaves out stays as it was defined", by_hand({284: 1.0, 285: 0.0})),
    "TU-NESTEDBLACK": Reason("what is forbidden is forbidden to called agents too", always(0.0)),
    "TU-NORETRYFAIL": Reason(
        "three tools failed, none was tried again and nothing succeeded: 1 - 3 · 0.2", always(0.4)
    ),
}


def in_order(row: Row) -> float:
    """Is the order among the calls, by trying all that are as long?"""
    wanted = tuple(map(str, items(row.options["expectedToolOrder"])))
    return float(wanted in combinations(agents_calls(row), len(wanted)))


def agents_calls(row: Row) -> list[str]:
    spoken = [mapping(each) for each in items(row["output"]) if mapping(each)["role"] == "assistant"]
    return [str(mapping(tool)["toolName"]) for message in spoken for tool in items(message.get("tools"))]


def agents_alone(row: Row) -> float:
    """In these rows the user alone called tools: right is what needs no call, an empty order."""
    assert not agents_calls(row)
    return float(row.options.get("expectedToolOrder") == [] and "expectedTool" not in row.options)


TOOLS: dict[str, Reason] = {
    "M-USERTOOLS": Reason("what stands in a user's message is no call of the agent", agents_alone),
    "TC-FIRSTINDEX": Reason("a tool may be expected more than once, and may come more than once", in_order),
    "TC-EMPTYORDER": Reason("an empty order is kept by whatever was called", always(1.0)),
}


def judged_steps(row: Row) -> float:
    """0.6 for steps that are needed, 0.3 for their order, 0.1 for being whole; a perfect run has 1."""
    said = mapping(items(row["judge_replies"])[0])
    verdicts = [mapping(each) for each in items(said["stepEvaluations"])]
    needed = sum(bool(each["wasNecessary"]) for each in verdicts)
    ordered = sum(bool(each["wasInOrder"]) for each in verdicts)
    extra = max(0, len(items(said.get("extraSteps"))) - (len(verdicts) - needed))
    n, missing = len(verdicts), len(items(said.get("missingSteps")))
    return 0.6 * needed / (n + extra) + 0.3 * ordered / n + 0.1 * n / (n + missing)


JUDGED: dict[str, Reason] = {
    "TL-MISSING": Reason("a tool that should have been called counts as a call gone wrong", by_hand({3: 0.25, 6: 0.0})),
    "TA-MAX09": Reason("a perfect run scores 1: the last tenth is for lacking nothing", judged_steps),
    "TA-EXTRA": Reason("steps called extra, beyond those found unnecessary, are unnecessary steps", judged_steps),
}
