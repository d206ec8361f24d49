from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

class ReadOnlyCredentials(NamedTuple):
    access_key: str
    secret_key: str
    token: str | None
    account_id: str | None = ...

class Credentials:
    def __init__(
        self,
        access_key: str,
        secret_key: str,
        token: str | None = None,
        method: str | None = None,
        account_id: str | None = None,
    ) -> None: ...
    def get_frozen_credentials(self) -> ReadOnlyCredentials: ...

class RefreshableCredentials(Credentials):
    def __init__(
        self,
        access_key: str,
        secret_key: str,
        token: str,
        expiry_time: datetime,
        refresh_using: Callable[[], dict[str, str]],
        method: str,
        time_fetcher: Callable[[], datetime] = ...,
        advisory_timeout: int | None = None,
        mandatory_timeout: int | None = None,
        account_id: str | None = None,
    ) -> None: ...
    def refresh_needed(self, refresh_in: float | None = None) -> bool: ...
