"""The command line: `scorewright score RUNS.jsonl --scorers module:name`."""

from scorewright.cli.app import main

__all__ = ["main"]
