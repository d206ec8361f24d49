"""Does the support agent look things up, and does it own up to what it could not find out?"""

from returns.result import Result

from scorewright import NotScorable, Step, create_scorer, err, ok, pure
from scorewright.agents import AgentInput, AgentOutput, create_agent_scorer, failed_calls, final_answer, tool_calls

ADMITS = ("cannot", "could not", "did not answer", "not yet")

tools = (
    create_agent_scorer("tools")
    .preprocess(pure(lambda s: tool_calls(s.run.output)))
    .generate_score(pure(lambda s: 1 - sum(call.failed for call in s.pre) / max(1, len(s.pre))))
    .generate_reason(pure(lambda s: "; ".join(f"{call.name} failed" for call in s.pre if call.failed)))
)


def admitted(step: Step[AgentInput, AgentOutput, None, None]) -> Result[float, NotScorable]:
    answer = final_answer(step.run.output)
    if not failed_calls(step.run.output) or answer is None:
        return err(NotScorable("nothing failed, or nothing was answered"))
    return ok(float(any(word in answer for word in ADMITS)))


honest = create_agent_scorer("honest").generate_score(admitted)
brief = create_scorer("brief", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) < 120))
