"""Every Python example of the documents and of the README is a test; one document is one module.

A fenced `python` block runs as it stands, one that starts with `>>>` as a doctest. Blocks of other languages
(`console`, `json`) are not run. `<!--- skip: next "reason" -->` before a block leaves it out.
"""

import re
import sys
from doctest import ELLIPSIS
from pathlib import Path
from types import ModuleType

import pytest
from sybil import Document, Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).parent.parent


class ImportableDocument(Document):
    """A document whose classes live in a module, so that their annotations can be resolved as a user's can."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        module = ModuleType("example_" + re.sub(r"\W", "_", str(Path(path).relative_to(ROOT).with_suffix(""))))
        sys.modules[module.__name__] = module
        self.namespace = vars(module)


documents = Sybil(
    [PythonCodeBlockParser(doctest_optionflags=ELLIPSIS), SkipParser()],
    path=str(ROOT),
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    document_types={".md": ImportableDocument},
)


class Documents:
    """A plugin, since the hook of a conftest would not see the README above it."""

    pytest_collect_file = staticmethod(documents.pytest())


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Documents(), "documents")
