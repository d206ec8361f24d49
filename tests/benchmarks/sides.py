"""What is compared. Each side gives a function that does one run, or (a data set) a given number of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import work

One: TypeAlias = Callable[[], object]
Many: TypeAlias = Callable[[int], Callable[[], object]]


def loop() -> One:
    """The limit: the work by hand."""
    return partial(work.by_hand, work.QUESTION, work.ANSWER)


def loop_with_values() -> One:
    """The work by hand, handing on what was found on the way: what an evaluation keeps as step values."""
    return partial(work.with_values, work.QUESTION, work.ANSWER)


def pure_steps() -> One:
    """Four `pure` steps on a run that exists already, as rows of a file do."""
    from scorewright import Run

    return partial(_pure_scorer().run_sync, Run(work.QUESTION, work.ANSWER))


def pure_steps_and_run() -> One:
    """Four `pure` steps, from input and output to the evaluation: each run is made too."""
    from scorewright import Run

    scorer = _pure_scorer()
    return lambda: scorer.run_sync(Run(work.QUESTION, work.ANSWER))


def _pure_scorer():
    from scorewright import create_scorer, pure

    return (
        create_scorer("shared", input=str, output=str)
        .preprocess(pure(lambda step: (work.normalised(step.run.input), work.normalised(step.run.output))))
        .analyze(pure(lambda step: work.shared(step.pre[0], step.pre[1])))
        .generate_score(pure(lambda step: step.ana / len(step.pre[0])))
        .generate_reason(pure(lambda step: work.reason(step.score, step.ana)))
    )


def ok_steps() -> One:
    """Four steps that build `ok(…)` themselves, on a run that exists already."""
    from scorewright import Run, create_scorer, ok

    scorer = (
        create_scorer("shared", input=str, output=str)
        .preprocess(lambda step: ok((work.normalised(step.run.input), work.normalised(step.run.output))))
        .analyze(lambda step: ok(work.shared(step.pre[0], step.pre[1])))
        .generate_score(lambda step: ok(step.ana / len(step.pre[0])))
        .generate_reason(lambda step: ok(work.reason(step.score, step.ana)))
    )
    return partial(scorer.run_sync, Run(work.QUESTION, work.ANSWER))


def pydantic_evaluator() -> One:
    """pydantic-evals' evaluator, called by itself on a context that exists already."""
    from pydantic_evals.evaluators import EvaluatorContext
    from pydantic_evals.otel.span_tree import SpanTree

    context = EvaluatorContext[str, str, None](
        name="",
        inputs=work.QUESTION,
        output=work.ANSWER,
        expected_output=None,
        metadata=None,
        duration=0.0,
        attributes={},
        metrics={},
        _span_tree=SpanTree(),
    )
    return partial(_pydantic_shared().evaluate_sync, context)


def _pydantic_shared():
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

    class Shared(Evaluator[str, str, None]):
        def evaluate(self, ctx: EvaluatorContext[str, str, None]) -> EvaluationReason:
            return EvaluationReason(*work.by_hand(ctx.inputs, ctx.output))

    return Shared()


def pydantic_dataset(runs: int) -> Callable[[], object]:
    """pydantic-evals' `Dataset.evaluate`, whose task only hands the answer over."""
    import asyncio

    from pydantic_evals import Case, Dataset

    async def answer(question: str) -> str:
        return work.ANSWER

    cases = [Case[str, str, None](name=str(n), inputs=work.QUESTION) for n in range(runs)]
    dataset = Dataset[str, str, None](name="shared", cases=cases, evaluators=[_pydantic_shared()])
    return lambda: asyncio.run(dataset.evaluate(answer, progress=False))


ONE: dict[str, Callable[[], One]] = {
    side.__name__: side
    for side in (loop, loop_with_values, pure_steps, pure_steps_and_run, ok_steps, pydantic_evaluator)
}
MANY: dict[str, Many] = {"pydantic_dataset": pydantic_dataset}
