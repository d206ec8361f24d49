"""What the doctor says of a store, and that it changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorewright.suites.journal import open_store
from scorewright.suites.journal.doctor import doctor, filesystem_of

MOUNTS = """\
22 1 254:0 / / rw,relatime - ext4 /dev/root rw
40 22 0:35 / /team\\040drive rw,relatime - nfs4 host:/team rw
41 22 0:36 / /team\\040drive/local rw - xfs /dev/sdb rw
42 22 0:37 / /home rw - cifs //host/home rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/runs.db", "ext4"),
        ("/team drive/runs.db", "nfs4"),
        ("/team drive/local/runs.db", "xfs"),
        ("/team drives/runs.db", "ext4"),
        ("/home/me/runs.db", "cifs"),
        ("/homes/runs.db", "ext4"),
    ],
)
def test_the_innermost_mount_tells_the_file_system(path: str, kind: str) -> None:
    """A folder whose name only begins like a mount is not in it."""
    assert filesystem_of(Path(path), MOUNTS) == kind


def test_a_sound_store_has_no_fault(place: str) -> None:
    """In either database; the version of the database is said."""
    open_store(place).close()
    found = doctor(place)
    assert [each.what for each in found if each.weight == "fault"] == []
    said = " ".join(each.what for each in found)
    assert "version 1, 0 experiments, 0 answers" in said
    assert "SQLite is 3." in said or "PostgreSQL is 1" in said


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """Looking changes nothing."""
    (found,) = doctor(tmp_path / "runs.db")
    assert (found.weight, "the first evaluation makes it" in found.what) == ("warning", True)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_a_fault(tmp_path: Path) -> None:
    """And so are a file of something else and an address that is none."""
    path = tmp_path / "runs.db"
    with open_store(path):
        pass
    held = bytearray(path.read_bytes())
    held[4096 : 4096 * 3] = b"\x07" * (4096 * 2)
    path.write_bytes(bytes(held))
    (tmp_path / "notes.db").write_text("no database at all, only words\n" * 100)
    for where in (path, tmp_path / "notes.db", "mysql://here/runs"):
        assert "fault" in {each.weight for each in doctor(where)}, where


def test_unanswered_calls_are_counted(tmp_path: Path) -> None:
    """They were under way when a process ended."""
    with open_store(tmp_path / "runs.db") as store, store._engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO call (key, worker) VALUES ('k', 'host/1/a')")
    said = [each.what for each in doctor(tmp_path / "runs.db") if each.weight == "warning"]
    assert any("1 calls of judges and targets have no answer" in each for each in said)
