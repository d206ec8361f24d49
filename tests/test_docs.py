"""The documents say what is: links lead somewhere, names exist, tables are true, consoles show real output."""

from __future__ import annotations

import builtins
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Generic, NewType, TypeVar, cast, get_args

import attrs
import pytest
from fakes.openai_server import Answer, FakeOpenAI, closed, reset, said, status
from returns.pipeline import is_successful
from test_house import ROOMS
from test_typing import CHECKERS, Checker, call
from typing_extensions import TypeForm

import scorewright
from scorewright import Judge, Run, create_scorer, faults, prompt
from scorewright.faults import DefinitionError, Fault, NotJson, SchemaMismatch
from scorewright.judges import ErrorRetryProcessor, ModelSettings
from scorewright.judges.delivery import NATIVE, NATIVE_ON_BEDROCK, delivery
from scorewright.judges.transports import DIALECTS
from scorewright.shapes import shape_of
from scorewright.wording import Worded

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = {page.name: page.read_text() for page in sorted(DOCS.glob("*.md"))}
OTHERS = {"changelog.md"}

pytestmark = pytest.mark.once
every_page = pytest.mark.parametrize("page", PAGES)


def table(page: str, name: str) -> list[list[str]]:
    """The rows of the table that follows `<!-- table: name -->`, without its head."""
    _, _, rest = PAGES[page].partition(f"<!-- table: {name} -->")
    assert rest, f"{page} has no table {name}"
    lines = rest.strip().split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


def code(cell: str) -> list[str]:
    """What stands in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)


# Links and names


def anchors(text: str) -> set[str]:
    """The anchors that headings get."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@every_page
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link names a file that exists, and a heading in it."""
    prose = re.sub(r"^```.*?^```", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        file = (DOCS / path).resolve() if path else DOCS / page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file.read_text()), target


def test_every_page_is_reached_from_the_index() -> None:
    """A page that no one links to is not read."""
    linked = set(re.findall(r"\]\(([\w-]+\.md)", PAGES["index.md"]))
    assert PAGES.keys() - linked - {"index.md"} == set(), "link the new page from docs/index.md"


def test_every_public_name_is_told() -> None:
    """Each name of the front door stands in some page, in code."""
    pages = "\n".join(text for page, text in PAGES.items() if page not in OTHERS)
    assert [name for name in scorewright.__all__ if not re.search(rf"\b{name}\b", pages)] == []


def spoken_names(text: str) -> Iterator[str]:
    """Dotted names of ours in code of any kind."""
    yield from (match[0] for match in re.finditer(r"(?<![\w/.-])scorewright(?:\.\w+)+(?!\.?[\w/]|\()", text))


@every_page
def test_every_dotted_name_exists(page: str) -> None:
    """`scorewright.room.name` can be imported, wherever it is said."""
    for name in spoken_names(PAGES[page]):
        assert exists(name), name


def exists(name: str) -> bool:
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


PYTHON = set(dir(builtins)) | set(typing.__all__)  # names of the language
OTHERS_NAMES = {"BaseModel", "CancelledError", "Enum", "Failure", "Result", "Success", "TypedDict", "TypeForm"}
OTHERS_NAMES |= {"Decimal", "Fraction", "UUID", "Unknown", "RunResult", "RunState", "UnwrapFailedError"}


def class_names() -> set[str]:
    """Every class and function that the package defines, and their fields."""
    names: set[str] = set()
    for file in sorted((ROOT / "src" / "scorewright").rglob("*.py")):
        names |= set(re.findall(r"^ *(?:class|def|async def) (\w+)", file.read_text(), re.MULTILINE))
        names |= set(re.findall(r"^ *([A-Za-z]\w*)(?::| =)", file.read_text(), re.MULTILINE))
    return names


@every_page
def test_every_name_in_prose_exists(page: str) -> None:
    """`ClassName` and `function_name(…)` in prose are names of ours, or of Python."""
    prose = re.sub(r"^```.*?^```", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"<!-- reference -->.*?<!-- end -->", "", prose, flags=re.DOTALL)
    ours = class_names()
    defined = set(re.findall(r"(?:class |def )?\b([A-Za-z_]\w*)(?: =|\(|:)", PAGES[page]))
    for said_ in re.findall(r"`([^`\n]+)`", prose):
        for name in re.findall(r"^@?\.?([A-Z][A-Za-z]+[a-z]\w*)(?=\b[^.\w/-]|$)", said_):
            assert name in ours | PYTHON | OTHERS_NAMES | defined, said_


# Tables


def behaviour(words: str) -> tuple[Callable[[], Answer], float | None]:
    """What the fake server does for a row of the retry table; and the timeout of the judge, where it matters."""
    if found := re.fullmatch(r"status (\d+)(?:, code (\w+))?(?:, header ([\w-]+): (\w+))?", words):
        number, said_code, header, value = found.groups()
        body: dict[str, object] = {"error": {"message": "no", "type": "error", "code": said_code}}
        return (lambda: status(int(number), body, {header: value} if header else None)), None
    return {
        "connection reset": (reset, None),
        "connection closed without an answer": (closed, None),
        "no answer within the timeout": (lambda: said("0.5", delay=5), 0.05),
        "a refusal": (lambda: said(None, refusal="I would rather not."), None),
        "finish reason length": (lambda: said('{"value": 0.', finish="length"), None),
        "finish reason content_filter": (lambda: said("", finish="content_filter"), None),
        "an answer that is not JSON": (lambda: said("It is good."), None),
        "an answer of another shape": (lambda: said('{"value": "high"}'), None),
        "empty text": (lambda: said(""), None),
    }[words]


RETRIES = table("retries.md", "retries")


@pytest.mark.parametrize("row", RETRIES, ids=[row[0] for row in RETRIES])
def test_the_retry_table_is_true(row: list[str]) -> None:
    """Each row happens on a server that counts."""
    words, fault, requests = row
    answer, timeout = behaviour(words)
    with FakeOpenAI(lambda _body, _number: answer()) as server:
        judge = Judge(
            "fake", base_url=server.base_url, timeout=timeout, error_processors=[ErrorRetryProcessor(delay=0)]
        )
        scorer = create_scorer("s", input=str, output=str, judge=judge).generate_score(
            prompt(float, lambda _: "Score.")
        )
        failed = scorer.run_sync(Run("in", "out")).failure()
        made = len(server.requests)
    assert (type(failed.cause).__name__, made) == (code(fault)[0], int(requests))


def fault_kinds() -> dict[str, type[Fault]]:
    """Every fault that can be made."""
    return {kind.__name__: kind for kind in get_args(Worded)}


def test_the_table_of_faults_is_whole() -> None:
    """Each fault once, with its fields, and something to do."""
    rows = table("faults.md", "faults")
    assert {code(row[0])[0]: code(row[1]) for row in rows} == {
        name: [field.name for field in attrs.fields(kind)] for name, kind in fault_kinds().items()
    }
    assert len(rows) == len(fault_kinds())
    assert all(row[2] and row[3] for row in rows)


def test_the_tree_of_faults_is_that_of_the_module() -> None:
    """Every name in the drawing exists, and every fault is drawn."""
    _, _, rest = PAGES["faults.md"].partition("## The tree")
    drawn = re.findall(r"\b[A-Z]\w+", rest.split("```")[1])
    assert sorted(drawn) == sorted(["Fault", "JudgeFault", *fault_kinds()])
    assert faults.__doc__ is not None
    assert set(drawn) <= set(re.findall(r"\b[A-Z]\w+", faults.__doc__))


class Color(Enum):
    RED = "red"


@attrs.frozen
class Point:
    x: float
    y: float = 0


T = TypeVar("T")


@attrs.frozen
class Box(Generic[T]):
    inside: T


UserId = NewType("UserId", str)


def named_types() -> dict[str, object]:
    """What the tables of types may name."""
    from pydantic import BaseModel

    class Page(BaseModel):
        number: int

    return {
        **{kind.__name__: kind for kind in (Color, Point, Box, Page, Decimal, date, datetime)},
        **{name: getattr(typing, name) for name in ("Annotated", "Literal", "Mapping", "Sequence")},
        "UserId": UserId,
    }


def forms(name: str) -> Iterator[object]:
    """The types that the first column of a table names."""
    for row in table("structured-output.md", name):
        for said_ in code(row[0].replace(r"\|", "|")):
            if said_ not in {"Enum", "TypedDict", "NewType"}:
                yield eval(said_, named_types())


@pytest.mark.parametrize("form", list(forms("served")), ids=str)
def test_the_served_types_are_served(form: object) -> None:
    """Each has a schema."""
    assert shape_of(cast("TypeForm[object]", form)).schema["type"] == "object"


REFUSED = table("structured-output.md", "refused")


@pytest.mark.parametrize(("form", "row"), list(zip(forms("refused"), REFUSED, strict=True)), ids=str)
def test_the_refused_types_are_refused(form: object, row: list[str]) -> None:
    """With the words of the table."""
    with pytest.raises(DefinitionError) as mistake:
        shape_of(cast("TypeForm[object]", form))
    assert row[1] in str(mistake.value)


READINGS = table("structured-output.md", "readings")


@pytest.mark.parametrize("row", READINGS, ids=[row[0] for row in READINGS])
def test_the_table_of_readings_is_true(row: list[str]) -> None:
    """Each answer is read, or refused, as the table says."""
    read = shape_of(Point).decode(code(row[0])[0])
    if is_successful(read):
        assert row[1] == f"`{read.unwrap()}`"
    else:
        fault = read.failure()
        assert isinstance(fault, (NotJson, SchemaMismatch))
        at = f" at `{fault.path}`" if isinstance(fault, SchemaMismatch) else ""
        assert row[1] == f"`{type(fault).__name__}`{at}: {fault.why}"


def test_the_table_of_judge_fields_is_whole() -> None:
    """Every field of a judge, in order."""
    assert [code(row[0])[0] for row in table("judges.md", "judge")] == [field.name for field in attrs.fields(Judge)]
    settings = next(row[2] for row in table("judges.md", "judge") if row[0] == "`model_settings`")
    assert code(settings) == [field.name for field in attrs.fields(ModelSettings)]


def test_the_table_of_providers_is_whole() -> None:
    """Every provider, with the variable of its key."""
    assert {code(row[0])[0]: code(row[1])[0] for row in table("judges.md", "providers")} == {
        name: dialect.key_env for name, dialect in DIALECTS.items()
    }


def test_the_list_of_native_models_is_whole() -> None:
    """As the code has it."""
    _, _, rest = PAGES["judges.md"].partition("<!-- list: native -->")
    _, told, after, *_ = rest.split("```")
    assert told.removeprefix("text").split() == list(NATIVE)
    assert code(after)[:2] == list(NATIVE_ON_BEDROCK)


def test_the_table_of_delivery_is_true() -> None:
    """Where the schema goes for each value, for a known model and an unknown one."""
    closed_schema = json.dumps(shape_of(Point).schema)
    ways = {"natively": "native", "behind the instructions": "system", "behind the prompt": "inline"}
    for row in table("judges.md", "delivery"):
        for value in code(row[0]):
            known = delivery(eval(value), "openai/gpt-4o", closed_schema, refused=False)
            unknown = delivery(eval(value), "nobody/x", closed_schema, refused=False)
            first, _, other = row[1].partition(", else ")
            assert known == ways[next(words for words in ways if first.startswith(words))]
            assert unknown == (ways[other] if other else known)


SHOWN = [
    (page, match[1], match[2])
    for page, text in PAGES.items()
    for match in re.finditer(r"<!-- shown: (\w+) -->\n\n```text\n(.*?)```", text, re.DOTALL)
]


@pytest.mark.parametrize(("page", "name", "shown"), SHOWN, ids=[f"{page} {name}" for page, name, _ in SHOWN])
def test_what_is_shown_is_what_is_printed(page: str, name: str, shown: str) -> None:
    """The text under an example is the output of the examples up to there."""
    before = PAGES[page].partition(f"<!-- shown: {name} -->")[0]
    blocks = re.findall(r"(?<!-->\n)^```python\n(.*?)^```", before, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith(shown), done.stdout + done.stderr


CONSOLES = [page for page, text in PAGES.items() if "<!-- run -->" in text]


def tidy(output: str) -> str:
    """Without blank edges and without spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in output.strip("\n").splitlines())


@pytest.mark.parametrize("page", CONSOLES)
def test_consoles_show_real_output(page: str, tmp_path: Path) -> None:
    """The files of the page, and the commands in their order, give what the page shows."""
    for name, body in re.findall(r"<!-- file: (\S+) -->\n\n```\w+\n(.*?)^```", PAGES[page], re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(body)
    for shown in re.findall(r"<!-- run -->\n\n```console\n(.*?)^```", PAGES[page], re.MULTILINE | re.DOTALL):
        command, _, output = shown.removeprefix("$ ").partition("\n")
        done = subprocess.run(
            [sys.executable, "-m", "scorewright.cli", *shlex.split(command)[1:]],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert tidy(done.stdout) == tidy(output)


CHECKED = re.findall(r"<!-- checked -->\n\n```py\n(.*?)^```", PAGES["typing.md"], re.MULTILINE | re.DOTALL)


@pytest.mark.typing
@pytest.mark.parametrize("checker", CHECKERS, ids=lambda checker: checker.name)
def test_what_is_said_of_the_checkers_is_true(checker: Checker, tmp_path: Path) -> None:
    """In the examples on typing, exactly the marked lines are errors."""
    marked: set[tuple[str, int]] = set()
    for number, block in enumerate(CHECKED):
        file = tmp_path / f"block_{number}.py"
        file.write_text(block)
        marked |= {(file.name, at) for at, line in enumerate(block.splitlines(), 1) if "# E: " in line}
    options = [option.format(scratch=tmp_path / "cache") for option in checker.options]
    output = call(checker.name, *options, *map(str, sorted(tmp_path.glob("*.py"))))
    found = re.finditer(checker.finding, output, re.MULTILINE)
    assert {(Path(match["path"]).name, int(match["line"])) for match in found} == marked, output


# pages whose examples, one after another, are a module that mypy accepts when it is strict
TYPED = (
    "agents", "budgets", "calibrating", "composing", "health", "index", "judges", "live", "pytest", "suites",
)  # fmt: skip


@pytest.mark.typing
def test_the_examples_of_these_pages_are_typed(tmp_path: Path) -> None:
    """As a reader has them who copies a page: what may be undefined is asked for, and no name gets another type."""
    for name in TYPED:
        blocks = re.findall(r"(?<!-->\n)^```python\n(?!>>>)(.*?)^```", PAGES[f"{name}.md"], re.MULTILINE | re.DOTALL)
        assert blocks, name
        (tmp_path / f"{name}_page.py").write_text("\n".join(blocks))
    mypy = next(checker for checker in CHECKERS if checker.name == "mypy")
    options = [option.format(scratch=tmp_path / "cache") for option in mypy.options]
    output = call("mypy", *options, *map(str, sorted(tmp_path.glob("*.py"))))
    assert not re.findall(mypy.finding, output, re.MULTILINE), output


def test_the_table_of_rooms_is_whole() -> None:
    """Every room that stands, in the order in which they may use each other."""
    house = ROOT / "src" / "scorewright"
    standing = [room for room in ROOMS if (house / f"{room}.py").exists() or any((house / room).glob("*.py"))]
    assert [code(row[0])[0] for row in table("architecture.md", "rooms")] == standing


def test_the_modules_of_the_picture_exist() -> None:
    """`core/prompt.py` and the like are files."""
    named = re.findall(r"\b(?:core|judges)/\w+\.py", PAGES["architecture.md"])
    assert named
    assert [name for name in named if not (ROOT / "src" / "scorewright" / name).exists()] == []
