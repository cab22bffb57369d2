"""Markdown to HTML: without markup of the text itself, and with no address that is a script."""

from functools import cache

from markdown_it import MarkdownIt


@cache
def _converter() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def html_of(text: str) -> str:
    """Returns the HTML of a Markdown text."""
    html: str = _converter().render(text)
    return html
