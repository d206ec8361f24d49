"""Recorded replies, and running a scorer again from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import attrs
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core.ask import JudgeReply, JudgeRequest
from scorewright.core.evaluation import Evaluation, Evidence, ScoringFailure
from scorewright.core.run import Run
from scorewright.core.scorer import Scorer
from scorewright.faults import NotRecorded
from scorewright.results import err

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


@final
@attrs.frozen
class Transcript:
    """Replies by the place and the content of their requests, never by the order in which they arrived."""

    replies: Mapping[tuple[str, str], JudgeReply] = attrs.field(repr=False)

    def __repr__(self) -> str:
        return f"Transcript({len(self.replies)} {'reply' if len(self.replies) == 1 else 'replies'})"

    async def answer(self, request: JudgeRequest, /) -> JudgeReply:
        """The recorded reply; a request that was never recorded is the fault `NotRecorded`."""
        missing = JudgeReply(err(NotRecorded(request.place, request.prompt)))
        return self.replies.get((request.place, request.content), missing)


def transcript_of(evidence: Evidence, /) -> Transcript:
    """The replies that an evaluation, or a failure, was made from."""
    return Transcript({(said.request.place, said.request.content): said.reply for said in evidence.exchanges})


def replay(
    scorer: Scorer[In, Out, Ref, E], run: Run[In, Out, Ref], transcript: Transcript, /
) -> Result[Evaluation, ScoringFailure[E]]:
    """Score the run again: steps are repeated, judges are not asked."""
    return scorer.run_sync(run, answer=transcript.answer)
