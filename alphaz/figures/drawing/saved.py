"""Figures of matplotlib as the content of files."""

import io
from typing import Any


def figure_bytes(figure: Any, form: str) -> bytes:
    """Returns the content in one of its formats (png, svg, pdf). The same figure gives the same file."""
    held = io.BytesIO()
    figure.savefig(held, format=form, dpi=150, metadata={"png": {"Software": None}, "svg": {"Date": None}}.get(form))
    return held.getvalue()
