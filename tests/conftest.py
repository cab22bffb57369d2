"""What all tests share: golden files and the examples of property tests.

`tests/golden/<name>` holds what a test expects; `pytest --update-golden` writes it anew. Property tests take the same
examples in every run, so that a run tells of the change and not of luck; `--hypothesis-profile=explore` takes others.
Code is for one machine, whatever the tests run on: so golden files are the same everywhere.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from alphaz.run.machine import PIN

os.environ[PIN] = "avx2"
# Stage A of generated C has tests of its own; others need not wait for it.
os.environ["ALPHAZ_PROVE"] = "no"
settings.register_profile("same", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.load_profile("same")

FOLDER = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; read the difference")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: the text is that of the file, or is written to it."""

    def check(name: str, text: str) -> None:
        path = FOLDER / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"there is no {path}: run pytest --update-golden, and read it"
        assert text == path.read_text(encoding="utf-8")

    return check
