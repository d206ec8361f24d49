"""Servers that scores are exported to, on the loopback: Langfuse, Phoenix, MLflow, and an OTLP receiver.

Each speaks its HTTP as the real one does, keeps what it took, and refuses what the real one refuses. Answers that are
put into `first` are given before any of its own, so that a test says when a server is busy or broken.
"""

from __future__ import annotations

import json
import re
import threading
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from posixpath import normpath
from types import TracebackType
from typing import Self, TypeAlias, cast
from urllib.parse import parse_qs, urlsplit

import attrs

Form: TypeAlias = dict[str, object]
Headers: TypeAlias = dict[str, str]


@attrs.frozen
class Reply:
    """What is answered. With `lost` the request is worked on, and the connection is closed instead of an answer."""

    status: int = 200
    body: bytes = b"{}"
    headers: Headers = attrs.field(factory=dict[str, str])
    lost: bool = False


def reply(form: object, status: int = 200, headers: Headers | None = None) -> Reply:
    """JSON."""
    return Reply(status, json.dumps(form).encode(), headers or {})


@attrs.frozen
class Request:
    """One request, down to the bytes."""

    method: str
    target: str
    headers: Headers  # names in lower case
    raw: bytes

    @property
    def json(self) -> Form:
        return cast("Form", json.loads(self.raw))


class Backend:
    """A server; listens while its `with` block runs."""

    most_bytes: int = 1 << 30

    def __init__(self, first: Iterable[Reply] = ()) -> None:
        self.first = deque(first)
        self.requests: list[Request] = []
        self.broken: list[BaseException] = []
        self.lose: Callable[[Request], bool] = lambda _: False  # whether the answer to a request that was done is lost
        self.lock = threading.Lock()

    def answer(self, request: Request) -> Reply:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if self.broken and raised is None:
            raise self.broken[0]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answered(self, request: Request) -> Reply:
        with self.lock:
            self.requests.append(request)
            try:
                if self.first:
                    return self.first.popleft()
                if len(request.raw) > self.most_bytes:
                    return reply({"message": "Body exceeded limit"}, 413)
                made = self.answer(request)
                return attrs.evolve(made, lost=True) if self.lose(request) else made
            except BaseException as broken:  # noqa: BLE001 - raised again where the test can see it
                self.broken.append(broken)
                return reply({"message": "broken"}, 500)


def _handler(backend: Backend) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 5
        wbufsize = 1 << 16  # headers and body in one piece: else the kernel waits for the client

        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            made = backend.answered(Request(self.command, self.path, headers, raw))
            if made.lost:
                self.close_connection = True
                return
            self.send_response(made.status)
            for name, value in {"Content-Type": "application/json", **made.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(made.body)))
            self.end_headers()
            self.wfile.write(made.body)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - the names of the standard library

        def log_message(self, format: str, *args: object) -> None:  # noqa: ARG002 - it tells nobody
            return

    return Handler


class FakeLangfuse(Backend):
    """Scores in a list, or as events; a score of the same id, name and day replaces the one before."""

    most_bytes = 1_000_000
    public, secret = "pk-lf-1234567890", "sk-lf-very-secret-0987654321"

    def __init__(self, first: Iterable[Reply] = (), *, refuses: Callable[[Form], str] = lambda _: "") -> None:
        super().__init__(first)
        self.scores: dict[tuple[str, str, str], Form] = {}
        self.refuses = refuses
        self.events: set[str] = set()

    def answer(self, request: Request) -> Reply:
        basic = b64encode(f"{self.public}:{self.secret}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {basic}":
            return reply({"message": "Invalid credentials", "error": "UnauthorizedError"}, 401)
        read: object = json.loads(request.raw)
        if (request.method, request.target) == ("POST", "/api/public/scores") and isinstance(read, list):
            return self._list(cast("list[Form]", read))
        if (request.method, request.target) == ("POST", "/api/public/ingestion"):
            return self._events(cast("list[Form]", cast("Form", read)["batch"]))
        return reply({"message": "Not found"}, 404)

    def _list(self, scores: list[Form]) -> Reply:
        errors = [{"message": why} for score in scores if (why := self._put(score))]
        if not errors:
            return reply({"message": "Accepted"}, 202)
        return reply({"accepted": len(scores) - len(errors), "rejected": len(errors), "errors": errors}, 207)

    def _events(self, events: list[Form]) -> Reply:
        successes: list[Form] = []
        errors: list[Form] = []
        for event in events:
            assert event["type"] == "score-create"
            assert event["timestamp"]
            id = str(event["id"])
            why = "" if id in self.events else self._put(cast("Form", event["body"]))
            if why:
                errors.append({"id": id, "status": 400, "message": "Invalid request data", "error": why})
            else:
                self.events.add(id)
                successes.append({"id": id, "status": 201})
        return reply({"successes": successes, "errors": errors}, 207)

    def _put(self, score: Form) -> str:
        kind, value = score.get("dataType", "NUMERIC"), score.get("value")
        if kind == "CATEGORICAL":
            sound = isinstance(value, str)
        else:
            sound = isinstance(value, (int, float)) and (kind == "NUMERIC" or value in {0, 1})
        if not (sound and score.get("name") and score.get("traceId")):
            return f"invalid value for {kind}"
        why = self.refuses(score)
        if not why:
            self.scores[str(score["timestamp"])[:10], str(score["name"]), str(score["id"])] = score
        return why


class FakePhoenix(Backend):
    """Annotations of spans and traces that are there; one of the same place, name and identifier is replaced."""

    key = "phoenix-api-key-1234567890"

    def __init__(self, first: Iterable[Reply] = (), *, knows: Callable[[str], bool] = lambda _: True) -> None:
        super().__init__(first)
        self.knows = knows
        self.annotations: dict[tuple[str, str, str], Form] = {}

    def answer(self, request: Request) -> Reply:
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return reply({"detail": "Invalid token"}, 401)
        found = re.fullmatch(r"/v1/(span|trace)_annotations\?sync=true", request.target)
        if found is None or request.method != "POST":
            return reply({"detail": "Not Found"}, 404)
        of = f"{found[1]}_id"
        data = cast("list[Form]", request.json["data"])
        if wrong := [
            each for each in data if each["annotator_kind"] not in {"LLM", "CODE", "HUMAN"} or not each["name"]
        ]:
            return reply({"detail": f"unprocessable: {wrong[0]}"}, 422)
        missing = {str(each[of]) for each in data if not self.knows(str(each[of]))}
        if missing:
            text = f"{found[1].capitalize()}s with IDs {', '.join(sorted(missing))} do not exist."
            return Reply(404, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})
        for each in data:
            self.annotations[str(each[of]), str(each["name"]), str(each["identifier"])] = each
        return reply({"data": [{"id": f"U3Bhbg=={at}"} for at in range(len(data))]})


class FakeMlflow(Backend):
    """Traces and their assessments, experiments and their runs; each POST that makes something makes a new one."""

    def __init__(self, first: Iterable[Reply] = (), *, knows: Callable[[str], bool] = lambda _: True) -> None:
        super().__init__(first)
        self.knows = knows
        self.assessments: dict[str, dict[str, Form]] = {}
        self.made = 0
        self.experiments = {"Default": "0"}
        self.runs: dict[str, MlflowRun] = {}

    @property
    def all(self) -> list[Form]:
        return [each for held in self.assessments.values() for each in held.values()]

    def answer(self, request: Request) -> Reply:
        asked = urlsplit(request.target)
        if asked.path.startswith("/api/2.0/mlflow/"):
            return self._runs(request, asked.path.removeprefix("/api/2.0/mlflow/"), parse_qs(asked.query))
        parts = asked.path.removeprefix("/api/3.0/mlflow/traces/").split("/")
        trace = parts[0]
        if not self.knows(trace):
            return reply(
                {"error_code": "RESOURCE_DOES_NOT_EXIST", "message": f"Trace with ID '{trace}' not found."}, 404
            )
        held = self.assessments.setdefault(trace, {})
        if request.method == "GET" and len(parts) == 1:
            info = {"trace_id": trace, "state": "OK", "assessments": [*held.values()]}
            return reply({"trace": {"trace_info": info}})
        if request.method == "POST" and parts[1:] == ["assessments"]:
            self.made += 1
            id = f"a-{self.made}"
            held[id] = {"assessment_id": id, "valid": True, **_stored(cast("Form", request.json["assessment"]))}
            return reply({"assessment": held[id]})
        if request.method == "PATCH" and parts[1] == "assessments":
            changed = _stored(cast("Form", request.json["assessment"]))
            for name in str(request.json["update_mask"]).split(","):
                both = {**cast("Form", held[parts[2]]["metadata"]), **cast("Form", changed["metadata"])}
                held[parts[2]][name] = both if name == "metadata" else changed[name]
            return reply({"assessment": held[parts[2]]})
        return reply({"error_code": "ENDPOINT_NOT_FOUND"}, 404)

    def _runs(self, request: Request, path: str, asked: dict[str, list[str]]) -> Reply:
        if (request.method, path) == ("GET", "experiments/get-by-name"):
            name = asked["experiment_name"][0]
            if name not in self.experiments:
                return reply({"error_code": "RESOURCE_DOES_NOT_EXIST", "message": f"no experiment {name}"}, 404)
            return reply({"experiment": {"experiment_id": self.experiments[name], "lifecycle_stage": "active"}})
        if request.method != "POST":
            return reply({"error_code": "ENDPOINT_NOT_FOUND"}, 404)
        form = request.json
        if path == "experiments/create":
            id = self.experiments[str(form["name"])] = str(len(self.experiments))
            return reply({"experiment_id": id})
        if path == "runs/create":
            self.made += 1
            tags = {str(each["key"]): str(each["value"]) for each in cast("list[Form]", form["tags"])}
            run = MlflowRun(f"run-{self.made}", str(form["experiment_id"]), str(form["run_name"]), tags)
            self.runs[run.id] = run
            return reply({"run": run.form})
        if path == "runs/search":
            found = re.fullmatch(r"tags\.`([\w.]+)` = '(\w+)'", str(form["filter"]))
            assert found is not None
            runs = [
                each.form
                for each in self.runs.values()
                if each.experiment in cast("list[str]", form["experiment_ids"]) and each.tags.get(found[1]) == found[2]
            ]
            return reply({"runs": runs} if runs else {})
        run = self.runs[str(form["run_id"])]
        if path == "runs/update":
            run.status = str(form["status"])
            return reply({"run_info": run.form["info"]})
        if path == "runs/log-batch":
            return run.log(cast("list[Form]", form["metrics"]))
        return reply({"error_code": "ENDPOINT_NOT_FOUND"}, 404)


class MlflowRun:
    """A run: every value that a metric ever had, of which the one of the greatest step, time and value is shown."""

    def __init__(self, id: str, experiment: str, name: str, tags: dict[str, str]) -> None:
        self.id, self.experiment, self.name, self.tags, self.status = id, experiment, name, tags, "RUNNING"
        self.history: set[tuple[str, int, int, float]] = set()

    @property
    def metrics(self) -> dict[str, float]:
        return {key: value for key, _, _, value in sorted(self.history)}

    @property
    def form(self) -> Form:
        latest = {key: {"key": key, "value": value, "timestamp": at, "step": step}
                  for key, step, at, value in sorted(self.history)}  # fmt: skip
        info = {"run_id": self.id, "experiment_id": self.experiment, "run_name": self.name, "status": self.status}
        tags = [{"key": key, "value": value} for key, value in self.tags.items()]
        return {"info": info, "data": {"metrics": [*latest.values()], "tags": tags} if latest else {"tags": tags}}

    def log(self, metrics: list[Form]) -> Reply:
        for each in metrics:
            key, value = str(each["key"]), each["value"]
            if not re.fullmatch(r"[/\w.\- ]{1,250}", key, re.ASCII) or normpath(key) != key or key[0] in "./":
                return reply({"error_code": "INVALID_PARAMETER_VALUE", "message": f"Invalid metric name: {key}"}, 400)
            assert isinstance(value, float)
        if len(metrics) > 1000:
            return reply({"error_code": "INVALID_PARAMETER_VALUE", "message": "at most 1000 metrics"}, 400)
        self.history |= {
            (str(each["key"]), int(str(each["step"])), int(str(each["timestamp"])), float(str(each["value"])))
            for each in metrics
        }
        return reply({})


def _stored(assessment: Form) -> Form:
    feedback = cast("Form", assessment["feedback"])
    return {**assessment, "feedback": {"value": None, **feedback}}


class FakeOtlp(Backend):
    """A receiver of log records in protobuf."""

    def __init__(self, first: Iterable[Reply] = ()) -> None:
        super().__init__(first)
        self.records: list[Form] = []

    def answer(self, request: Request) -> Reply:
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

        assert (request.method, request.target) == ("POST", "/v1/logs")
        read = ExportLogsServiceRequest.FromString(request.raw)
        for resource in read.resource_logs:
            for scope in resource.scope_logs:
                for record in scope.log_records:
                    said = {each.key: each.value for each in record.attributes}
                    self.records.append(
                        {
                            "event": record.event_name,
                            "trace_id": record.trace_id.hex(),
                            "span_id": record.span_id.hex(),
                            "time": record.time_unix_nano,
                            "attributes": {
                                name: getattr(value, str(value.WhichOneof("value"))) for name, value in said.items()
                            },
                        }
                    )
        return Reply(200, b"", {"Content-Type": "application/x-protobuf"})
