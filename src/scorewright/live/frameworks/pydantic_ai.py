"""`ScoringCapability`: every finished run of a pydantic-ai agent, scored."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, final

import attrs
from returns.result import Result
from typing_extensions import override

from scorewright.agents import AgentRun
from scorewright.core import Scorers
from scorewright.core.collection import SomeScorer
from scorewright.live.agent_runs import WhichRuns, agent_watch
from scorewright.live.around import AROUND, restore
from scorewright.live.frameworks.sight import Sight, failed, interrupted, sighted
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS
from scorewright.live.scored import Samples
from scorewright.traces import agent_run_of
from scorewright.traces.faults import TraceFault

try:
    from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering, Instrumentation
except ImportError as _missing:
    raise ImportError(
        "agents of pydantic-ai are scored with its capabilities: pip install 'pydantic-ai-slim>=2.60'"
    ) from _missing

if TYPE_CHECKING:
    from pydantic_ai import ModelMessage, ModelResponse, RunContext
    from pydantic_ai.capabilities.abstract import WrapRunHandler
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.run import AgentRunResult


@final
class ScoringCapability(AbstractCapability[object]):
    """Scores the runs of an agent: `Agent(…, capabilities=[ScoringCapability(polite, live=live)])`.

    It sees every way to run one (`run`, `run_sync`, `run_stream`, `iter`), and hands a run over when it is finished. A
    run that raises is one with an error; one that is cancelled, or a stream that is left, is not scored. An agent that
    is called in a tool is not scored by the same scorers again, unless `nested`. What the agent returns and raises is
    not touched, and its dependencies are not read.
    """

    def __init__(
        self,
        *scorers: SomeScorer | str,
        live: Live,
        among: Scorers | None = None,
        sample: Samples = ALWAYS,
        where: WhichRuns | None = None,
        nested: bool = False,
    ) -> None:
        self._watch = agent_watch(*scorers, live=live, among=among, sample=sample, where=where, nested=nested)
        self._messages: Sequence[ModelMessage] = ()

    @override
    def get_ordering(self) -> CapabilityOrdering:
        """Outside of what may change the result, inside of the span that tells the trace."""
        return CapabilityOrdering(position="outermost", wrapped_by=[Instrumentation])

    @override
    async def for_run(self, ctx: RunContext[object]) -> ScoringCapability:
        """One of its own for each run, which remembers what was said in it."""
        return copy(self)

    @override
    async def after_model_request(
        self, ctx: RunContext[object], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        """Remember what was said, in case that the run does not come to a result."""
        self._messages = (*request_context.messages, response)
        return response

    @override
    async def wrap_run(self, ctx: RunContext[object], *, handler: WrapRunHandler) -> AgentRunResult[object]:
        """Run as it would, and hand the run over."""
        sight = sighted(self._watch, ctx.run_id or "")
        sight.pass_by()
        token = AROUND.set(sight.inside)
        try:
            result = await handler()
        except BaseException as raised:
            restore(token)
            if sight.kept:
                self._raised(sight, ctx, raised)
            raise
        restore(token)
        if sight.kept:
            run = sight.read(lambda: agent_run_of(result))
            if run is not None:
                sight.take(_known(run, ctx))
        return result

    def _raised(self, sight: Sight, ctx: RunContext[object], raised: BaseException) -> None:
        why = interrupted(raised)
        if why:
            sight.watch.filtered(why)
            return
        run = sight.read(lambda: _so_far(self._messages, ctx))
        if run is not None:
            sight.take(_known(failed(run, raised), ctx))


def _so_far(messages: Sequence[ModelMessage], ctx: RunContext[object]) -> Result[AgentRun, TraceFault]:
    """What was said before it raised; no more than the question where no model was reached."""
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    if messages:
        return agent_run_of(list(messages))
    asked = [] if ctx.prompt is None else [ModelRequest([UserPromptPart(ctx.prompt)])]
    return agent_run_of([*ctx.messages, *asked])


def _known(run: AgentRun, ctx: RunContext[object]) -> AgentRun:
    return attrs.evolve(
        run,
        id=ctx.run_id or run.id,
        conversation_id=ctx.conversation_id or run.conversation_id,
        agent_name=(ctx.agent.name if ctx.agent is not None else None) or run.agent_name,
    )
