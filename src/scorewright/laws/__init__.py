"""Laws: what must hold of programs, pipelines and values, stated apart from the runner that tries them."""

from scorewright.laws.check import check_combinator_laws, check_law, check_laws, check_scorer
from scorewright.laws.combinators import COMBINATOR_LAWS, Combinators
from scorewright.laws.mappings import MAPPING_LAWS, MappingCase, Mappings
from scorewright.laws.pipelines import Interpreters, Trial, scorer_laws
from scorewright.laws.programs import PROGRAM_LAWS, Operations, ProgramCase
from scorewright.laws.promises import EVERY_COMBINATOR, PROMISES, CombinatorCase
from scorewright.laws.recipes import Recipe, built
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, LawBroken, Sides, hold, same
from scorewright.laws.steps import PIPELINE_LAWS, Builder, PipelineCase
from scorewright.laws.values import VALUE_LAWS, ValueCase, Values

__all__ = [
    "COMBINATOR_LAWS",
    "EVERY_COMBINATOR",
    "MAPPING_LAWS",
    "PIPELINE_LAWS",
    "PROGRAM_LAWS",
    "PROMISES",
    "VALUE_LAWS",
    "Builder",
    "CombinatorCase",
    "Combinators",
    "Interpreters",
    "Law",
    "LawBroken",
    "MappingCase",
    "Mappings",
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
    "check_combinator_laws",
    "check_law",
    "check_laws",
    "check_scorer",
    "hold",
    "same",
    "scorer_laws",
]
