"""`alphaz run --timings`: each phase is there; how long it took is not looked at."""

import re
from pathlib import Path

import pytest

from alphaz.run import library
from tests.cli.command_line import ask

LINE = re.compile(r"  (parse|verify|generate|compile) +(\d+\.\d{3} s|-)(?:  +(.+))?")


def phases(*arguments: object) -> dict[str, tuple[str, str | None]]:
    answer = ask("run", *arguments, "--timings")
    results = [LINE.fullmatch(line) for line in answer.out.splitlines()]
    return {match[1]: (match[2], match[3]) for match in results if match}


def test_every_phase_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing of it is remembered."""

    def asked(name: str) -> None:
        raise AssertionError("the cache was asked")

    monkeypatch.setattr(library, "recall", asked)
    result = phases("right.cs", "-o", "out")
    assert list(result) == ["parse", "verify", "generate", "compile"]
    assert all(seconds.endswith(" s") for seconds, _ in result.values())
    assert result["compile"][1] is not None
    assert result["compile"][1].endswith("-O3")


def test_without_c_there_is_nothing_to_compile() -> None:
    Path("none.cs").write_text('prog = ReadAlphabets("sums.ab");\n', encoding="utf-8")
    assert phases("none.cs")["compile"] == ("-", "no C was generated")


def test_nothing_is_said_without_the_option() -> None:
    assert "generate " not in ask("run", "right.cs", "-o", "out").out
