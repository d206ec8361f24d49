"""What the ready text scorers cost: `python tests/benchmarks/text.py [--json] [--large] [--scale F]`.

Each against the package that one would call otherwise, on the same strings, in one process: CPU time of the fastest of
many small batches, and the ratio. Then every scorer on 1 MB against 1 MB: its time, or the fault that says the limit.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import string
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from time import process_time, process_time_ns
from typing import TypeAlias

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright import Evaluation, Run, Scorer, ScoringFailure
from scorewright.library import checks, safety, text
from scorewright.library.text.references import References
from scorewright.wording import describe

Call: TypeAlias = Callable[[], object]
Scored: TypeAlias = Result[Evaluation, ScoringFailure[object]]
Pair: TypeAlias = tuple[str, str]

SIZES = (100, 1_000, 10_000)
MEGABYTE = 1_000_000


@attrs.frozen
class Line:
    """One comparison: microseconds of both sides."""

    scorer: str
    other: str
    letters: int
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def prose(letters: int, seed: int) -> str:
    """Words at random out of a thousand, so that two texts share some."""
    draw = random.Random(seed)
    known = random.Random(0)
    words = ["".join(known.choices(string.ascii_lowercase, k=known.randint(2, 9))) for _ in range(1000)]
    return " ".join(draw.choices(words, k=letters // 3))[:letters]


def on_reference(scorer: Scorer[object, str, References], pair: Pair) -> Callable[[], Scored]:
    run = Run("", pair[0], pair[1])
    return lambda: scorer.run_sync(run)


def on_input(scorer: Scorer[str, str], pair: Pair) -> Callable[[], Scored]:
    run = Run(pair[1], pair[0])
    return lambda: scorer.run_sync(run)


def sides(pair: Pair) -> Iterator[tuple[str, str, Call, Call]]:
    """Scorer, the other package, and both as calls."""
    from rapidfuzz.distance import JaroWinkler, LCSseq, Levenshtein
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    said, due = pair
    bleu, chrf = BLEU(effective_order=True), CHRF()
    yield (
        "levenshtein",
        "rapidfuzz",
        on_reference(text.levenshtein(), pair),
        lambda: Levenshtein.normalized_similarity(said, due),
    )
    yield (
        "jaro_winkler",
        "rapidfuzz",
        on_reference(text.jaro_winkler(), pair),
        lambda: JaroWinkler.similarity(said, due),
    )
    yield (
        "textual_difference",
        "rapidfuzz",
        on_input(text.textual_difference(), pair),
        lambda: LCSseq.similarity(said, due),
    )
    yield "bleu", "sacrebleu", on_reference(text.bleu(), pair), lambda: bleu.sentence_score(said, [due])
    yield "chrf", "sacrebleu", on_reference(text.chrf(), pair), lambda: chrf.sentence_score(said, [due])
    if find_spec("rouge_score"):
        from rouge_score.rouge_scorer import RougeScorer

        one = RougeScorer(["rouge1"])
        yield "rouge1", "rouge-score", on_reference(text.rouge("rouge1"), pair), lambda: one.score(due, said)
        if len(said) < 5_000:  # its table of n·m takes seconds from here on
            long = RougeScorer(["rougeL"])
            yield "rougeL", "rouge-score", on_reference(text.rouge(), pair), lambda: long.score(due, said)
    if find_spec("autoevals"):
        from autoevals import ExactMatch  # bare equality, as our `equals`
        from autoevals import Levenshtein as Distance

        exact, distance = ExactMatch(), Distance()
        yield "equals", "autoevals", on_input(checks.equals(due), pair), lambda: exact.eval(said, due)
        if len(said) < 5_000:
            yield "levenshtein", "autoevals", on_reference(text.levenshtein(), pair), lambda: distance.eval(said, due)


def microseconds(call: Call, batches: int) -> float:
    """CPU time of one call in the fastest batch; a batch is some milliseconds long."""
    call()
    began = process_time_ns()
    call()
    calls = max(1, 2_000_000 // max(1, process_time_ns() - began))
    took: list[int] = []
    for _ in range(batches):
        gc.collect()
        began = process_time_ns()
        for _ in range(calls):
            call()
        took.append(process_time_ns() - began)
    return min(took) / calls / 1000


def compared(batches: int) -> Iterator[Line]:
    """All comparisons, the two sides one after the other."""
    for letters in SIZES:
        for scorer, other, ours, theirs in sides((prose(letters, 1), prose(letters, 2))):
            yield Line(scorer, other, letters, microseconds(ours, batches), microseconds(theirs, batches))


def large(letters: int) -> Iterator[tuple[str, float, str]]:
    """Every scorer on two long texts: CPU seconds, and the score or the fault."""
    for id, call in long_calls(prose(letters, 1), prose(letters, 2)):
        began = process_time()
        done = call()
        took = process_time() - began
        yield id, took, f"{done.unwrap().score:.3f}" if is_successful(done) else describe(done.failure().cause)


def long_calls(said: str, due: str) -> Iterator[tuple[str, Callable[[], Scored]]]:
    """Text scorers of input and output, those with a reference, those of values, checks, and safety."""
    own = (
        text.content_similarity(),
        text.textual_difference(),
        text.keyword_coverage(),
        text.completeness(),
        text.tone(),
        *(checks.similarity(due), checks.includes(due[1:]), checks.matches(r"\d\w"), checks.is_refusal()),
        *(checks.language("en"), checks.length_within(1), checks.words_within(1), checks.valid_json()),
        *(safety.no_secrets(), safety.no_personal_data(), safety.no_injection_marks()),
        *(safety.valid_urls(), safety.valid_markdown()),
    )
    with_reference = (
        *(text.exact_match(), text.f1(), text.levenshtein(), text.jaro_winkler(), text.bleu(), text.chrf()),
        *(text.rouge("rouge1"), text.rouge("rouge2"), text.rouge("rougeL")),
    )
    lists = Run("", said.split(), due.split())
    objects = Run("", json.dumps(said.split()), json.dumps(due.split()))
    yield from ((scorer.id, on_input(scorer, (said, due))) for scorer in own)
    yield from ((scorer.id, on_reference(scorer, (said, due))) for scorer in with_reference)
    yield "set_overlap", lambda: text.set_overlap().run_sync(lists)
    yield "list_overlap", lambda: text.list_overlap().run_sync(lists)
    yield "json_difference", lambda: text.json_difference(any_order=True).run_sync(objects)
    yield "numeric_closeness", lambda: text.numeric_closeness().run_sync(Run("", said + " 7", 7.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON array of the comparisons")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the batches and of the megabyte")
    parser.add_argument("--large", action="store_true", help="one JSON object of the megabyte's outcomes, nothing else")
    asked = parser.parse_args()
    if asked.large:
        print(json.dumps({id: outcome for id, _, outcome in large(int(MEGABYTE * asked.scale))}))
        return
    lines = list(compared(max(1, int(15 * asked.scale))))
    if asked.json:
        print(json.dumps([attrs.asdict(line) | {"ratio": line.ratio} for line in lines]))
        return
    print(f"{'scorer':20} {'against':12} {'letters':>8} {'ours µs':>10} {'theirs µs':>10} {'ratio':>7}")
    for line in lines:
        told = f"{line.letters:8,} {line.ours:10.1f} {line.theirs:10.1f} {line.ratio:7.2f}"
        print(f"{line.scorer:20} {line.other:12} {told}")
    letters = int(MEGABYTE * asked.scale)
    print(f"\n{letters:,} letters against {letters:,}")
    for id, took, outcome in large(letters):
        print(f"{id:20} {took:8.2f} s  {outcome}")


if __name__ == "__main__":
    main()
