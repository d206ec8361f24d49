"""The dialects that are served, in the order in which they are tried."""

from __future__ import annotations

from scorewright.traces.anthropic import ANTHROPIC
from scorewright.traces.atif import ATIF
from scorewright.traces.chunks import ANTHROPIC_STREAM, OPENAI_CHAT_STREAM, OPENAI_RESPONSES_STREAM
from scorewright.traces.claude_code import CLAUDE_CODE
from scorewright.traces.codex import CODEX
from scorewright.traces.converse import CONVERSE
from scorewright.traces.deepeval import DEEPEVAL
from scorewright.traces.dialect import Dialect
from scorewright.traces.fenced import FENCED
from scorewright.traces.gemini import GEMINI
from scorewright.traces.google_adk import GOOGLE_ADK
from scorewright.traces.inspect_logs import INSPECT
from scorewright.traces.langchain import LANGCHAIN
from scorewright.traces.langfuse import LANGFUSE
from scorewright.traces.langsmith import LANGSMITH
from scorewright.traces.managed_agents import MANAGED_AGENTS
from scorewright.traces.mastra import MASTRA
from scorewright.traces.openai_agents import OPENAI_AGENTS
from scorewright.traces.openai_agents_trace import OPENAI_AGENTS_TRACE
from scorewright.traces.openai_chat import OPENAI_CHAT
from scorewright.traces.openai_responses import OPENAI_RESPONSES
from scorewright.traces.openhands import OPENHANDS
from scorewright.traces.pydantic_ai import PYDANTIC_AI
from scorewright.traces.span_traces import JAEGER, OTLP, SPANS
from scorewright.traces.swe_agent import SWE_AGENT
from scorewright.traces.tau import TAU, TAU2
from scorewright.traces.ui_messages import UI_MESSAGES
from scorewright.traces.ui_stream import UI_STREAM

DIALECTS: tuple[Dialect, ...] = (
    OTLP,
    JAEGER,
    SPANS,
    OPENAI_CHAT_STREAM,
    OPENAI_RESPONSES_STREAM,
    ANTHROPIC_STREAM,
    OPENAI_RESPONSES,
    CONVERSE,
    ANTHROPIC,
    PYDANTIC_AI,
    LANGCHAIN,
    UI_STREAM,
    UI_MESSAGES,
    FENCED,
    OPENAI_CHAT,
    GEMINI,
    MASTRA,
    LANGSMITH,
    LANGFUSE,
    DEEPEVAL,
    OPENAI_AGENTS,
    OPENAI_AGENTS_TRACE,
    INSPECT,
    ATIF,
    CLAUDE_CODE,
    CODEX,
    MANAGED_AGENTS,
    GOOGLE_ADK,
    SWE_AGENT,
    OPENHANDS,
    TAU2,
    TAU,
)
