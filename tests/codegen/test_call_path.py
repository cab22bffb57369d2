"""Ways through the package, followed call by call: that to C enters no file twice, others few files."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from alphaz.analysis.read import read_program
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import ScheduleRequest
from tests.codegen.generated_kernels import ROOT, sample
from tests.thinning import thinned

GENERATOR = ("codegen/", "loops/")
# A walk over a tree of C calls its user back, by design.
WALK = "c/walk.py"


class Way:
    """The files on the way down to where the program is, and the calls that have led back up to one of them, in these
    rooms (default: all)."""

    def __init__(self, rooms: tuple[str, ...] = ("",)) -> None:
        self.rooms = rooms
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
            if file.startswith(self.rooms) and file != here and file in self.files:
                self.climbs.add((here, file))
            self.files.append(file)
        elif event == "return" and self.files:
            self.files.pop()


def climbs(action: Callable[[], object], rooms: tuple[str, ...] = ("",)) -> set[tuple[str, str]]:
    """Calls from one file back into one that has led there."""
    way = Way(rooms)
    before = sys.getprofile()
    sys.setprofile(way.follow)
    try:
        action()
    finally:
        sys.setprofile(before)
    return way.climbs


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    thinned(
        [
            "kernels/gemm/gemm-tuned.cs",
            "kernels/bicg/bicg-tuned.cs",
            "kernels/knapsack/knapsack-tuned.cs",
            "serialized-reductions/filter-bank.cs",
            "subsystems/filter.cs",
        ],
        5,
    ),
)
def test_no_file_is_entered_twice(script: str) -> None:
    verified = sample(script)
    assert climbs(lambda: [scheduled_c(verified, system) for system in verified.mappings], GENERATOR) == set()


def _kernel(name: str) -> Design:
    path = ROOT / "samples" / "kernels" / name / f"{name}.ab"
    return Design(read_program(Source(path.name, path.read_text(encoding="utf-8"))))


@pytest.mark.slow
def test_a_proof_climbs_back_into_few_files() -> None:
    """Where it does, a function is handed down: a question, an estimate, the progress."""
    equations = "affine f {N | N>=1} input double x {i | 0<=i<N}; output double y {|}; let y = reduce(+,[i],x[i]); ."
    text = "double f(int N, const double *x) { double s = 0; for (int i = 0; i < N; i++) s += *x++; return s; }"
    checked, task = read_program(Source("f.ab", equations)), ProofTask(executes=False)
    found = climbs(lambda: prove_c(checked, Source("f.c", text), task))
    assert len([climb for climb in found if WALK not in climb]) <= 9, found


@pytest.mark.slow
@pytest.mark.long
def test_a_proposal_climbs_back_into_few_files() -> None:
    """The engine of proofs calls the functions that state sets."""
    design = _kernel("gemm")
    found = climbs(lambda: propose(design, "gemm", ScheduleRequest(), carry_out))
    assert len(found) <= 6, found


def test_mappings_are_resolved_without_a_climb() -> None:
    design = sample("kernels/gemm/gemm-tuned.cs").design
    assert climbs(lambda: resolve(design, "gemm")) == set()


def test_a_climb_is_noticed() -> None:
    """A file that calls another, which calls back."""
    way, frame = Way(GENERATOR), sys._getframe()
    code = frame.f_code
    for name, event in (("codegen/a.py", "call"), ("loops/b.py", "call"), ("codegen/a.py", "call")):
        there = code.replace(co_filename=f"{ROOT / 'alphaz'}/{name}")
        way.follow(_frame(there), event, None)
    assert way.climbs == {("loops/b.py", "codegen/a.py")}


def _frame(code: object) -> FrameType:
    """Something that has this code, as frames do."""
    return type("Frame", (), {"f_code": code})()  # type: ignore[no-any-return]
