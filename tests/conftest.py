"""The common parts of all tests: golden files and the examples of property tests.

`tests/golden/<name>` holds what a test expects; `pytest --update-golden` writes it anew. Property tests take the same
examples in every run, so that a run tells of the change and not of luck; `--hypothesis-profile=explore` takes others.
Code is for one machine, whatever the tests run on: so golden files are the same everywhere.

`pytest --fast` leaves out what is marked as slow: tests of more than 0.3 s, and files of more than 2 s. What is marked
as long repeats at length what other tests show: only `pytest --long` runs it.
"""

import gc
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from alphaz.run.bench import idle
from alphaz.run.machine import PIN

os.environ[PIN] = "avx2"
# Stage A of generated C has tests of its own; others need not wait for it.
os.environ["ALPHAZ_PROVE"] = "no"
# Tests run beside each other: a thread that waits must not take the processor from another test.
os.environ["OMP_WAIT_POLICY"] = "passive"
# Tests measure nothing, so they need no idle processors.
idle.LIMIT = 0.0
settings.register_profile("same", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.load_profile("same")

FOLDER = Path(__file__).parent / "golden"
SLOW_FILE = re.compile(r"^pytestmark = \[?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; read the difference")
    parser.addoption("--fast", action="store_true", help="leave out the tests that are marked as slow")
    parser.addoption("--long", action="store_true", help="run the tests that are marked as long as well")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        config.option.markexpr = "not slow and not long"
    elif not config.getoption("--long") and not config.option.markexpr:
        config.option.markexpr = "not long"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignores files that are slow as a whole: they need not be imported."""
    if not config.getoption("--fast") or collection_path.suffix != ".py":
        return None
    return SLOW_FILE.search(collection_path.read_text(encoding="utf-8")) is not None or None


def pytest_collection_finish() -> None:
    """Freezes the imported objects, so that the garbage collector does not visit them again, and makes it come less
    often: for large trees it takes ten times as long as making them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


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
