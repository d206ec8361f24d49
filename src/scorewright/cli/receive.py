"""What `scorewright receive` does: agents that other programs trace, scored as their spans come in."""

from __future__ import annotations

import json as written
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, final

import attrs
from cyclopts import Parameter

from scorewright.cli.answering import Answering
from scorewright.cli.codes import FINE, INCOMPLETE
from scorewright.cli.conducting import opened_store
from scorewright.cli.loading import AnyScorer, UsageError, load_scorers
from scorewright.cli.options import OUTPUT, Whole
from scorewright.cli.table import complain, shown
from scorewright.cli.usage import mistaken
from scorewright.core import Scorers
from scorewright.faults import DefinitionError

if TYPE_CHECKING:
    from scorewright.live import Counts, Live, Sink
    from scorewright.live.otel import Receiver

_AT_END = 10.0


@final
@attrs.frozen
class Kept:
    """What the options say of where scores go."""

    out: Path | None = None
    store: str | None = None
    events: str | None = None
    content: bool = False
    hand_over: bool = False


def receive(
    *,
    scorers: list[str],
    share: Annotated[float, Parameter(name=("--share", "--sample"))] = 1.0,
    nested: bool = False,
    roots: bool = False,
    output: Annotated[Path | None, OUTPUT] = None,
    store: str | None = None,
    events: str | None = None,
    content: bool = False,
    hand_over: bool = False,
    host: str = "127.0.0.1",
    port: Whole = 4318,
    allow_remote: bool = False,
    grace: float = 10.0,
    ttl: float = 600.0,
    rate: float = 200.0,
    max_body: Whole = 16_777_216,
    queue: Whole = 1000,
    concurrency: Whole = 10,
    budget_dollars: float | None = None,
    budget_calls: Whole | None = None,
    drain: float = _AT_END,
    json: bool = False,
) -> int:
    """Receive spans over OTLP/HTTP and score every agent's run that has ended, until it is told to stop.

    Exit codes: 0 all that was sampled has been scored, 2 wrong usage, 4 runs were dropped or not kept.

    Parameters
    ----------
    scorers
        module:name or file.py:name, a scorer or a list of them; without :name all scorers of the module. Repeatable.
    share
        Score this share of the traces, from 0 to 1, by their ids.
    nested
        Score also the agents that were called by others, each as a run of its own.
    roots
        Take also a span without a parent for an agent: of programs that ask models without saying that they are agents.
    output
        Add a JSON object for each score to this file.
    store
        Keep scores in this store: a file or postgresql://….
    events
        Send scores as OpenTelemetry events to this address, such as http://localhost:4320/v1/logs.
    content
        Keep also what was said, in --output and --store; and the reasons in --events.
    hand_over
        Keep what was sampled in the store until it is scored, and begin with what an earlier process left there.
    host
        Listen on this address.
    port
        Listen on this port; 0 is any that is free.
    allow_remote
        Listen on an address that other machines reach, too.
    grace
        Seconds that late spans of an agent that has ended are waited for.
    ttl
        Seconds that a trace may be silent before it is let go.
    rate
        Take at most so many requests a second.
    max_body
        Take bodies of at most so many bytes, and twice as many when inflated.
    queue
        Hold at most so many runs of each scorer that wait or are under way.
    concurrency
        So many runs of a scorer at once.
    budget_dollars
        Spend at most so many US dollars; what is not covered fails.
    budget_calls
        Send at most so many requests to judges.
    drain
        Seconds that are left for what waits, when it is told to stop.
    json
        Print the counts as JSON at the end.
    """
    from asyncio import run

    from scorewright.live import Live, ratio
    from scorewright.live.otel import HttpLimits, Receiver, SpanLimits, is_agent, is_agent_or_root
    from scorewright.live.otel.receiver import is_loopback

    if not allow_remote and not is_loopback(host):
        raise UsageError(f"whoever reaches {host} can have judges asked: give --allow-remote, or leave --host out")

    if not 0 <= share <= 1:
        raise UsageError(f"--share is a share of the traces, from 0 to 1 such as 0.1, not {share:g}")

    if max_body < 1:
        raise UsageError(f"--max-body is at least 1 byte, not {max_body}")
    stdout = sys.stdout
    with redirect_stdout(sys.stderr), ExitStack() as stack:
        found = load_scorers(scorers)
        try:
            sinks = sinks_of(stack, Kept(output, store, events, content, hand_over))
            budget = Answering(budget_dollars=budget_dollars, budget_calls=budget_calls).budget
            live = Live(*sinks, name="receive", queue=queue, concurrency=concurrency, budget=budget)
            receiver = Receiver(
                *found,
                live=live,
                sample=ratio(share),
                nested=nested,
                anchor=is_agent_or_root if roots else is_agent,
                limits=SpanLimits(grace=grace, ttl=ttl),
                http=HttpLimits(body=max_body, inflated=2 * max_body, rate=rate),
                host=host,
                port=port,
                allow_remote=allow_remote,
            )
        except DefinitionError as mistake:
            raise mistaken(mistake) from mistake
        if hand_over:
            _resume(live, found)
        run(_serve(receiver, drain))
        drained = live.shutdown(drain)
    counts = live.counts()
    (_report_json if json else _report)(receiver, counts, stdout)
    return FINE if drained and not (counts.dropped or counts.unstored) else INCOMPLETE


async def _serve(receiver: Receiver, drain: float) -> None:
    """Listen until SIGINT or SIGTERM."""
    import asyncio

    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    try:
        await receiver.start()
    except OSError as failed:
        raise UsageError(f"cannot listen: {failed.strerror or failed}") from failed
    complain(f"listening on port {receiver.port}: /v1/traces and /v1/logs")
    try:
        await told.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)  # a second one ends at once
    complain("stopping")
    await receiver.stop(drain)


def sinks_of(stack: ExitStack, kept: Kept, /) -> Sequence[Sink]:
    """Where scores go. Options that do not fit together, and what cannot be opened, are usage errors."""
    from scorewright.live import JsonLines

    if kept.hand_over and kept.store is None:
        raise UsageError("--hand-over keeps runs in a store: give --store")
    sinks: list[Sink] = []
    if kept.out is not None:
        sinks.append(JsonLines(kept.out, content=kept.content))
    if kept.store is not None:
        from scorewright.live import InStore

        store = stack.enter_context(opened_store(kept.store))
        sinks.append(InStore(store, content=kept.content, hand_over=kept.hand_over))
    if kept.events is not None:
        sinks.append(_events(stack, kept.events, kept.content))
    if not sinks:
        raise UsageError("scores have to go somewhere: give --output, --store or --events")
    return sinks


def _events(stack: ExitStack, endpoint: str, content: bool) -> Sink:
    try:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
    except ImportError as missing:
        needed = "opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"
        raise UsageError(f"--events needs OpenTelemetry's exporter: pip install {needed}") from missing
    from scorewright.live import EvaluationEvents

    provider = LoggerProvider(shutdown_on_exit=False)
    provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(endpoint=endpoint)))
    stack.callback(provider.shutdown)
    return EvaluationEvents(provider, content=content)


def _resume(live: Live, scorers: Sequence[AnyScorer]) -> None:
    taken = live.resume(Scorers(*scorers))
    if taken:
        complain(f"runs that an earlier process left, and that are scored now: {taken}")


def _report_json(receiver: Receiver, counts: Counts, file: TextIO) -> None:
    told = attrs.asdict(counts) | {"reasons": dict(counts.reasons)}
    report = {"runs": told, "spans": attrs.asdict(receiver.counts()), "requests": attrs.asdict(receiver.requests())}
    file.write(written.dumps(report) + "\n")
    file.flush()


def _report(receiver: Receiver, counts: Counts, file: TextIO) -> None:
    lines = [f"runs      {counts}", f"spans     {receiver.counts()}"]
    told = attrs.asdict(receiver.requests()).items()
    numbers = (f"{number:,} {name.replace('_', ' ')}" for name, number in told)
    lines.append(f"requests  {', '.join(numbers)}")
    with suppress(BrokenPipeError):
        file.write("".join(f"{shown(line)}\n" for line in lines))
        file.flush()
