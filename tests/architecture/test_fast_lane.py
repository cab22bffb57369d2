"""`scripts/test --fast` reaches every folder of the tests."""

import ast
from pathlib import Path

import pytest

from tests.conftest import SLOW_FILE

TESTS = Path(__file__).parents[1]
ROOMS = sorted({path.relative_to(TESTS).parts[0] for path in TESTS.rglob("*/test_*.py")})


def is_fast(test: ast.stmt) -> bool:
    is_test = isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
    return is_test and not any(ast.unparse(mark) == "pytest.mark.slow" for mark in test.decorator_list)  # type: ignore[attr-defined]


@pytest.mark.parametrize("room", ROOMS)
def test_a_test_of_every_room_is_fast(room: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (TESTS / room).rglob("test_*.py")]
    assert any(is_fast(test) for text in texts if not SLOW_FILE.search(text) for test in ast.parse(text).body)
