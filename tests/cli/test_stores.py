"""Which store and which experiment a command takes, and that it says so."""

from __future__ import annotations

import pytest
from cli.folder import Folder
from cli.test_answering import JUDGED
from fakes.openai_server import FakeOpenAI, said

from scorewright.cli.loading import UsageError
from scorewright.cli.stores import At, at
from scorewright.suites.journal import open_store


@pytest.fixture
def kept(folder: Folder) -> Folder:
    """A store with an evaluation and a rescoring of it."""
    folder.rows({"input": "q", "output": "good", "id": "a"}, {"input": "q", "output": "bad", "id": "b"})
    assert folder.call("evaluate", "runs.jsonl", "--scorers=scorers:share", "--store=k.db").code == 0
    assert folder.call("rescore", "k.db", "--scorers=scorers:share").code == 0
    return folder


def ids(folder: Folder) -> list[str]:
    """Of the experiments, the latest last."""
    with open_store(folder.path / "k.db") as store:
        return [each.id for each in store.experiments()]


@pytest.mark.parametrize(
    ("named", "store", "experiment", "found"),
    [
        (("k.db",), None, None, At("k.db")),
        (("k.db#3ffa",), None, None, At("k.db", "3ffa")),
        (("k.db", "3ffa"), None, None, At("k.db", "3ffa")),
        (("3ffa",), "k.db", None, At("k.db", "3ffa")),
        ((), "k.db#3ffa", None, At("k.db", "3ffa")),
        ((), "k.db", "3ffa", At("k.db", "3ffa")),
        (("other.db",), "k.db", None, At("other.db")),
        (("postgresql://host/base",), None, "3ffa", At("postgresql://host/base", "3ffa")),
    ],
)
def test_all_forms_are_one(named: tuple[str, ...], store: str | None, experiment: str | None, found: At) -> None:
    """A store that stands first counts more than --store, which pyproject.toml may give."""
    assert at(*named, store=store, experiment=experiment) == found


@pytest.mark.parametrize(
    ("named", "store", "experiment"), [((), None, None), (("a.db", "b.db"), None, None), (("k.db#1",), None, "2")]
)
def test_none_and_two_are_wrong_usage(named: tuple[str, ...], store: str | None, experiment: str | None) -> None:
    """It is told before a store is opened."""
    with pytest.raises(UsageError):
        at(*named, store=store, experiment=experiment)


def test_every_command_that_reads_a_store_takes_it_in_every_form(kept: Folder) -> None:
    """First, by its option, or from the project's file."""
    first, _ = ids(kept)
    for command in (["report"], ["export", "--output=x.csv", "--force"], ["doctor"], ["list"], ["resume"]):
        forms = [["k.db"], ["--store=k.db"]]
        if command[0] in {"report", "export", "resume"}:
            forms += [
                [f"k.db#{first}"],
                ["k.db", first[:6]],
                [first, "--store=k.db"],
                ["k.db", f"--experiment={first}"],
            ]
        for form in forms:
            done = kept.call(command[0], *form, *command[1:])
            assert done.code == 0, (command, form, done)
    kept.write("pyproject.toml", '[tool.scorewright]\nstore = "k.db"\n')
    for command in (["report"], ["export", "--output=x.csv", "--force"], ["doctor"], ["list"], ["resume"]):
        assert kept.call(*command).code == 0, command
    assert kept.call("list", "bleu").out.startswith("text.bleu")


def test_the_latest_of_several_is_named_and_a_rescoring_has_a_name_of_its_own(kept: Folder) -> None:
    """On stderr, where nothing was named."""
    first, second = ids(kept)
    for command in (("report", "k.db"), ("export", "k.db", "--output=x.csv")):
        assert f"experiment {second}, suite (rescored), the latest of 2" in kept.call(*command).err
    assert kept.call("report", "k.db").out.startswith("suite (rescored)")
    named = kept.call("report", f"k.db#{first}")
    assert (named.err, named.out.startswith("suite  ")) == ("", True)


def test_an_experiment_that_is_compared_with_itself_is_told(kept: Folder) -> None:
    """Not without a word: two of one store are named."""
    first, second = ids(kept)
    assert (
        f"both are experiment {second} of k.db, which is compared with itself"
        in kept.call("compare", "k.db", "k.db").err
    )
    for named in ((f"k.db#{first}", f"k.db#{second}"), (first, second, "--store=k.db")):
        done = kept.call("compare", *named, "--json")
        assert (done.code in {0, 3}, "itself" in done.err) == (True, False), done


def test_what_resume_advises_can_be_called(folder: Folder) -> None:
    """The store and the scorers stand in it."""
    folder.rows({"input": "q", "output": "good", "id": "a"})
    assert folder.call("evaluate", "runs.jsonl", "--scorers=scorers:share", "--store=k.db").code == 0
    text = (folder.path / "scorers.py").read_text()
    folder.write("scorers.py", text.replace('count("good") /', 'count("bad") /'))
    done = folder.call("resume", "--store=k.db", "--concurrency=2")
    _, _, advised = done.err.rpartition(" by scorewright ")
    assert advised.split()[0] == "rescore"
    again = folder.call(*advised.split())
    assert again.code == 0, again.err


def test_a_suite_is_evaluated_offline(folder: Folder) -> None:
    """Recorded once by evaluate, then replayed by evaluate, rescore and resume; what is repeated counts no request."""
    folder.write("judged.py", JUDGED)
    folder.rows(*({"input": "q", "output": f"row {number}", "id": f"{number}"} for number in range(3)))
    with FakeOpenAI(lambda *_: said('{"score": 0.5}')) as server:
        address = server.base_url
        call = ("evaluate", "runs.jsonl", "--scorers=judged:judged", "--json")
        live = folder.call(*call, "--record=t.jsonl", JUDGE=address)
        assert (live.code, len(server.requests)) == (0, 3)
    assert spent(live.report) == 3
    for way in ("--replay", "--record", "--cache"):
        done = folder.call(*call, f"{way}=t.jsonl", JUDGE=address)
        assert (done.code, spent(done.report)) == (0, 0), (way, done)
    stored = folder.call(*call, "--store=k.db", JUDGE=address)
    assert stored.code in {3, 4}
    resumed = folder.call("resume", "k.db", "--replay=t.jsonl", "--json", JUDGE=address)
    assert (resumed.code, spent(resumed.report)) == (0, 0), resumed.err
    again = folder.call("rescore", "k.db", "--scorers=judged:judged", "--replay=t.jsonl", "--json", JUDGE=address)
    assert again.code == 0, again.err
    workers = folder.call("evaluate", "runs.jsonl", "--suite=judged:judged", "--workers=2", "--replay=t.jsonl")
    assert workers.code == 2


def spent(report: dict[str, object]) -> object:
    """How many requests it says were made."""
    took = report["spent"]
    assert isinstance(took, dict)
    return took["attempts"]
