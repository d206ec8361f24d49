"""What keeps a source from being read at all. What is merely missing inside a run is a gap of the run.

TraceFault
├── UnknownDialect     no reader knows this shape, or the one that was named does not
└── Unreadable         not there, not JSON, nested too deeply; or one line of many
"""

from __future__ import annotations

from typing import final

import attrs

from scorewright.faults import Fault


@attrs.frozen
class TraceFault(Fault):
    """The base of what keeps a source from being read."""


@final
@attrs.frozen
class UnknownDialect(TraceFault):
    """No reader knows this shape: what was seen, and what each reader looked for."""

    saw: str
    looked_for: tuple[str, ...]

    def described(self) -> str:
        """What was seen and what was looked for, in one sentence."""
        return f"No reader knows this trace: what was seen is {self.saw}; looked for: {'; '.join(self.looked_for)}"


@final
@attrs.frozen
class Unreadable(TraceFault):
    """The source, or one place in it, cannot be read: where and why."""

    where: str
    why: str

    def described(self) -> str:
        """Where and why, in one sentence."""
        return f"The trace cannot be read at {self.where}: {self.why}"
