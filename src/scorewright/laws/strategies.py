"""What laws are tried on: Hypothesis strategies for runs, programs, pipelines and judges (extra `[laws]`)."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from typing_extensions import TypeVar

from scorewright.core import JudgeReply, Run, Scale, Scorer, create_scorer, score_prompt
from scorewright.faults import EmptyReply, JudgeFault, NotJson, RateLimited, Refused, ServerError, TimedOut, Unreachable
from scorewright.judges import Judge
from scorewright.laws.mappings import MappingCase, Reworded, TextScorer, Toward
from scorewright.laws.pipelines import Trial
from scorewright.laws.programs import ProgramCase
from scorewright.laws.promises import CombinatorCase, Juror
from scorewright.laws.recipes import ABSENT, PLACES, STOPPING, WORKING, Kind, Recipe, built
from scorewright.laws.script import Script
from scorewright.laws.steps import PipelineCase
from scorewright.laws.trees import Beside, Blow, Give, Inquire, Later, Lose, Tree
from scorewright.laws.values import Affine, ValueCase
from scorewright.results import err, ok

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")

_SMALL = st.integers(-3, 9)
_NAMES = st.sampled_from(("why", "how", "which"))


def runs(
    input: SearchStrategy[In], output: SearchStrategy[Out], expected: SearchStrategy[Ref], /
) -> SearchStrategy[Run[In, Out, Ref]]:
    """Runs of the given parts; `st.none()` where there is no reference answer."""
    return st.tuples(input, output, expected).map(lambda given: Run(given[0], given[1], given[2]))


def text_runs() -> SearchStrategy[Run[str, str, None]]:
    """Runs of short texts without a reference answer."""
    texts = st.text(max_size=6)
    return st.tuples(texts, texts).map(lambda given: Run(given[0], given[1]))


def scripts(*, trouble: float = 0.25) -> SearchStrategy[Script]:
    """Scripted judges; `trouble` is the share of asks that go wrong."""
    return st.builds(Script, st.integers(0, 2**16), st.integers(0, 64), st.just(trouble))


def faults() -> SearchStrategy[JudgeFault]:
    """Faults that a judge may answer with."""
    return st.sampled_from(
        (
            Unreachable("no route"),
            TimedOut("after 1 s"),
            RateLimited("slow down", 1.0),
            ServerError(503, "overloaded"),
            Refused("no"),
            EmptyReply(),
            NotJson("{", "cut short"),
        )
    )


def replies(texts: SearchStrategy[str], /) -> SearchStrategy[JudgeReply]:
    """Replies with one of these texts, or with a fault."""
    good = texts.map(lambda text: JudgeReply(ok(text)))
    return st.one_of(good, faults().map(lambda fault: JudgeReply(err(fault))))


def trees(*, raising: bool = False, awaiting: bool = True) -> SearchStrategy[Tree]:
    """Programs as data: nested asks, forks and awaits. `raising` ones belong inside the parts of a fork."""
    leaves: SearchStrategy[Tree] = st.one_of(st.builds(Give, _SMALL), st.builds(Lose, _NAMES))
    if raising:
        leaves = st.one_of(leaves, st.builds(Blow, _NAMES))

    def grow(inner: SearchStrategy[Tree]) -> SearchStrategy[Tree]:
        asking: SearchStrategy[Tree] = st.builds(Inquire, _NAMES, inner, inner)
        beside: SearchStrategy[Tree] = st.builds(Beside, st.lists(inner, max_size=3).map(tuple), inner)
        later: SearchStrategy[Tree] = st.builds(Later, st.integers(0, 3), inner)
        return st.one_of(asking, beside, later) if awaiting else st.one_of(asking, beside)

    return st.recursive(leaves, grow, max_leaves=6)


def program_cases() -> SearchStrategy[ProgramCase]:
    """What the laws of programs are tried on."""
    parts = st.lists(trees(raising=True), max_size=4).map(tuple)
    return st.builds(ProgramCase, _SMALL, trees(), trees(), trees(), parts, scripts(), st.integers(0, 64))


def recipes() -> SearchStrategy[Recipe]:
    """Pipelines: each step absent, working in one of five ways, or stopping in one of three."""
    working = st.sampled_from(WORKING)
    scoring: SearchStrategy[Kind] = st.one_of(working, working, st.sampled_from(STOPPING))
    any_kind: SearchStrategy[Kind] = st.one_of(st.sampled_from(ABSENT), scoring)
    return st.builds(Recipe, any_kind, any_kind, scoring, any_kind, st.integers(0, 7))


def scorers() -> SearchStrategy[Scorer[str, str, object, object]]:
    """Generated pipelines, and what the methods of scorers make of them: mapped, with fallbacks, zipped."""
    plain = recipes().map(_built)
    return st.one_of(plain, st.recursive(plain, _composed, max_leaves=3))


def _built(recipe: Recipe) -> Scorer[str, str, object, object]:
    return built(recipe, lambda _: None)


def _composed(inner: SearchStrategy[TextScorer]) -> SearchStrategy[TextScorer]:
    mapped: SearchStrategy[TextScorer] = st.one_of(
        st.tuples(inner, towards()).map(lambda given: given[0].map_score(given[1])),
        st.tuples(inner, rewordings()).map(lambda given: given[0].map_reason(given[1])),
        inner.map(lambda scorer: scorer.map_reason(_wordless)),
        inner.map(lambda scorer: scorer.rescale(Scale(1, 5)).invert().rescale().invert()),
    )
    pairs = st.tuples(inner, inner)
    zipped = pairs.map(lambda pair: pair[0].zip(pair[1]).generate_score(lambda one, two: one.score * two.score))
    return st.one_of(mapped, pairs.map(lambda pair: pair[0].or_else(pair[1])), zipped)


def _wordless(reason: str) -> str:
    raise ValueError(f"no words for {reason!r}")


def towards() -> SearchStrategy[Toward]:
    """Functions from scores to scores, on the scale from 0 to 1."""
    return st.builds(Toward, st.sampled_from((0.0, 1.0)), st.sampled_from((0.0, 0.25, 0.5, 1.0)))


def rewordings() -> SearchStrategy[Reworded]:
    """Functions from texts to texts."""
    return st.builds(Reworded, st.sampled_from(("upper", "twice", "short")))


def mapping_cases() -> SearchStrategy[MappingCase]:
    """What the laws of mappings are tried on."""
    one, said = recipes().map(_built), rewordings()
    targets = st.sampled_from((Scale(1, 5), Scale(-1, 0), Scale(0, 100)))
    return st.builds(
        MappingCase,
        st.tuples(one, one, one),
        towards(),
        towards(),
        st.tuples(said, said),
        targets,
        text_runs(),
        scripts(trouble=0.1),
    )


def combinator_cases() -> SearchStrategy[CombinatorCase]:
    """What the laws of combinators are tried on: generated pipelines, most of which give a score."""
    salts, weights = st.integers(0, 7), st.floats(1e-3, 1e3)
    scored = st.builds(Recipe, st.just("absent"), st.just("absent"), st.sampled_from(WORKING), st.just("pure"), salts)
    one = st.one_of(scored, scored, recipes())
    named = st.tuples(one, st.sampled_from(("a", "b"))).map(lambda given: _built(given[0]).named(given[1]))
    return st.builds(
        CombinatorCase,
        st.tuples(named, named, named),
        st.integers(0, 4).map(_asking),
        st.tuples(weights, weights, weights),
        st.integers(1, 6),
        text_runs(),
        scripts(trouble=0.1),
    )


def _asking(salt: int) -> TextScorer:
    draft = create_scorer("asking", input=str, output=str, judge=Juror("alone"))
    return draft.generate_score(score_prompt(lambda step: f"{salt} {step.run.output}"))


def pipeline_cases() -> SearchStrategy[PipelineCase]:
    """What the laws of the four steps are tried on."""
    return st.builds(
        PipelineCase, recipes(), st.sampled_from(PLACES), st.sampled_from(STOPPING), text_runs(), scripts(trouble=0.1)
    )


def trials(
    scorers: SearchStrategy[Scorer[In, Out, Ref, object]],
    runs: SearchStrategy[Run[In, Out, Ref]],
    scripts: SearchStrategy[Script],
    /,
) -> SearchStrategy[Trial[In, Out, Ref]]:
    """What the laws of scorers are tried on."""
    return st.builds(Trial[In, Out, Ref], scorers, runs, runs, scripts)


def scales() -> SearchStrategy[Scale]:
    """Scales, the unbounded one too."""
    ends = st.floats(allow_nan=False)
    return st.tuples(ends, ends).filter(lambda pair: pair[0] < pair[1]).map(lambda pair: Scale(*pair))


def scores() -> SearchStrategy[object]:
    """What a score step may come up with: numbers of every make, and what is none."""
    return st.one_of(
        st.floats(-2, 2),
        st.floats(),
        st.integers(),
        st.booleans(),
        st.decimals(),
        st.fractions(),
        st.text(max_size=3),
        st.none(),
    )


def judges() -> SearchStrategy[Judge]:
    """Judges with some things left open."""
    return st.builds(
        Judge,
        st.sampled_from(("", "openai/gpt-4o-mini", "openai/gpt-4o")),
        st.sampled_from(("", "Be strict.", "Be kind.")),
        base_url=st.sampled_from(("", "http://127.0.0.1:1/v1")),
        api_key_env=st.sampled_from(("", "ONE_KEY", "OTHER_KEY")),
        timeout=st.one_of(st.none(), st.floats(1, 60)),
    )


def value_cases() -> SearchStrategy[ValueCase]:
    """What the laws of values are tried on."""
    affine = st.builds(Affine, _SMALL, _SMALL)
    three = st.tuples(judges(), judges(), judges())
    return st.builds(ValueCase, _SMALL, trees(), affine, affine, scripts(), scales(), scores(), three, st.just(Judge()))
