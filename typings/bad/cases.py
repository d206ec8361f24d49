"""What checkers of other tools let through, and what these do not. Each names its case."""

from __future__ import annotations

import attrs
from returns.result import Result
from scorewright import Judge, Run, Scorer, Step, create_scorer, ok, prompt, pure
from scorewright.agents import create_trajectory_scorer


@attrs.frozen
class Cleaned:
    text: str


@attrs.frozen
class Claims:
    items: list[str]


Text = Step[str, str, None, None]


def cleaned(step: Text) -> Result[Cleaned, str]:
    return ok(Cleaned(step.run.output))


def claims_of_a_number(step: Step[str, str, int, None]) -> Result[Claims, str]:
    return ok(Claims([str(step.pre)]))


def share(step: Step[str, str, Cleaned, Claims]) -> Result[float, str]:
    return ok(len(step.ana.items) / len(step.pre.text))


draft = create_scorer("steps", input=str, output=str, judge=Judge("openai/gpt-4o-mini"))
begun = draft.preprocess(cleaned)
run = Run("question", "answer")

# returns#2253: a step in the middle that takes something else, and one that is left out.
begun.analyze(claims_of_a_number)  # E: the step before gives a text that was cleaned, not a number
begun.generate_score(share)  # E: nothing was analyzed
draft.analyze(claims_of_a_number)  # E: nothing was preprocessed

# instructor#893: a result that is not awaited is no evaluation, and an answer has no attribute that it lacks.
asked = draft.analyze(prompt(list[Claims], lambda s: s.run.output))
asked.generate_score(pure(lambda s: len(s.ana.items)))  # E: a list of claims has no items


async def scored() -> float:
    scorer = asked.generate_score(pure(lambda s: len(s.ana)))
    return scorer.run(run).unwrap().score  # E: the run was not awaited


# mastra#21136: a scorer of paths, where scorers of texts are due.
path = create_trajectory_scorer("path").generate_score(pure(lambda s: len(s.run.output.names) / 9))
texts: list[Scorer[str, str]] = [asked.generate_score(pure(lambda s: len(s.ana)))]
texts.append(path)  # E: it takes a path, and a reference
path.run_sync(run)  # E: as above
