"""What the providers answer, down to their field names: bodies for the scripted endpoint of `fakes.openai_server`."""

from __future__ import annotations

import json

from fakes.openai_server import Answer, Body, Headers, raw


def _ok(body: Body, headers: Headers) -> Answer:
    return raw(json.dumps(body), headers={"x-request-id": "", **headers})  # each has a header of its own for it


def chat(text: object, finish: str = "stop", usage: Body | None = None, **message: object) -> Answer:
    """OpenAI's chat completion, with every part of its usage."""
    counted: Body = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 8},
    }
    said = {"role": "assistant", "content": text, **message}
    choice: Body = {"index": 0, "message": said, "finish_reason": finish}
    return _ok(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "gpt-4o-2024-08-06",
            "choices": [choice],
            "usage": counted if usage is None else usage,
        },
        {"x-request-id": "req_openai"},
    )


def response(
    *content: Body, status: str = "completed", incomplete: str | None = None, error: Body | None = None
) -> Answer:
    """OpenAI's response: a reasoning item, then a message with this content."""
    return _ok(
        {
            "id": "resp_1",
            "object": "response",
            "status": status,
            "error": error,
            "incomplete_details": {"reason": incomplete} if incomplete else None,
            "model": "gpt-5-2025-08-07",
            "output": [
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {
                    "type": "message",
                    "id": "msg_1",
                    "role": "assistant",
                    "status": "completed",
                    "content": list(content),
                },
            ],
            "usage": {
                "input_tokens": 100,
                "input_tokens_details": {"cached_tokens": 64},
                "output_tokens": 20,
                "output_tokens_details": {"reasoning_tokens": 8},
                "total_tokens": 120,
            },
        },
        {"x-request-id": "req_openai"},
    )


def message(*content: Body, stop: str = "end_turn", **more: object) -> Answer:
    """Anthropic's message."""
    return _ok(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5-20250929",
            "content": list(content),
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 30,
                "cache_read_input_tokens": 64,
                "cache_creation_input_tokens": 6,
                "output_tokens": 20,
                "output_tokens_details": {"thinking_tokens": 8},
            },
            **more,
        },
        {"request-id": "req_anthropic"},
    )


def candidate(*parts: Body, finish: str = "STOP", **more: object) -> Answer:
    """Gemini's answer to generateContent."""
    return _ok(
        {
            "candidates": [{"index": 0, "content": {"role": "model", "parts": list(parts)}, "finishReason": finish}],
            "usageMetadata": {
                "promptTokenCount": 100,
                "cachedContentTokenCount": 64,
                "candidatesTokenCount": 12,
                "thoughtsTokenCount": 8,
                "totalTokenCount": 120,
            },
            "modelVersion": "gemini-2.5-flash",
            "responseId": "gem-1",
            **more,
        },
        {},
    )


def converse(*content: Body, stop: str = "end_turn") -> Answer:
    """Bedrock's answer to converse."""
    return _ok(
        {
            "output": {"message": {"role": "assistant", "content": list(content)}},
            "stopReason": stop,
            "usage": {
                "inputTokens": 30,
                "outputTokens": 20,
                "totalTokens": 120,
                "cacheReadInputTokens": 64,
                "cacheWriteInputTokens": 6,
            },
            "metrics": {"latencyMs": 10},
        },
        {"x-amzn-requestid": "aws-1"},
    )
