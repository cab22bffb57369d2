"""A browser for tests: Debian's chromium by its path, driven by Playwright. Nothing is downloaded."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest

PATH = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
WHY = "no chromium is installed" if PATH is None else "" if find_spec("playwright") else "Playwright is not installed"

needs_browser = pytest.mark.skipif(bool(WHY), reason=WHY or "there is a browser")


@contextmanager
def browser() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it need not be there

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=PATH, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()
