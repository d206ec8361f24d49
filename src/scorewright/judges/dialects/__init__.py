"""How the providers are spoken to, one module each."""

__all__: list[str] = []
