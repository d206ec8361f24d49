"""Answers whose tokens have log-probabilities, in the words of each provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import TypeAlias

from fakes.openai_server import Answer, Body, completion
from fakes.providers import candidate, response

Piece: TypeAlias = str | tuple[str, Mapping[str, float]]  # a token that was sure, or one with what was likely there


def text_of(pieces: Sequence[Piece]) -> str:
    """What the tokens spell."""
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in pieces)


def grade(*written: Piece, reason: str = "so") -> list[Piece]:
    """The tokens of a grade with its reason; those of the grade itself are given."""
    return ['{"', "grade", '":', *written, ", ", '"reason"', ": ", f'"{reason}"', "}"]


def _openai(pieces: Sequence[Piece]) -> list[Body]:
    def one(text: str, chance: float) -> Body:
        return {"token": text, "logprob": log(chance) if chance else -9999.0, "bytes": list(text.encode())}

    told = [(piece, {piece: 1.0}) if isinstance(piece, str) else piece for piece in pieces]
    return [
        {**one(text, likely.get(text, 0.0)), "top_logprobs": [one(each, chance) for each, chance in likely.items()]}
        for text, likely in told
    ]


def chat_telling(pieces: Sequence[Piece]) -> Answer:
    """OpenAI's chat completion."""
    message = {"role": "assistant", "content": text_of(pieces), "refusal": None}
    logprobs = {"content": _openai(pieces), "refusal": None}
    choice: Body = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": logprobs}
    return completion([choice], (10, 5), "fake", 0.0)


def response_telling(pieces: Sequence[Piece]) -> Answer:
    """OpenAI's response."""
    said: Body = {"type": "output_text", "annotations": [], "text": text_of(pieces), "logprobs": _openai(pieces)}
    return response(said)


def candidate_telling(pieces: Sequence[Piece]) -> Answer:
    """Gemini's candidate, in which a log-probability of 0 is not written."""

    def one(text: str, chance: float) -> Body:
        return {"token": text, "tokenId": 7, **({"logProbability": log(chance)} if chance < 1 else {})}

    told = [(piece, {piece: 1.0}) if isinstance(piece, str) else piece for piece in pieces]
    content = {"role": "model", "parts": [{"text": text_of(pieces)}]}
    result = {
        "topCandidates": [{"candidates": [one(*each) for each in likely.items()]} for _, likely in told],
        "chosenCandidates": [one(text, likely[text]) for text, likely in told],
    }
    return candidate(candidates=[{"index": 0, "content": content, "finishReason": "STOP", "logprobsResult": result}])
