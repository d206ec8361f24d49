"""The ready library: a plain scorer, one with a reference, of agents, of paths, judged ones, and lifted ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Never

from typing_extensions import assert_type

from scorewright import Evaluation, Judge, NotScorable, Run, Scorer
from scorewright.agents import AgentInput, AgentOutput, AgentRun, AgentScorer, answered, asked
from scorewright.faults import InvalidRun
from scorewright.library import checks, judged, safety, text, tools, trajectory
from scorewright.library.judged import Asked, Turn
from scorewright.library.judged.runs import Faults
from scorewright.library.trajectory import Expectation, Path, Told

judge = Judge("openai/gpt-4o-mini")
question, answer = "Where is my parcel?", "In Lyon."
names: list[str] = ["pear", "fig"]
given, said = asked(question), answered(answer)
path: Told = Path(())

# Plain
assert_type(checks.includes("refund"), Scorer[object, str, object, Never])
assert_type(safety.no_secrets(), Scorer[object, str, object, Never])
assert_type(text.completeness(), Scorer[str, str, object, Never])
assert_type(text.textual_difference(), Scorer[str, str, object, text.TooLong])
assert_type(checks.includes("refund").run_sync(Run(question, answer)).unwrap(), Evaluation)
of_texts: Scorer[str, str] = checks.valid_json()

# With a reference
assert_type(text.exact_match(), Scorer[object, str, str | list[str], NotScorable])
assert_type(text.levenshtein(), Scorer[object, str, str | list[str], NotScorable | text.TooLong])
assert_type(text.numeric_closeness(), Scorer[object, str, float | str, NotScorable])
assert_type(text.set_overlap(), Scorer[object, Sequence[object], Sequence[object], InvalidRun])
text.exact_match().run_sync(Run(question, answer, "Lyon"))
text.set_overlap().run_sync(Run(question, names, names))
fields: Mapping[str, int] = {"fee": 4}
text.json_difference().run_sync(Run(question, fields, fields))

# Of agents and paths
assert_type(checks.called_tool("track"), Scorer[AgentInput, AgentOutput, object, Never])
assert_type(tools.tool_call_accuracy("track"), Scorer[AgentInput, Told, object, NotScorable])
assert_type(trajectory.trajectory_match(["track"]), Scorer[AgentInput, Told, object, NotScorable | InvalidRun])
assert_type(trajectory.for_runs(trajectory.redundancy()), Scorer[AgentInput, AgentRun, object, NotScorable])
of_agents: AgentScorer = tools.tool_call_accuracy("track")
tools.tool_call_accuracy("track").run_sync(Run(given, path))
trajectory.trajectory_match().run_sync(Run(given, path, Expectation(["track"])))

# Judged
assert_type(judged.faithfulness(judge), Scorer[Asked, str, object, Faults])
assert_type(judged.correctness(judge), Scorer[Asked, str, str, Faults])
assert_type(judged.role_adherence(judge), Scorer[Asked, tuple[Turn, ...], object, Faults])
judged.faithfulness(judge).run_sync(Run(Asked(question, (answer,)), answer))
judged.correctness(judge).run_sync(Run(Asked(question), answer, answer))

# Lifted
assert_type(text.on_answer(checks.includes("Lyon")), Scorer[AgentInput, AgentOutput, object, Never])
assert_type(text.on_answer(text.exact_match()), Scorer[AgentInput, AgentOutput, str | list[str], NotScorable])
assert_type(text.against_expected(text.content_similarity()), Scorer[object, str, str, Never])
assert_type(judged.for_agents(judged.correctness(judge)), Scorer[AgentInput, AgentOutput, str, Faults])
assert_type(judged.for_conversations(judged.role_adherence(judge)), Scorer[AgentInput, AgentOutput, object, Faults])
assert_type(judged.answer_relevancy(judge).contramap_input(str, Asked), Scorer[str, str, object, Faults])
text.on_answer(text.exact_match()).run_sync(Run(given, said, "Lyon"))
