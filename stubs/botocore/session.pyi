from botocore.credentials import Credentials

class Session:
    def __init__(
        self,
        session_vars: None = None,
        event_hooks: None = None,
        include_builtin_handlers: bool = True,
        profile: str | None = None,
    ) -> None: ...
    def get_credentials(self) -> Credentials | None: ...

def get_session(env_vars: None = None) -> Session: ...
