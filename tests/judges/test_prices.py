"""What requests cost."""

from __future__ import annotations

import pytest

from scorewright.core import Attempt, Usage
from scorewright.judges.prices import cost_of, dollars_of

MILLION = Usage(1_000_000, 1_000_000)


@pytest.mark.parametrize(
    ("answered", "asked", "dollars"),
    [
        ("gpt-4o-2024-08-06", "openai/gpt-4o", 12.5),
        ("", "openai/gpt-4o", 12.5),
        ("", "openai-responses/gpt-4o", 12.5),
        ("", "azure/gpt-4o", 12.5),
        ("a-deployment", "azure/gpt-4o", 12.5),
        ("claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5", 18.0),
        ("gemini-2.5-flash", "gemini/gemini-2.5-flash", 2.8),
        ("", "mistral/mistral-large-latest", 8.0),
        ("", "bedrock/amazon.nova-pro-v1:0", 4.0),
        ("SmolLM2-135M-Instruct.Q4_1", "local/smollm2", 0.0),
    ],
)
def test_a_known_model_has_its_price(answered: str, asked: str, dollars: float) -> None:
    """By the name that the reply gives, else by the one that was asked; a model on this machine costs nothing."""
    tokens = Usage(100_000, 100_000)  # below the steps in which some prices rise
    assert dollars_of(tokens, answered, asked) == pytest.approx(dollars / 10)


@pytest.mark.parametrize("asked", ["openai/no-such-model", "compatible/gpt-4o", "gpt-4o", "mine", ""])
def test_an_unknown_price_is_none(asked: str) -> None:
    """Never 0: whoever serves a model at an address of his own has prices of his own."""
    assert dollars_of(MILLION, "no-such-model", asked) is None


def test_cached_tokens_have_a_price_of_their_own() -> None:
    """They are a part of the input."""
    assert dollars_of(Usage(1000, 0, 800), "", "openai/gpt-4o") == pytest.approx(200 * 2.5e-6 + 800 * 1.25e-6)


@pytest.mark.parametrize(
    ("asked", "plain"),
    [("anthropic/claude-sonnet-4-5", 3e-6), ("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3.3e-6)],
)
def test_writing_to_a_cache_has_a_price_of_its_own(asked: str, plain: float) -> None:
    """A quarter above the plain price; a tenth of it is what reading costs."""
    usage = Usage(1000, 0, 100, cache_write_tokens=600)
    assert dollars_of(usage, "", asked) == pytest.approx(plain * (300 + 100 * 0.1 + 600 * 1.25))


def test_counts_that_contradict_one_another_have_no_price() -> None:
    """More was cached than was read: the server miscounts."""
    assert dollars_of(Usage(10, 0, 20), "", "openai/gpt-4o") is None


def test_failed_attempts_cost_too() -> None:
    """One whose price is unknown makes the sum unknown; one without usage was not charged."""
    paid = Attempt(usage=Usage(1000, 0), model="gpt-4o")
    assert cost_of((paid, Attempt(), paid), "openai/gpt-4o") == pytest.approx(0.005)
    assert cost_of((paid, Attempt(usage=Usage(1, 1), model="x")), "openai/x") is None
    assert cost_of((), "openai/gpt-4o") == 0.0
