"""What requests cost, by the price table of genai-prices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scorewright.core.ask import Attempt, Usage

PROVIDERS: Mapping[str, str] = MappingProxyType(  # by their names in the table, where those differ
    {"openai-responses": "openai", "gemini": "google", "bedrock": "aws"}
)


def dollars_of(usage: Usage, answered: str, asked: str, /) -> float | None:
    """US dollars for the tokens of a model; None where the price is not known.

    `answered` is the model that the reply names, `asked` the one that was asked, with its provider in front.
    """
    from genai_prices import Usage as Priced
    from genai_prices import calc_price

    provider, _, name = asked.partition("/")
    if provider == "local":
        return 0.0
    tokens = Priced(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_input_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    for model in (answered, name):
        try:
            priced = calc_price(tokens, model_ref=model, provider_id=PROVIDERS.get(provider, provider))
        except (LookupError, ValueError):  # not in the table; counts that contradict one another
            continue
        return float(priced.total_price)
    return None


def cost_of(attempts: tuple[Attempt, ...], asked: str, /) -> float | None:
    """US dollars for all attempts of an ask, failed ones too; None where one price is not known."""
    total = 0.0
    for attempt in attempts:
        if attempt.usage is not None:
            cost = dollars_of(attempt.usage, attempt.model, asked)
            if cost is None:
                return None
            total += cost
    return total
