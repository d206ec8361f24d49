"""Prices that are worked out here are those of genai-prices, to the last digit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

import attrs
import pytest
from genai_prices import Usage as Priced
from genai_prices import calc_price
from genai_prices.data_snapshot import DataSnapshot, get_snapshot, set_custom_snapshot
from genai_prices.types import (
    AbstractUsage,
    CalcPrice,
    ClauseEquals,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    StartDateConstraint,
    Tier,
    TieredPrices,
)
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from scorewright.core import Usage
from scorewright.judges.prices import dollars_of
from scorewright.judges.rates import rates_of

COUNTS = st.one_of(st.integers(-2, 5), st.integers(0, 3_000_000), st.sampled_from([128_000, 200_000, 200_001, 272_000]))
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, cache_write_tokens=COUNTS)


def nested(plain: int, out: int, read: int, written: int) -> Usage:
    """What was cached is a part of what was read."""
    return Usage(plain + read + written, out, read, cache_write_tokens=written)


NESTED = st.builds(nested, *[st.integers(0, 400_000)] * 4)
MODELS = [(provider.id, model.id) for provider in get_snapshot().providers for model in provider.models]


def told(usage: Usage, model: str, provider: str) -> float | None:
    """What the library says."""
    try:
        tokens = Priced(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cached_input_tokens,
            cache_write_tokens=usage.cache_write_tokens,
        )
        return float(calc_price(tokens, model, provider_id=provider).total_price)
    except (LookupError, ValueError):
        return None


def ours(usage: Usage, model: str, provider: str) -> float | None:
    try:
        rates = rates_of(model, provider)
        return None if rates is None else rates.dollars(usage)
    except ValueError:
        return None


@given(st.sampled_from(MODELS), st.one_of(USAGES, NESTED))
def test_every_model_costs_what_the_table_says(model: tuple[str, str], usage: Usage) -> None:
    """Also where the rate rises with the input, where a cache has none, and where counts contradict one another."""
    provider, name = model
    assert ours(usage, name, provider) == told(usage, name, provider)


def test_each_model_of_the_table_is_the_same() -> None:
    """Every one, below and above the limits that are usual."""
    for provider, name in MODELS:
        for usage in (Usage(1234, 567, 89), Usage(300_000, 70, 1000, cache_write_tokens=200)):
            assert ours(usage, name, provider) == told(usage, name, provider), (provider, name)


@pytest.fixture
def table() -> Iterator[list[ModelInfo]]:
    """A table of one provider, whose models the test puts in."""
    models: list[ModelInfo] = []
    set_custom_snapshot(DataSnapshot([Provider("own", "Own", "x", models=models)], from_auto_update=False))
    yield models
    set_custom_snapshot(None)


def dear(dollars: str) -> ModelPrice:
    return ModelPrice(input_mtok=Decimal(dollars))


def test_a_new_table_counts_at_once(table: list[ModelInfo]) -> None:
    """Prices that are brought up to date in a running program are not the old ones."""
    table.append(ModelInfo("m", ClauseEquals("m"), prices=dear("1")))
    assert dollars_of(Usage(1_000_000), "", "own/m") == 1.0
    newer = Provider("own", "Own", "x", models=[ModelInfo("m", ClauseEquals("m"), prices=dear("3"))])
    set_custom_snapshot(DataSnapshot([newer], from_auto_update=True))
    assert dollars_of(Usage(1_000_000), "", "own/m") == 3.0
    assert dollars_of(Usage(1_000_000), "", "openai/gpt-4o") is None


def test_the_price_is_the_one_of_today(table: list[ModelInfo]) -> None:
    """Of several prices the last one that holds."""
    past, future = datetime(2020, 1, 1, tzinfo=UTC).date(), datetime(2999, 1, 1, tzinfo=UTC).date()
    prices = [
        ConditionalPrice(prices=dear("1")),
        ConditionalPrice(StartDateConstraint(past), prices=dear("2")),
        ConditionalPrice(StartDateConstraint(future), prices=dear("4")),
    ]
    table.append(ModelInfo("m", ClauseEquals("m"), prices=prices))
    assert dollars_of(Usage(1_000_000), "", "own/m") == 2.0


@given(usage=NESTED, limits=st.lists(st.integers(0, 500_000), max_size=3))
def test_rates_that_rise_do_so_above_their_limit(usage: Usage, limits: list[int]) -> None:
    """All tokens then have the higher rate, those of the output too."""
    tiers = [Tier(limit, Decimal(at + 2) / 7) for at, limit in enumerate(sorted(limits))]
    price = ModelPrice(
        input_mtok=TieredPrices(Decimal("1.1"), tiers),
        output_mtok=TieredPrices(Decimal("2.3"), tiers),
        cache_read_mtok=Decimal("0.7"),
    )
    models = [ModelInfo("m", ClauseEquals("m"), prices=price)]
    set_custom_snapshot(DataSnapshot([Provider("own", "Own", "x", models=models)], from_auto_update=False))
    try:
        assert ours(usage, "m", "own") == told(usage, "m", "own") is not None
    finally:
        set_custom_snapshot(None)


class Doubled(ModelPrice):
    """A price with arithmetic of its own."""

    @override
    def calc_price(self, usage: AbstractUsage) -> CalcPrice:
        del usage
        return {"input_price": Decimal(2), "output_price": Decimal(3), "total_price": Decimal(5)}


@pytest.mark.parametrize(
    "price",
    [
        Doubled(input_mtok=Decimal(1)),
        ModelPrice(cache_read_mtok=Decimal(1)),
        ModelPrice(input_mtok=Decimal(-1)),
        ModelPrice(requests_kcount=Decimal(3), output_mtok=Decimal(1)),
    ],
)
def test_what_is_unlike_the_rest_is_left_to_the_library(table: list[ModelInfo], price: ModelPrice) -> None:
    """Its sums, and its refusals."""
    table.append(ModelInfo("m", ClauseEquals("m"), prices=price))
    for usage in (Usage(10, 20, 5), attrs.evolve(Usage(10, 20), cache_write_tokens=3)):
        assert ours(usage, "m", "own") == told(usage, "m", "own")
