"""What the tests of the shims share: a scorer that keeps the runs that it is given."""

from __future__ import annotations

from live.watching import Seen

from scorewright import Scorer, create_scorer, pure
from scorewright.agents import AgentInput, AgentRun, tool_calls, user_text

IN_TENTH = "run-23"  # the id of a trace that is in the share of 10 %
OUT_OF_TENTH = "4bf92f3577b34da6a3ce929d0e0e4736"


class Runs(Seen):
    """A live, and a scorer of agents whose runs are kept in the order in which they were scored."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[AgentRun] = []
        self.scorer: Scorer[AgentInput, AgentRun] = create_scorer(
            "runs", input=AgentInput, output=AgentRun
        ).generate_score(pure(lambda s: bool(self._runs.append(s.run.output)) or True))

    @property
    def runs(self) -> list[AgentRun]:
        """All that were scored, when all is settled."""
        self.counts()
        return self._runs

    @property
    def told(self) -> list[tuple[str, object, str]]:
        """Of each run what was asked, the answer, and how it ended."""
        return [(user_text(run.input), run.final_output, run.status) for run in self.runs]

    @property
    def reasons(self) -> dict[str, int]:
        """Why there was no score."""
        return dict(self.counts().reasons)


def calls(run: AgentRun) -> list[tuple[str, object, object, str]]:
    """The tool calls of a run."""
    return [(call.name, call.args, call.result, call.state) for call in tool_calls(run.output)]
