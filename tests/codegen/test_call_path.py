"""The way of a design from a proved mapping to C, followed call by call: it enters no file twice."""

import sys
from types import FrameType

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from tests.codegen.generated_kernels import ROOT, sample

ROOMS = ("codegen/", "loops/")


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
    """Calls from one file back into one that has led there."""
    verified, way = sample(script), Way()
    before = sys.getprofile()
    sys.setprofile(way.follow)
    try:
        for system in verified.mappings:
            scheduled_c(verified, system)
    finally:
        sys.setprofile(before)
    return way.climbs


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "kernels/gemm/gemm-tuned.cs",
        "kernels/bicg/bicg-tuned.cs",
        "kernels/knapsack/knapsack-tuned.cs",
        "serialized-reductions/filter-bank.cs",
        "subsystems/filter.cs",
    ],
)
def test_no_file_is_entered_twice(script: str) -> None:
    assert climbs(script) == set()


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
