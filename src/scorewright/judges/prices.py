"""What requests cost, by the price table of genai-prices."""

from __future__ import annotations

from scorewright.core.ask import Attempt, Usage


def dollars_of(usage: Usage, answered: str, asked: str, /) -> float | None:
    """US dollars for the tokens of a model; None where the price is not known.

    `answered` is the model that the reply names, `asked` the one that was asked, with its provider in front.
    """
    from genai_prices import Usage as Priced
    from genai_prices import calc_price

    provider, _, name = asked.partition("/")
    provider = {"openai-responses": "openai", "gemini": "google"}.get(provider, provider)
    tokens = Priced(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
    for model in (answered, name):
        try:
            return float(calc_price(tokens, model_ref=model, provider_id=provider).total_price)
        except LookupError:
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
