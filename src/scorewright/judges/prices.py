"""What requests cost, by the price table of genai-prices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scorewright.core.ask import Attempt, Usage
from scorewright.judges.rates import rates_of

PROVIDERS: Mapping[str, str] = MappingProxyType(  # by their names in the table, where those differ
    {"openai-responses": "openai", "gemini": "google", "bedrock": "aws"}
)


def dollars_of(usage: Usage, answered: str, asked: str, /) -> float | None:
    """US dollars for the tokens of a model; None where the price is not known.

    `answered` is the model that the reply names, `asked` the one that was asked, with its provider in front.
    """
    provider, _, name = asked.partition("/")
    if provider == "local":
        return 0.0
    for model in (answered, name):
        rates = rates_of(model, PROVIDERS.get(provider, provider))
        if rates is not None:
            try:
                return rates.dollars(usage)
            except ValueError:  # counts that contradict one another
                continue
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
