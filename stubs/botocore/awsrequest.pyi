from collections.abc import Mapping
from http.client import HTTPMessage

class HTTPHeaders(HTTPMessage): ...

class AWSRequest:
    headers: HTTPHeaders
    def __init__(
        self,
        method: str | None = None,
        url: str | None = None,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
        params: None = None,
        auth_path: None = None,
        stream_output: bool = False,
    ) -> None: ...
