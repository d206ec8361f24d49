"""Reading the log-probabilities of a reply's tokens, as the providers tell them."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from scorewright.core.ask import Token
from scorewright.judges.fields import items, text

LEAST = -11.5  # an alternative below it, about one in 100,000, is left out: it weighs nothing and fills transcripts
IMPOSSIBLE = -9999.0  # as OpenAI writes it


def tokens_in(given: Mapping[str, object], key: str, /) -> tuple[Token, ...]:
    """The tokens under a key, in the form of OpenAI: `token`, `logprob` and `top_logprobs`, a list of the same."""
    return tuple(
        Token(
            text(told, "token"),
            _logprob(told.get("logprob"), IMPOSSIBLE),
            _top(told, "top_logprobs", "logprob", IMPOSSIBLE),
        )
        for told in items(given, key)
    )


def gemini_tokens(result: Mapping[str, object], /) -> tuple[Token, ...]:
    """The tokens of a `logprobsResult`: those that were chosen, and at the same places those that were likely.

    A log-probability of 0 is left out there, as protobuf leaves out every default.
    """
    chosen, likely = items(result, "chosenCandidates"), items(result, "topCandidates")
    tops = [_top(step, "candidates", "logProbability", 0.0) for step in likely] if len(likely) == len(chosen) else ()
    return tuple(
        Token(text(told, "token"), _logprob(told.get("logProbability"), 0.0), top)
        for told, top in zip(chosen, tops or [()] * len(chosen), strict=True)
    )


def _top(given: Mapping[str, object], key: str, name: str, absent: float) -> tuple[tuple[str, float], ...]:
    told = ((text(each, "token"), _logprob(each.get(name), absent)) for each in items(given, key))
    return tuple(pair for pair in told if pair[1] >= LEAST)


def _logprob(given: object, absent: float) -> float:
    """A log-probability, `absent` where there is none; what can be none is as good as impossible."""
    if given is None:
        return absent
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not IMPOSSIBLE < given < inf:
        return IMPOSSIBLE
    return 0.0 if given > 0 else float(given)
