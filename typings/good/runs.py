"""Runs: what is absent is None in the type, and copies change one type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_type

import attrs
from scorewright import Run, create_scorer, pure


@attrs.frozen
class Answer:
    text: str


def made(question: str, answer: Answer, reference: list[str], context: dict[str, object], key: str) -> None:
    bare = Run(question, answer)
    assert_type(bare, Run[str, Answer, None])
    whole = Run(question, answer, reference)
    assert_type(whole, Run[str, Answer, list[str]])
    assert_type(Run(question, answer, expected=reference), Run[str, Answer, list[str]])
    assert_type(Run(input=question, output=answer, expected=reference), Run[str, Answer, list[str]])
    assert_type(Run(input=question, output=answer), Run[str, Answer, None])
    assert_type(Run(question, answer, None), Run[str, Answer, None])
    assert_type(Run(question, answer, run_id=key, request_context=context, metadata={"row": 1}), Run[str, Answer, None])
    assert_type(
        Run(question, answer, reference, run_id=key, request_context={"tenant": key}, metadata=context),
        Run[str, Answer, list[str]],
    )
    assert_type(whole.input, str)
    assert_type(whole.output, Answer)
    assert_type(whole.expected, list[str])
    assert_type(whole.run_id, str)
    assert_type(whole.request_context, Mapping[str, object])
    assert_type(whole.metadata, Mapping[str, object])


def copied(run: Run[str, Answer, list[str]], size: int, reference: bytes) -> None:
    assert_type(run.with_input(size), Run[int, Answer, list[str]])
    assert_type(run.with_output(size), Run[str, int, list[str]])
    assert_type(run.with_expected(reference), Run[str, Answer, bytes])
    assert_type(run.with_input(size).with_output(run.input).with_expected(None), Run[int, str, None])


def widened(run: Run[str, Answer, list[str]]) -> Run[object, object, object]:
    return run


def reference_or_none(run: Run[str, str, str], maybe: str | None, question: str) -> None:
    scorer = create_scorer("maybe", input=str, output=str, expected=str | None).generate_score(
        pure(lambda step: step.run.expected is None or step.run.expected == step.run.output)
    )
    scorer.run_sync(run)
    scorer.run_sync(Run(question, question))
    scorer.run_sync(Run(question, question, maybe))


def without_reference(bare: Run[str, str, None], whole: Run[str, str, list[str]]) -> None:
    scorer = create_scorer("free", input=str, output=str).generate_score(pure(lambda step: 1.0))
    scorer.run_sync(bare)
    scorer.run_sync(whole)
