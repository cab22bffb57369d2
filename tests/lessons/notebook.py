"""Notebooks in MyST Markdown, executed cell by cell in this process."""

import os
import re
from contextlib import chdir
from pathlib import Path
from typing import Any

_CELL = re.compile(r"^```\{code-cell\} python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def cells(path: Path) -> list[str]:
    """The code of each cell."""
    return _CELL.findall(path.read_text(encoding="utf-8"))


def executed(path: Path) -> dict[str, Any]:
    """The variables behind the last cell; cells run where the notebook lies, as Jupyter runs them."""
    names: dict[str, Any] = {}
    with chdir(path.parent):
        for number, code in enumerate(cells(path), 1):
            exec(compile(code, f"{path.name}{os.sep}{number}", "exec"), names)  # noqa: S102 - a notebook is code
    return names
