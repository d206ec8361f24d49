"""What importing does to a process that has loops of its own: nothing."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import asyncio, sys, threading
asyncio.get_event_loop_policy()
before = [asyncio.run, asyncio.get_event_loop_policy(), asyncio.BaseEventLoop.run_until_complete, asyncio.Task]
opened = []
sys.addaudithook(lambda event, given: opened.append(event) if event.startswith(("socket.", "subprocess.")) else None)

def load():
    import scorewright, scorewright.suites, scorewright.judges, scorewright.library, scorewright.live

for _ in range(2):
    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
after = [asyncio.run, asyncio.get_event_loop_policy(), asyncio.BaseEventLoop.run_until_complete, asyncio.Task]
print(before == after, "nest_asyncio" in sys.modules, threading.active_count(), opened)
"""


def test_an_import_leaves_asyncio_as_it_is() -> None:
    """`vibrantlabsai/ragas#1819`: no loop is patched, no thread begun, nothing connected to; from any thread."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "True False 1 []\n"
