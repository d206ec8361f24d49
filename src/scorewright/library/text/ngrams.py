"""BLEU, chrF and ROUGE: which runs of words or letters output and reference share."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from returns.result import Result

from scorewright.core import Step, Verdict, create_scorer
from scorewright.faults import NotScorable
from scorewright.library.defining import counted, expect_one_of, expect_whole, needs, spelled
from scorewright.library.text.limits import CELLS, TooLong, expect_cells, within
from scorewright.library.text.references import BoundedScorer, References, ReferenceScorer, nearest, shared_words
from scorewright.library.text.words import tokens
from scorewright.results import err, ok

TOKENIZERS = ("13a", "intl", "zh", "char", "none")


def bleu(*, tokenize: Literal["13a", "intl", "zh", "char", "none"] = "13a") -> ReferenceScorer:
    """BLEU of one output against all its references, by sacrebleu, from 0 to 1 (Papineni et al. 2002, Post 2018).

    The order is the effective one, so that a short text can reach 1. `tokenize`: "zh" for Chinese, "char" for Japanese
    and Thai, "intl" for marks of any script.
    """
    needs("sacrebleu", "library", "bleu(…)")
    expect_one_of(tokenize, TOKENIZERS, "bleu(tokenize=…)")
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(tokenize=tokenize, effective_order=True)

    def judged(step: Step[object, str, None, None, References]) -> Result[Verdict, NotScorable]:
        references = several(step.run.expected)
        if not references:
            return err(NotScorable("the run has no reference answer"))
        found = metric.sentence_score(step.run.output, references)
        told = ", ".join(f"{share:.0f}%" for share in found.precisions)
        reason = f"shared runs of one to four words: {told}; brevity {found.bp:.2f}"
        return ok(Verdict(clamped(found.score / 100), reason))

    return create_scorer(
        spelled("bleu", tokenize=(tokenize, "13a")),
        input=object,
        output=str,
        expected=References,
        description="BLEU against the references",
    ).generate_verdict(judged)


def chrf(*, word_order: int = 0) -> ReferenceScorer:
    """chrF of one output against the nearest of its references, by sacrebleu, from 0 to 1 (Popović 2015).

    Runs of one to six letters, recall counted twice; with `word_order=2` runs of words too, which is chrF++.
    """
    needs("sacrebleu", "library", "chrf(…)")
    expect_whole(word_order, "chrf(word_order=…)")
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(word_order=word_order)

    def judged(step: Step[object, str, None, None, References]) -> Result[Verdict, NotScorable]:
        references = several(step.run.expected)
        if not references:
            return err(NotScorable("the run has no reference answer"))
        score = clamped(metric.sentence_score(step.run.output, references).score / 100)
        return ok(
            Verdict(score, f"{score:.1%} of the runs of letters, against {counted(len(references), 'reference')}")
        )

    return create_scorer(
        spelled("chrf", word_order=(word_order, 0)),
        input=object,
        output=str,
        expected=References,
        description="chrF against the references",
    ).generate_verdict(judged)


def rouge(kind: Literal["rouge1", "rouge2", "rougeL"] = "rougeL", /, *, most_cells: int = CELLS) -> BoundedScorer:
    """ROUGE against the nearest reference, the F measure (Lin 2004): shared words, pairs of words, or words in order.

    As the package rouge-score computes it without stemming, and with words of any script, where that one knows ASCII
    alone. `most_cells` limits the work of "rougeL"; longer texts are the fault `TooLong`.
    """
    needs("rapidfuzz", "library", "rouge(…)")
    expect_one_of(kind, ("rouge1", "rouge2", "rougeL"), "rouge(kind)")
    expect_cells(most_cells, "rouge")
    size = {"rouge1": 1, "rouge2": 2}.get(kind)

    def compare(output: str, reference: str) -> Result[float, TooLong]:
        said, due = tokens(output), tokens(reference)
        if size is not None:
            first, second = runs(said, size), runs(due, size)
            return ok(f_measure((first & second).total(), first.total(), second.total()))
        return within(len(said), len(due), most_cells).map(
            lambda _: f_measure(in_order(said, due), len(said), len(due))
        )

    def explain(output: str, reference: str) -> str:
        return shared_words(Counter(tokens(output)), Counter(tokens(reference)))

    return nearest(
        spelled("rouge", kind, most_cells=(most_cells, CELLS)),
        "which words output and reference share",
        compare,
        explain,
    )


def runs(words: list[str], size: int, /) -> Counter[tuple[str, ...]]:
    """How often each run of so many words stands in a text."""
    return Counter(zip(*(words[at:] for at in range(size)), strict=False))


def in_order(said: list[str], due: list[str], /) -> int:
    """The length of the longest common subsequence of words."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(said, due)


def f_measure(shared: int, said: int, due: int, /) -> float:
    """The harmonic mean of precision and recall; 0 where nothing is shared."""
    return 2 * shared / (said + due) if shared else 0.0


def several(references: References, /) -> list[str]:
    """The references as a list."""
    return [references] if isinstance(references, str) else references


def clamped(score: float, /) -> float:
    """The score without what rounding put above 1 (100.00000000000004)."""
    return min(1.0, max(0.0, score))
