"""Whatever users and models wrote, as text that can be shown: cut short, with nothing in it that acts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from typing_extensions import TypeIs

from scorewright.reports.report import Case, Said
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.written import as_json

MOST_SAID = 4_000  # characters of one message of a case
MOST_OF_CASE = 12_000  # of all its messages
_MOST_NAMED = 200

# C0 and C1 but for tab and line feed, marks and isolates of direction, line separators, lone surrogates. Joiners stay:
# Persian and emoji are written with them.
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str, /) -> str:
    r"""The text with every character that acts instead of being read written out.

    >>> visible("a\x1b[31m\u202eb\n")
    'a\\x1b[31m\\u202eb\n'
    """
    if text.isprintable():  # then it holds nothing that acts: most texts, in a tenth of the time
        return text
    return _ACTING.sub(lambda found: repr(found[0])[1:-1], text.replace("\r\n", "\n"))


def cut(text: str, most: int, /) -> str:
    """At most so many characters, and how many there are in all."""
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text):,} characters in all)"


def brief(text: str, most: int, /) -> str:
    """At most so many characters, an ellipsis being the last of those that were cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def text_of(value: object, /) -> str:
    """A value as text: a text as it is, nothing as nothing, all else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else as_json(value)


def told(value: object, /) -> str:
    """A value as text; of messages what each said, a line for each."""
    return "\n".join(f"{each.role}: {each.text}" for each in _messages(value)) or text_of(value)


def case_of(id: str, form: Mapping[str, object], output: object, fault: str, /) -> Case:
    """The row of a store with what was answered, for a reader."""
    left = MOST_OF_CASE
    said: list[Said] = []
    for each in _conversation(form, output):
        text = cut(each.text, min(MOST_SAID, left))
        said.append(Said(brief(each.role, 40), text))
        left -= len(text)
        if left <= 0:
            said.append(Said("", "… the rest is left out"))
            break
    return Case(
        id,
        tuple(said),
        cut(text_of(form.get("expected")), MOST_SAID),
        cut(text_of(form.get("context")), MOST_SAID),
        tags_of(form),
        group_of(form),
        cut(fault, MOST_SAID),
    )


def tags_of(form: Mapping[str, object], /) -> tuple[str, ...]:
    """The tags of a row."""
    return tuple(brief(str(each), _MOST_NAMED) for each in _several(form.get("tags")))


def group_of(form: Mapping[str, object], /) -> str:
    """The group of a row; empty where it has none."""
    held = form.get("group")
    return "" if held is None else brief(str(held), _MOST_NAMED)


def _conversation(form: Mapping[str, object], output: object) -> Iterator[Said]:
    """The agent's own record where there is one, else the turns, else messages that went in, else the pair."""
    beside = form.get("answered")
    held = _recorded(beside.get("run")) if is_object(beside) else []
    if held:
        yield from held
        return
    turns = _several(form.get("turns"))
    if turns:
        answers = beside.get("turns") if is_object(beside) else None
        for at, turn in enumerate(turns):
            if is_object(turn):
                yield Said("user", text_of(turn.get("input")))
                answer = answers[at] if is_list(answers) and at < len(answers) else turn.get("output")
                yield Said("assistant", text_of(answer))
        return
    given = form.get("input")
    messages = _messages(given)
    yield from messages or [Said("input", text_of(given))]
    yield from _messages(output) or [Said("output", text_of(output))]


def _several(value: object) -> Sequence[object]:
    """What is in a list of a file, or in a tuple of a row."""
    return value if is_list(value) or _is_tuple(value) else ()


def _is_tuple(value: object) -> TypeIs[tuple[object, ...]]:
    return isinstance(value, tuple)


def _recorded(run: object) -> list[Said]:
    if not is_object(run):
        return []
    given, done = run.get("input"), run.get("output")
    parts: list[object] = []
    if is_object(given):
        parts = [given.get(name) for name in ("system_messages", "remembered_messages", "input_messages")]
    if is_object(done):
        parts.append(done.get("messages"))
    return [said for part in parts for said in _messages(part)]


def _messages(value: object) -> list[Said]:
    """Messages of any usual form; nothing where the value is no list of messages."""
    if not is_list(value):
        return []
    said: list[Said] = []
    for each in value:
        role = each.get("role") if is_object(each) else None
        if not is_object(each) or not isinstance(role, str):
            return []
        said.append(Said(role, _content(each.get("parts", each.get("content")))))
    return said


def _content(value: object) -> str:
    if not is_list(value):
        return text_of(value)
    texts = [each.get("text") if is_object(each) and isinstance(each.get("text"), str) else each for each in value]
    return "\n".join(text_of(each) for each in texts)
