"""Laws: what must hold of programs, pipelines and values, stated apart from the runner that tries them."""

from scorewright.laws.check import check_law, check_laws, check_scorer
from scorewright.laws.pipelines import Interpreters, Trial, scorer_laws
from scorewright.laws.programs import PROGRAM_LAWS, Operations, ProgramCase
from scorewright.laws.recipes import Recipe, built
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, LawBroken, Sides, hold, same
from scorewright.laws.steps import PIPELINE_LAWS, Builder, PipelineCase
from scorewright.laws.values import VALUE_LAWS, ValueCase, Values

__all__ = [
    "PIPELINE_LAWS",
    "PROGRAM_LAWS",
    "VALUE_LAWS",
    "Builder",
    "Interpreters",
    "Law",
    "LawBroken",
    "Operations",
    "PipelineCase",
    "ProgramCase",
    "Recipe",
    "Script",
    "Sides",
    "Trial",
    "ValueCase",
    "Values",
    "built",
    "check_law",
    "check_laws",
    "check_scorer",
    "hold",
    "same",
    "scorer_laws",
]
