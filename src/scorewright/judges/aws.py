"""Signing requests with AWS credentials (Signature Version 4), by botocore: the extra `bedrock`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self, final

from scorewright.core.bench import Bench
from scorewright.faults import JudgeFault, Unauthorized
from scorewright.judges.http import Sign

if TYPE_CHECKING:
    from asyncio import Future

    from botocore.credentials import Credentials, ReadOnlyCredentials


SECRETS = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")  # the variables of botocore that are no names


def region() -> str:
    """The region of the environment."""
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"


async def signing(service: str, bench: Bench, /) -> Sign | JudgeFault:
    """How requests to a service are signed, with the credentials that botocore finds; they are looked for once."""
    try:
        vault = await bench.keep("aws credentials", Vault)
    except ImportError:
        return Unauthorized(
            "no key: set AWS_BEARER_TOKEN_BEDROCK, or, for AWS credentials, pip install 'scorewright[bedrock]'"
        )
    except _NoCredentialsError:
        return Unauthorized("no key: set AWS_BEARER_TOKEN_BEDROCK, or AWS credentials as botocore finds them")
    except Exception as exception:  # noqa: BLE001 - of the files and services that botocore reads
        return _lost(exception)
    where = region()
    return bench.hold(("sign", service, where), lambda: signer(vault, service, where))


class _NoCredentialsError(Exception):
    """Nothing was found in any of the places."""


@final
class Vault:
    """The credentials of one bench: found, and renewed, in a thread, and once for all who wait for them."""

    _credentials: Credentials

    def __init__(self) -> None:
        self._renewal: Future[ReadOnlyCredentials] | None = None

    async def __aenter__(self) -> Self:
        from anyio import to_thread

        found = await to_thread.run_sync(_found)  # it may read files and ask the machine's own service
        if found is None:
            raise _NoCredentialsError
        self._credentials = found
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open."""

    async def current(self) -> ReadOnlyCredentials:
        """The credentials, renewed first where their time is nearly over."""
        import asyncio

        from anyio import to_thread
        from botocore.credentials import RefreshableCredentials

        held = self._credentials
        if not (isinstance(held, RefreshableCredentials) and held.refresh_needed()):
            return held.get_frozen_credentials()
        if self._renewal is None:
            self._renewal = asyncio.ensure_future(to_thread.run_sync(held.get_frozen_credentials))
            self._renewal.add_done_callback(self._renewed)
        return await asyncio.shield(self._renewal)  # who is cancelled leaves it to the others

    def _renewed(self, done: Future[ReadOnlyCredentials]) -> None:
        self._renewal = None
        if not done.cancelled():
            done.exception()  # seen, even where nobody waits any more


def _found() -> Credentials | None:
    from botocore.session import get_session

    return get_session().get_credentials()


def _lost(exception: Exception) -> Unauthorized:
    return Unauthorized(f"the AWS credentials cannot be had: {type(exception).__name__}: {exception}")


def signer(vault: Vault, service: str, where: str, /) -> Sign:
    """The headers that vouch for a request to a service in a region."""
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest

    async def sign(url: str, body: bytes, headers: Mapping[str, str], /) -> Mapping[str, str] | JudgeFault:
        try:
            credentials = await vault.current()
        except Exception as exception:  # noqa: BLE001 - of the service that renews them
            return _lost(exception)
        request = AWSRequest("POST", url, headers, body)
        SigV4Auth(credentials, service, where).add_auth(request)
        return {name: value for name, value in request.headers.items() if name not in headers}

    return sign
