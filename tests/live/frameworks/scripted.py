"""A model of OpenAI Agents that answers as it was told to, and traces as theirs do."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agents import Model, ModelResponse, Usage
from agents.items import TResponseInputItem, TResponseOutputItem, TResponseStreamEvent
from agents.tracing import response_span
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)


def said(text: str) -> ResponseOutputMessage:
    """An answer."""
    part = ResponseOutputText(annotations=[], text=text, type="output_text")
    return ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")


def call(name: str, arguments: str = "{}", id: str = "c1") -> ResponseFunctionToolCall:
    """A call of a tool."""
    return ResponseFunctionToolCall(arguments=arguments, call_id=id, name=name, type="function_call")


class Scripted(Model):
    """Gives one item a turn, or raises it."""

    def __init__(self, *script: TResponseOutputItem | Exception) -> None:
        self.script = list(script)

    def _next(self, input: str | list[TResponseInputItem]) -> Response:
        step = self.script.pop(0)
        with response_span() as span:
            span.span_data.input = input
            if isinstance(step, Exception):
                raise step
            span.span_data.response = Response(
                id="r",
                created_at=0,
                model="m",
                object="response",
                output=[step],
                parallel_tool_calls=False,
                tool_choice="auto",
                tools=[],
            )
        return span.span_data.response

    async def get_response(  # type: ignore[override]  # what a script does not look at is left out
        self, _: str | None = None, input: str | list[TResponseInputItem] = "", *__: object, **___: object
    ) -> ModelResponse:
        return ModelResponse(output=self._next(input).output, usage=Usage(), response_id=None)

    async def stream_response(  # type: ignore[override]  # as above
        self, _: str | None = None, input: str | list[TResponseInputItem] = "", *__: object, **___: object
    ) -> AsyncIterator[TResponseStreamEvent]:
        response = self._next(input)
        yield ResponseTextDeltaEvent(
            content_index=0,
            delta="a",
            item_id="m",
            output_index=0,
            sequence_number=0,
            type="response.output_text.delta",
            logprobs=[],
        )
        yield ResponseCompletedEvent(response=response, sequence_number=1, type="response.completed")
