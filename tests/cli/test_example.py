"""The bundled example is real work: its scorers tell good answers from bad ones."""

from __future__ import annotations

import importlib.util
import shutil
import sys

import pytest
from cli.folder import ROOT, Folder

EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture
def scores(folder: Folder) -> dict[str, dict[str, object]]:
    """Every record, by row and scorer, of the command in the README."""
    done = folder.call(
        "score", f"{EXAMPLES}/support.jsonl", "--scorers", f"{EXAMPLES}/support.py", "--out", "results.jsonl"
    )
    assert (done.code, done.err) == (0, "")
    assert "30 rows · 3 scorers" in done.out
    results = folder.results()
    ids = dict.fromkeys(str(each["id"]) for each in results)
    return {id: {str(each["scorer"]): each["score"] for each in results if each["id"] == id} for id in ids}


def test_every_scorer_discriminates(scores: dict[str, dict[str, object]]) -> None:
    """Each has the best, the worst and something between among thirty answers."""
    assert len(scores) == 30
    for scorer in ("facts", "policy", "language"):
        given = [row[scorer] for row in scores.values() if row[scorer] is not None]
        assert len(given) >= 20
        assert min(given) == 0
        assert max(given) == 1
        assert len(set(given)) >= 4


def test_the_scorers_see_what_a_person_sees(scores: dict[str, dict[str, object]]) -> None:
    """Great, curt, promising too much, in the wrong language, empty, without a reference."""
    assert scores["return-in-time"] == {"facts": 1.0, "policy": 1.0, "language": 1.0}
    assert scores["parcel-late-curt"]["facts"] == 0.0
    assert scores["parcel-guaranteed"]["policy"] == 0.0
    assert scores["return-late-refused"]["policy"] == 1.0
    assert scores["return-late-granted"]["policy"] == 0.0
    assert scores["de-in-english"]["language"] == 0.0
    assert scores["stock"] == {"facts": 0.0, "policy": None, "language": None}
    assert scores["thanks"]["facts"] is None


def test_the_readme_shows_what_the_command_prints(folder: Folder) -> None:
    """Letter by letter, but for blanks at the ends of lines."""
    shutil.copytree(EXAMPLES, folder.path / "docs" / "examples")
    done = folder.call("score", "docs/examples/support.jsonl", "--scorers", "docs/examples/support.py")
    printed = "\n".join(line.rstrip() for line in done.out.strip("\n").split("\n"))
    assert f"```text\n{printed}\n```\n" in (ROOT / "README.md").read_text()


def test_the_example_is_short() -> None:
    """At most sixty lines, blank ones too, and it can be imported on its own."""
    assert len((EXAMPLES / "support.py").read_text().splitlines()) <= 60
    spec = importlib.util.spec_from_file_location("support_example", EXAMPLES / "support.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["support_example"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    steps = [step.name for step in module.policy.steps]
    assert steps == ["preprocess", "analyze", "generate_score", "generate_reason"]
