"""Every doctest of the package is a test."""

from doctest import ELLIPSIS

from sybil import Sybil
from sybil.parsers.rest import DocTestParser

docstrings = Sybil([DocTestParser(optionflags=ELLIPSIS)], patterns=["scorewright/**/*.py", "scorewright/*.py"])
pytest_collect_file = docstrings.pytest()
