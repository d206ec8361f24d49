"""Signing requests with AWS credentials (Signature Version 4), by botocore: the extra `bedrock`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scorewright.core.bench import Bench
from scorewright.faults import JudgeFault, Unauthorized
from scorewright.judges.http import Sign

if TYPE_CHECKING:
    from botocore.credentials import Credentials


def region() -> str:
    """The region of the environment."""
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"


async def signing(service: str, bench: Bench, /) -> Sign | JudgeFault:
    """How requests to a service are signed, with the credentials that botocore finds; they are looked for once."""
    from anyio import to_thread

    kept = bench.hold("aws credentials", list["Credentials"])
    if not kept:
        try:
            found = await to_thread.run_sync(_credentials)  # it may read files and ask the machine's own service
        except ImportError:
            return Unauthorized(
                "no key: set AWS_BEARER_TOKEN_BEDROCK, or, for AWS credentials, pip install 'scorewright[bedrock]'"
            )
        if found is None:
            return Unauthorized("no key: set AWS_BEARER_TOKEN_BEDROCK, or AWS credentials as botocore finds them")
        kept.append(found)
    return signer(kept[0], service, region())


def _credentials() -> Credentials | None:
    from botocore.session import get_session

    return get_session().get_credentials()


def signer(credentials: Credentials, service: str, where: str, /) -> Sign:
    """The headers that vouch for a request to a service in a region."""
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest

    def sign(url: str, body: bytes, headers: Mapping[str, str], /) -> Mapping[str, str]:
        request = AWSRequest("POST", url, headers, body)
        SigV4Auth(credentials.get_frozen_credentials(), service, where).add_auth(request)
        return {name: value for name, value in request.headers.items() if name not in headers}

    return sign
