"""Safety and form: what an output must not hold, and whether its links and its Markdown are sound."""

from scorewright.library.safety.analyzers import Analyzer, Recognized, no_personal_data_by
from scorewright.library.safety.finding import Finding, SafetyCheck
from scorewright.library.safety.injection import no_injection_marks
from scorewright.library.safety.links import valid_urls
from scorewright.library.safety.markdown import valid_markdown
from scorewright.library.safety.personal import PersonalKind, no_personal_data
from scorewright.library.safety.secrets import no_secrets

__all__ = [
    "Analyzer",
    "Finding",
    "PersonalKind",
    "Recognized",
    "SafetyCheck",
    "no_injection_marks",
    "no_personal_data",
    "no_personal_data_by",
    "no_secrets",
    "valid_markdown",
    "valid_urls",
]
