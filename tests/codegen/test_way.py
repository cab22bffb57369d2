"""The way of a design from a proved mapping to C, followed call by call: it enters no file twice.

Excused is the one class that is in three files: what operations compute, what they do in a nest, and that in vectors.
"""

import sys
from pathlib import Path
from types import FrameType

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from tests.codegen.building import ROOT, sample

ROOMS = ("codegen/", "loops/")
LOWERING = frozenset({"codegen/c/expressions.py", "codegen/scheduled/lowering.py", "codegen/scheduled/vectors.py"})


class Way:
    """The files on the way down to where the program is, and the calls that have led back up to one of them."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.climbs: set[tuple[str, str]] = set()

    def follow(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        house = f"{ROOT / 'alphaz'}/"
        if not name.startswith(house):
            return
        file = name.removeprefix(house)
        if event == "call":
            here = self.files[-1] if self.files else ""
            if file.startswith(ROOMS) and file != here and file in self.files:
                self.climbs.add((here, file))
            self.files.append(file)
        elif event == "return" and self.files:
            self.files.pop()


def climbs(script: str) -> set[tuple[str, str]]:
    """Calls from one file back into one that has led there, and is not excused."""
    verified, way = sample(script), Way()
    (system,) = verified.mappings
    before = sys.getprofile()
    sys.setprofile(way.follow)
    try:
        scheduled_c(verified, system)
    finally:
        sys.setprofile(before)
    return {pair for pair in way.climbs if not {*pair} <= LOWERING}


@pytest.mark.parametrize("name", ["gemm", "bicg", "knapsack"])
def test_no_file_is_entered_twice(name: str) -> None:
    assert climbs(f"kernels/{name}/{name}-tuned.cs") == set()


def test_what_is_excused_is_there() -> None:
    assert all((Path(ROOT) / "alphaz" / file).exists() for file in LOWERING)


def test_a_climb_is_noticed() -> None:
    """A file that calls another, which calls back."""
    way, frame = Way(), sys._getframe()
    code = frame.f_code
    for name, event in (("codegen/a.py", "call"), ("loops/b.py", "call"), ("codegen/a.py", "call")):
        there = code.replace(co_filename=f"{ROOT / 'alphaz'}/{name}")
        way.follow(_frame(there), event, None)
    assert way.climbs == {("loops/b.py", "codegen/a.py")}


def _frame(code: object) -> FrameType:
    """Something that has this code, as frames do."""
    return type("Frame", (), {"f_code": code})()  # type: ignore[no-any-return]
