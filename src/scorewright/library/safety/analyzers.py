"""Personal data in an output, as an analyzer finds it that is handed in: presidio's, or another of its form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scorewright.faults import DefinitionError
from scorewright.library.defining import expect_number, expect_text, expect_texts, spelled
from scorewright.library.safety.finding import Finding, SafetyCheck, located, safety_check


class Recognized(Protocol):
    """What an analyzer found: of which kind, from where, and how sure it is, from 0 to 1."""

    @property
    def entity_type(self) -> str:
        """The kind, such as "PERSON"."""
        ...

    @property
    def start(self) -> int:
        """Where in the text it begins."""
        ...

    @property
    def score(self) -> float:
        """How sure the analyzer is."""
        ...


class Analyzer(Protocol):
    """What finds personal data: `AnalyzerEngine` of presidio-analyzer is one."""

    def analyze(self, text: str, language: str) -> Sequence[Recognized]:
        """All that it finds in a text."""
        ...


def no_personal_data_by(
    analyzer: Analyzer, name: str, kinds: Sequence[str] = (), /, *, language: str = "en", sure: float = 0.5
) -> SafetyCheck:
    """Whether an analyzer finds no personal data in the output: names and places too, where it has a model for them.

    `name` says in the id which analyzer that is, with its model. Of `kinds` only these count, all where none is given;
    what it is less than `sure` of does not count. Reasons tell kind and line, never what was found. What the analyzer
    raises is the fault `StepRaised`.
    """
    if not callable(getattr(analyzer, "analyze", None)):
        raise DefinitionError(
            "no_personal_data_by(analyzer, …) takes what has analyze(text, language), such as AnalyzerEngine() of "
            f"presidio_analyzer (pip install 'scorewright[presidio]'), not {type(analyzer).__name__}"
        )
    expect_text(name, "no_personal_data_by(analyzer, name)", blank=False)
    expect_texts(kinds, "no_personal_data_by(analyzer, name, kinds)")
    expect_text(language, "no_personal_data_by(…, language=…)", blank=False)
    expect_number(sure, "no_personal_data_by(…, sure=…)", most=1.0)
    wanted = frozenset(kinds)

    def find(text: str) -> Sequence[Finding]:
        found = analyzer.analyze(text=text, language=language) if text.strip() else ()
        counting = [each for each in found if each.score >= sure and (not wanted or each.entity_type in wanted)]
        return located(text, ((each.entity_type, each.start) for each in sorted(counting, key=lambda each: each.start)))

    id = spelled(
        "no_personal_data_by", name, kinds=(wanted, frozenset[str]()), language=(language, "en"), sure=(sure, 0.5)
    )
    return safety_check(id, f"{name} finds no personal data in the output", find, "no personal data found")
