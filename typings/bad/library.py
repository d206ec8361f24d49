"""Misuses of the ready library."""

from __future__ import annotations

from scorewright import Judge, Run
from scorewright.agents import answered, asked
from scorewright.library import checks, judged, text, tools, trajectory
from scorewright.library.judged import Asked

judge = Judge("openai/gpt-4o-mini")
question, answer = "Where is my parcel?", "In Lyon."
given, said = asked(question), answered(answer)

checks.includes(3)  # E: the text that is to be included
checks.includes("a", True)  # E: an option is named
checks.includes("a").run_sync(Run(given, said))  # E: an agent's output is no text; on_answer lifts the scorer
checks.called_tool("track").run_sync(Run(question, answer))  # E: a text tells of no calls
text.rouge("rouge9")  # E: no such kind
text.exact_match().run_sync(Run(question, answer))  # E: the reference is missing
text.exact_match().run_sync(Run(question, answer, 3))  # E: the reference is a text, or a list of them
text.completeness().run_sync(Run(given, answer))  # E: what is taken up is a text
text.on_answer(text.exact_match()).run_sync(Run(given, said))  # E: lifted, it still needs its reference
text.on_answer(checks.called_tool("track"))  # E: a scorer of agents is not lifted
text.set_overlap().run_sync(Run(question, 3, ["a"]))  # E: a number has no items
tools.tool_call_accuracy(order=[1])  # E: an order is a list of names
trajectory.trajectory_match(mode="loose")  # E: no such sense
trajectory.trajectory_match().run_sync(Run(given, said))  # E: without steps of its own it needs a reference
judged.faithfulness()  # E: the judge is missing
judged.faithfulness("openai/gpt-4o-mini")  # E: a model's name is no judge
judged.faithfulness(judge).run_sync(Run(question, answer))  # E: the question comes as an Asked, with its context
judged.correctness(judge).run_sync(Run(Asked(question), answer))  # E: the reference is missing
judged.multi_turn_judge(judge)  # E: the criterion is missing
checks.chekcs("a")  # E: no such scorer
