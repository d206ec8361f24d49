"""Reading a scorer: as a tree, and as a fingerprint."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from algebra.leaves import Panel, asking, fixed

from scorewright import create_scorer, plan, pure, score_prompt
from scorewright.algebra import describe, fingerprint, jury, mean, repeat, weighted
from scorewright.core import Run

SRC = Path(__file__).parent.parent.parent / "src"


def test_the_tree_tells_parts_steps_judges_and_scales() -> None:
    """As deep as the scorer is."""
    tree = describe(mean(fixed("a", 1), jury(asking("b"), [Panel("x"), Panel("y")], id="panel")))
    assert tree.splitlines() == [
        "mean(a, panel) (0..1, higher is better)",
        "├── a (0..1, higher is better)",
        "│   └── generate_score: pure",
        "├── panel (0..1, higher is better)",
        "│   ├── juror 1: prompt, asks x",
        "│   ├── juror 2: prompt, asks y",
        "│   ├── jury: pure",
        "│   └── of b (0..1, higher is better, asks panel)",
        "│       └── generate_score: prompt",
        "└── mean: pure",
    ]


def test_a_notebook_shows_it() -> None:
    """Escaped."""
    assert fixed("<a>", 1)._repr_html_().startswith("<pre>&lt;a&gt; (0..1")


def test_steps_say_what_the_parts_may_ask() -> None:
    """So that a plan is a bound, or says that it cannot know."""
    kinds = [step.kind for step in mean(fixed("a", 1), asking("b"), repeat(asking("c"), 2)).steps]
    assert kinds == ["pure", "prompt", "function", "pure"]
    planned = plan(mean(fixed("a", 1), asking("b")), Run("i", "o"))
    assert (len(planned.first), planned.later_at_most) == (1, 0)


def scorer(weight: float = 1.0, prompt: str = "rate", judge: str = "j", factor: float = 2.0) -> object:
    a = create_scorer("a", input=str, output=str, judge=Panel(judge))
    b = create_scorer("b", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / factor))
    return weighted((weight, a.generate_score(score_prompt(lambda s: f"{prompt} {s.run.output}"))), (1, b))


def test_the_fingerprint_changes_with_the_definition() -> None:
    """And with nothing else."""
    one = fingerprint(scorer())
    assert one == fingerprint(scorer())
    assert one.is_stable
    others = [scorer(weight=2.0), scorer(prompt="judge"), scorer(judge="k"), scorer(factor=3.0), scorer().named("x")]
    digests = {fingerprint(other).digest for other in others}
    assert len(digests) == len(others)
    assert one.digest not in digests


LIMIT = 3


def helped(text: str) -> float:
    return min(1.0, len(text) / LIMIT)


def test_the_fingerprint_sees_what_functions_name() -> None:
    """A helper and a constant of the module are part of the definition."""
    global LIMIT  # noqa: PLW0603  # the point of the test
    draft = create_scorer("a", input=str, output=str)
    named = draft.generate_score(pure(lambda s: helped(s.run.output)))
    before = fingerprint(named)
    LIMIT = 4
    after = fingerprint(named)
    LIMIT = 3
    assert before != after
    assert fingerprint(named) == before


def test_what_has_no_form_is_said() -> None:
    """An object without data, a judge without identity."""
    thing = object()
    held = create_scorer("a", input=str, output=str).generate_score(pure(lambda _: float(thing is None)))
    assert fingerprint(held).unstable == ("a object is no data, and nothing else is known of it",)
    nameless = create_scorer("a", input=str, output=str, judge=Panel(""))
    assert fingerprint(nameless.generate_score(pure(lambda _: 1))).unstable == ("a Panel without identity",)


def test_the_fingerprint_is_the_same_in_another_process() -> None:
    """Whatever the seed of hashes is there."""
    code = (
        "from algebra.test_reading import scorer\nfrom scorewright.algebra import fingerprint\n"
        "print(fingerprint(scorer()).digest)"
    )
    path = os.pathsep.join([str(SRC), str(Path(__file__).parent.parent)])
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert len(said) == 1
