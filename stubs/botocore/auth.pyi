from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials, ReadOnlyCredentials

class SigV4Auth:
    def __init__(
        self, credentials: Credentials | ReadOnlyCredentials, service_name: str, region_name: str
    ) -> None: ...
    def add_auth(self, request: AWSRequest) -> None: ...
