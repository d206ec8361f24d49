"""Every doctest of the package is a test."""

from doctest import ELLIPSIS

from sybil import Sybil
from sybil.parsers.rest import DocTestParser

docstrings = Sybil(
    [DocTestParser(optionflags=ELLIPSIS)], patterns=[f"scorewright/{deep}*.py" for deep in ("", "*/", "*/*/")]
)
pytest_collect_file = docstrings.pytest()
