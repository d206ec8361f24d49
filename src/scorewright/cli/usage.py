"""Wrong usage, told in one line with the form to use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from scorewright.cli.loading import UsageError
from scorewright.faults import DefinitionError

if TYPE_CHECKING:
    from cyclopts import CycloptsError

_SCORERS: Final = "--scorers module:name"
_KEYWORD: Final = re.compile(r"\b(?:\w+\((\w+)=…\)|([a-z][a-z_]*)=(?=[\s,;:]|$))")
_STORED: Final = "STORE[#ID]"
FORMS: Final[Mapping[str, str]] = {
    "score": f"RUNS {_SCORERS}",
    "check": "MODULE…",
    "convert": "FILE",
    "evaluate": "ROWS --suite module:name",
    "resume": _STORED,
    "rescore": f"{_STORED} {_SCORERS}",
    "export": f"{_STORED} --output FILE",
    "doctor": "STORE",
    "list": "[NAME or STORE]",
    "report": _STORED,
    "compare": f"{_STORED} {_STORED}",
    "calibrate": "ROWS --scorer module:name",
    "receive": f"{_SCORERS} --output FILE",
    "watch": "FILE or STORE",
}


class Misused(UsageError):
    """What was given makes no call of the command; the message is told with the form of one."""


def formed(message: str, command: str, /) -> str:
    """The message, and the form that the command takes."""
    form = f"scorewright {command} {FORMS[command]}" if command in FORMS else "scorewright COMMAND"
    said = message.rstrip(".")
    return f"{said}{' The' if said.endswith('?') else '; the'} form is {form}, and --help tells the rest"


def mistaken(mistake: DefinitionError, /) -> UsageError:
    """A mistake in what was given, by the names of options: `levels=` is `--levels`, `Window(count=…)` is `--count`."""
    return UsageError(_KEYWORD.sub(lambda found: f"--{(found[1] or found[2]).replace('_', '-')}", str(mistake)))


def told(wrong: CycloptsError, command: str, /) -> str:
    """What the reader of the command line found, in one line."""
    from cyclopts import MissingArgumentError, UnusedCliTokensError

    if isinstance(wrong, UnusedCliTokensError):
        return formed(f"nothing takes {' '.join(wrong.unused_tokens or ())}", command)
    if isinstance(wrong, MissingArgumentError) and wrong.argument is not None:
        name, given = wrong.argument.name, wrong.keyword is not None or wrong.argument.tokens
        return formed(f"{name} takes a value" if given else f"{name} is missing", command)
    said = " ".join(str(wrong).split()).partition(" Available commands")[0]
    return formed(f"{said[:1].lower()}{said[1:]}", command)
