"""Beside the package, so that pytest can load the plugin of every run without loading the package."""
