"""What a model's tokens cost: looked up in the table of genai-prices once, and worked out from then on.

`calc_price` looks the model up, reads all of its prices and checks them, anew for each request: 0.2 ms. All of that
depends on the model alone, but for two things: which of its prices holds may depend on the time, and which rate of a
price on the tokens that went in. Only these are looked at for each request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast, final

import attrs

from scorewright.core.ask import Usage

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice, TieredPrices

Total: TypeAlias = Callable[[Usage], Decimal]
_Tiers: TypeAlias = tuple[tuple[int, Decimal], ...]  # above so many tokens of input this rate, the highest first

_PER_MILLION = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")
_PER_REQUEST = "requests_kcount"
_MOST_MODELS = 1024
_CACHES = ("cache_read_mtok", "cache_write_mtok")  # whose tokens, where they have a rate, are no longer plain input


@final
class Rates:
    """The prices of one model."""

    def __init__(self, model: ModelInfo, /) -> None:
        self._model = model
        self._totals: dict[int, tuple[ModelPrice, Total]] = {}  # by `id`: a price has no hash, and is kept with it

    def dollars(self, usage: Usage, /) -> float:
        """What `calc_price` says, to the last digit; counts that contradict one another raise `ValueError`."""
        price = self._model.get_prices(datetime.now(UTC))
        found = self._totals.get(id(price))
        if found is None:
            found = self._totals[id(price)] = price, _total(price)
        return float(found[1](usage))


def rates_of(model: str, provider: str, /) -> Rates | None:
    """The prices of a model of a provider; None where the table, as it is now, does not know it."""
    from genai_prices.data_snapshot import get_snapshot

    snapshot = get_snapshot()
    book = _book(id(snapshot))
    book.snapshot = snapshot
    return book.rates(model, provider)


@final
@attrs.define
class _Book:
    """The models that were looked up in one table, which is another one after each update."""

    snapshot: DataSnapshot | None = None  # held, so that no later table has its id
    found: dict[tuple[str, str], Rates | None] = attrs.field(factory=dict[tuple[str, str], "Rates | None"])

    def rates(self, model: str, provider: str, /) -> Rates | None:
        """Those of one model, looked up at the first call."""
        key = model, provider
        if key not in self.found:
            if len(self.found) >= _MOST_MODELS:  # a server may name another one in every reply
                self.found.clear()
            self.found[key] = self._looked_up(model, provider)
        return self.found[key]

    def _looked_up(self, model: str, provider: str) -> Rates | None:
        try:
            return (
                None
                if self.snapshot is None
                else Rates(self.snapshot.find_provider_model(model, None, provider, None)[1])
            )
        except LookupError:
            return None


@lru_cache(maxsize=4)
def _book(table: int) -> _Book:  # noqa: ARG001 - the id of the table is what it is kept by
    return _Book()


def _total(price: ModelPrice) -> Total:
    """The short way, where it agrees with the library on tokens of every kind, on both sides of every limit."""

    def asked(usage: Usage, /) -> Decimal:
        from genai_prices import Usage as Priced

        counted = Priced(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cached_input_tokens,
            cache_write_tokens=usage.cache_write_tokens,
        )
        return price.calc_price(counted)["total_price"]

    from genai_prices.types import ModelPrice as Known

    if type(price) is not Known:
        return asked
    short = _short(price)
    try:
        if any(short(usage) != asked(usage) for usage in _probes(price)):
            return asked
    except ValueError:  # prices that the library refuses
        return asked
    return lambda usage: short(usage) if _is_plain(usage) else asked(usage)


def _is_plain(usage: Usage) -> bool:
    """Whether the counts can be: those that cannot are the library's to refuse."""
    counts = (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens, usage.cache_write_tokens)
    apart = usage.cached_input_tokens + usage.cache_write_tokens
    return min(counts) >= 0 and apart <= usage.input_tokens and all(type(count) is int for count in counts)


def _probes(price: ModelPrice) -> Iterator[Usage]:
    limits = {start for _, rate in _rates(price) if not isinstance(rate, Decimal) for start, _ in _tiers(rate)}
    for count in sorted({0, 1, 1009} | limits | {limit + 1 for limit in limits}):
        yield Usage(count, 7 * count + 3, count // 3, cache_write_tokens=count // 5)


def _rates(price: ModelPrice) -> list[tuple[str, Decimal | TieredPrices]]:
    """The rates that may count, in the order in which the library adds them up."""
    held = cast("dict[str, Decimal | TieredPrices | None]", vars(price))
    counted = {*_PER_MILLION, _PER_REQUEST}
    return [(key, rate) for key, rate in held.items() if rate is not None and key in counted]


def _tiers(rate: TieredPrices) -> _Tiers:
    return tuple((tier.start, tier.price) for tier in reversed(rate.tiers))


def _short(price: ModelPrice) -> Total:
    rates = _rates(price)
    read_apart, written_apart = (any(key == cache for key, _ in rates) for cache in _CACHES)
    terms = tuple(_term(key, rate) for key, rate in rates)

    def total(usage: Usage, /) -> Decimal:
        tokens, read, written = usage.input_tokens, usage.cached_input_tokens, usage.cache_write_tokens
        plain = tokens - (read if read_apart else 0) - (written if written_apart else 0)
        counts = (plain, usage.output_tokens, read, written, 1)
        return sum((_rate(term, tokens) * counts[term.of] / term.per for term in terms), _NOTHING)

    return total


@final
@attrs.frozen
class _Term:
    """One rate: of which of the counts, for how many of them, and what it rises to."""

    of: int
    per: int
    base: Decimal
    tiers: _Tiers


def _term(key: str, rate: Decimal | TieredPrices) -> _Term:
    of, per = (_PER_MILLION.index(key), 1_000_000) if key != _PER_REQUEST else (len(_PER_MILLION), 1000)
    return _Term(of, per, rate, ()) if isinstance(rate, Decimal) else _Term(of, per, rate.base, _tiers(rate))


def _rate(term: _Term, tokens: int) -> Decimal:
    return next((above for start, above in term.tiers if tokens > start), term.base) if term.tiers else term.base


_NOTHING = Decimal(0)
