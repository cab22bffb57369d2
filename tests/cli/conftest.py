"""Every test of the command line works in a folder with the files of `command_line`, without colours."""

from pathlib import Path

import pytest

from tests.cli.command_line import files


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "ALPHAZ_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
