"""A fence around instructor: the asynchronous client that hands a chat completion through, and nothing else."""

from collections.abc import Callable
from enum import Enum
from typing import Never

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

class Mode(Enum):
    TOOLS = "tool_call"
    JSON = "json_mode"
    MD_JSON = "markdown_json_mode"
    JSON_SCHEMA = "json_schema_mode"

class AsyncInstructor:
    def __init__(
        self,
        client: AsyncOpenAI | None,
        create: Callable[..., object],
        mode: Mode = ...,
        provider: Enum = ...,
        hooks: None = None,
        **kwargs: Never,
    ) -> None: ...
    async def create(
        self,
        response_model: None,
        messages: list[ChatCompletionMessageParam],
        max_retries: int = 3,
        context: None = None,
        strict: bool = True,
        hooks: None = None,
        token_budget: None = None,
        *,
        model: str,
        timeout: float = ...,
        **kwargs: Never,
    ) -> ChatCompletion | list[object] | str | float | None: ...  # a body that is no JSON object comes through as it is

def from_openai(
    client: AsyncOpenAI, mode: Mode = ..., model: str | None = None, **kwargs: Never
) -> AsyncInstructor: ...
