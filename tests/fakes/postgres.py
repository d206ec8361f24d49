"""A real PostgreSQL of our own: a cluster in a folder that goes away with the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = "postgres"  # the server refuses to run as root


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is; Debian keeps the server's beside the path."""
    beside = [str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(beside))


def missing() -> str:
    """Why there can be none here; empty where there can."""
    if os.environ.get("SCOREWRIGHT_POSTGRES"):
        return ""
    lacking = [name for name in ("initdb", "pg_ctl") if program(name) is None]
    return f"PostgreSQL is not installed: no {' and no '.join(lacking)} found" if lacking else ""


@contextmanager
def postgres() -> Generator[str]:
    """The address of an empty database; `SCOREWRIGHT_POSTGRES` names a server that is there already."""
    if given := os.environ.get("SCOREWRIGHT_POSTGRES"):
        yield given
        return
    user = _NOBODY if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="scorewright-postgres-"))
    try:
        if user:
            shutil.chown(folder, user)
        port = _free_port()
        cluster = folder / "cluster"
        _run(user, folder, "initdb", "-D", str(cluster), "-U", "scorewright", "-A", "trust", "-E", "UTF8", "--no-sync")
        settings = f"-p {port} -h 127.0.0.1 -k {folder} -c max_connections=40"
        _run(user, folder, "pg_ctl", "-D", str(cluster), "-w", "-l", str(folder / "log"), "-o", settings, "start")
        try:
            yield f"postgresql://scorewright@127.0.0.1:{port}/postgres"
        finally:
            _run(user, folder, "pg_ctl", "-D", str(cluster), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(user: str | None, folder: Path, name: str, *arguments: str) -> None:
    with (folder / "said").open("w+") as said:  # a file: the server keeps a pipe open for as long as it lives
        done = subprocess.run(
            [str(program(name)), *arguments], check=False, user=user, cwd=folder, stdout=said, stderr=said
        )
        said.seek(0)
        assert done.returncode == 0, f"{name}: {said.read()}"


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
