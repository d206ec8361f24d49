"""A fence around py3langid."""
