"""The three streams of the process: there, whatever the caller closed, and stdout kept for the results."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout
from io import TextIOWrapper

STDIN, STDOUT, STDERR = 0, 1, 2  # as processes that are started inherit them


def ready() -> None:
    """Make the streams what the commands count on: open, and never at a loss for how to write a character."""
    for number in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(number)
        except OSError:  # closed by the caller: else the next file that is opened, such as a store, becomes stdout
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or os.fdopen(STDIN, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w", closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a lone surrogate, or a terminal that knows no Unicode


def leave_stdout() -> None:
    """Stdout cannot be written: what is left in its buffer goes nowhere, so that the end of the process is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@contextmanager
def aside() -> Generator[None]:
    """Until it ends, what is printed goes to stderr: by our code and a user's, by processes that are started, by C."""
    kept = os.dup(STDOUT)
    with redirect_stdout(sys.stderr):
        os.dup2(STDERR, STDOUT)
        try:
            yield
        finally:
            if sys.__stdout__ is not None:
                sys.__stdout__.flush()  # where a user's code writes past `sys.stdout`
            os.dup2(kept, STDOUT)
            os.close(kept)
