"""The tables of the page on OpenTelemetry are true."""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from scorewright.live.otel import HttpLimits, SpanCounts, SpanLimits
from scorewright.live.otel.limits import MEBIBYTE

PAGE = (Path(__file__).parents[3] / "docs" / "opentelemetry.md").read_text()


def table(name: str) -> list[list[str]]:
    """The cells of a table, its head left out."""
    _, _, rest = PAGE.partition(f"<!-- table: {name} -->")
    lines = rest.strip().split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in re.split(r"\|", line)[1:-1]] for line in lines[2:]]


def test_every_limit_is_told_with_its_default() -> None:
    """In the order of the value."""
    units = {"s": 1, "MiB": MEBIBYTE}
    told: dict[str, float] = {}
    for name, default, _ in table("span limits"):
        number, *unit = re.findall(r"[\d,]*\d|s|MiB", default)[:2]
        told[name.strip("`")] = float(number.replace(",", "")) * (units[unit[0]] if unit else 1)
    assert told == attrs.asdict(SpanLimits())
    assert [*told] == [field.name for field in attrs.fields(SpanLimits)]


def test_every_count_is_told() -> None:
    """In the order of the value."""
    names = [name for row in table("span counts") for name in re.findall(r"`(\w+)`", row[0])]
    assert names == [field.name for field in attrs.fields(SpanCounts)]


def test_the_bounds_of_requests_are_told() -> None:
    """As they are."""
    told = {row[0]: row[1] for row in table("answers")}
    limits = HttpLimits()
    assert f"{limits.seconds:g} s" in told["408"]
    assert f"{limits.body // MEBIBYTE} MiB" in told["413"]
    assert f"{limits.inflated // MEBIBYTE} MiB" in told["413"]
    assert f"more than {limits.rate:g} requests" in told["429"]
    assert f"more than {limits.at_once} requests" in told["503"]
