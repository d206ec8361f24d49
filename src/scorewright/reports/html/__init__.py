"""A report as a page that opens from a file: everything in it, nothing fetched, every text of others only text."""

from scorewright.reports.html.page import fragment, page

__all__ = ["fragment", "page"]
