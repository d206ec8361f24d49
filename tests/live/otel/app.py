"""A program that runs agents and sends their spans with the real exporter: `python app.py PORT [AGENTS] [SPELLING]`."""

from __future__ import annotations

import sys

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.test import TestModel


def main(port: str, agents: str = "1") -> None:
    """Run so many agents, one after the other; each call of the model answers with its number as text."""
    endpoint = f"http://127.0.0.1:{port}/v1/traces"
    provider = TracerProvider(shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=endpoint, compression=Compression.Gzip)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=50))
    settings = InstrumentationSettings(tracer_provider=provider)
    for at in range(int(agents)):
        agent = Agent(
            TestModel(custom_output_text=f"answer {at}"), name="support", capabilities=[Instrumentation(settings)]
        )

        @agent.tool_plain
        def look(number: int) -> str:
            return f"found {number}"

        with provider.get_tracer("app").start_as_current_span("POST /ask"):
            agent.run_sync(f"question {at}")
    print(provider.force_flush(60_000))
    provider.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
