"""Evaluates rows with a target over HTTP, as a process of its own beside another one."""

from __future__ import annotations

import json
import sys
from urllib.request import Request, urlopen

from scorewright import create_scorer, pure
from scorewright.suites import Suite, evaluate_sync


def main(store: str, base_url: str, rows: int, name: str) -> int:
    """Evaluate so many rows into the store, "last" from the last one on; 0 where every one has its score."""

    def target(given: str) -> str:
        body = json.dumps({"model": name, "messages": [{"role": "user", "content": given}]}).encode()
        with urlopen(Request(f"{base_url}/chat/completions", body)) as reply:
            return f"{given}: {json.load(reply)['choices'][0]['message']['content']}"

    right = create_scorer("right", input=str, output=str).generate_score(
        pure(lambda s: s.run.output == f"{s.run.input}: fine")
    )
    given = [{"id": f"r{at}", "input": f"question {at}"} for at in range(rows)]
    ordered = given[::-1] if name == "last" else given
    summary = evaluate_sync(Suite(right), ordered, store=store, target=target, concurrency=4)
    return 0 if str(summary["right"].mean) == f"1 ({rows}/{rows} scored)" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))
