"""An application that is served by several workers: `uvicorn live.frameworks.served:app --workers 2`."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from fastapi import FastAPI, Response
from live.watching import polite

from scorewright.live import JsonLines, Live
from scorewright.live.frameworks import ScoringMiddleware

logging.basicConfig(level=logging.INFO, format=f"{os.getpid()} %(message)s")

app = FastAPI()
app.add_middleware(
    ScoringMiddleware(
        polite,
        live=Live(JsonLines(Path(os.environ["SCORES"]) / f"{os.getpid()}.jsonl"), metrics=False),
        input=lambda request: request.json(dict[str, str])["question"],
        output=lambda response: response.json(dict[str, str])["answer"],
        where=lambda request: request.path == "/ask",
        shut_down=True,
    )
)


@app.post("/ask")
async def ask(question: dict[str, str], response: Response) -> dict[str, str]:
    """Answer, and say by whom."""
    response.headers["x-worker"] = str(os.getpid())
    return {"answer": f"please, {question['question']}"}
