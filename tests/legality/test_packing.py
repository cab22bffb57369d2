"""P: nothing in a tile writes what the tile reads a copy of. Asked like every obligation, and in certificates."""

from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.certificate.required_obligations import missing
from alphaz.diagnostics.rules import PACKING
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verdicts import SystemVerdict
from alphaz.legality.verify import verify
from alphaz.proof import Proved, Refuted, isl_engine
from tests.codegen.generated_kernels import design_of

SHIFTED = """affine f {N | N>=8}
input double A {t,i | 0<=t<N && 0<=i<N};
output double b {t,i | 0<=t<N && 0<=i<N};
let b[t,i] = case {| t<2} || {| i<3} : A[t,i]; {| t>=2 && i>=3} : A[t,i] + b[t-DT,i-DI]; esac; .
"""
COMMANDS = """setSpaceTimeMap(prog, "f", "b", "(t,i->t,i)");
setTiling(prog, "f", 0, TILE); setTiling(prog, "f", 1, WIDTH); setPacking(prog, "f", "b", "b");"""
SIZES = range(8, 14)


def report(folder: Path, back: tuple[int, int], sides: tuple[int, int]) -> SystemVerdict:
    program = SHIFTED.replace("DT", str(back[0])).replace("DI", str(back[1]))
    commands = COMMANDS.replace("TILE", str(sides[0])).replace("WIDTH", str(sides[1]))
    (system,) = verify(design_of(folder, program, commands)).systems
    return system


def is_written_in_its_tile(back: tuple[int, int], sides: tuple[int, int]) -> bool:
    """By enumeration: whether a point and the one that it reads are in one tile."""
    points = ((n, t, i) for n in SIZES for t in range(2, n) for i in range(3, n))
    (dt, di), (height, width) = back, sides
    return any(t // height == (t - dt) // height and i // width == (i - di) // width for _, t, i in points)


@pytest.mark.parametrize("back", [(1, 0), (2, 0), (1, 2), (2, 3), (0, 3)])
@pytest.mark.parametrize("sides", [(1, 4), (2, 4), (2, 2), (3, 3), (4, 1), (1, 1)])
def test_it_is_what_enumeration_finds(tmp_path: Path, back: tuple[int, int], sides: tuple[int, int]) -> None:
    results = report(tmp_path, back, sides)
    (verdict,) = (result.verdict for result in results.results if result.rule is PACKING)
    assert isinstance(verdict, Refuted if is_written_in_its_tile(back, sides) else Proved)
    assert all(isinstance(result.verdict, Proved) for result in results.results if result.rule is not PACKING)
    assert results.is_proved is isinstance(verdict, Proved)


def test_it_stands_in_certificates(tmp_path: Path) -> None:
    made = record("f.cs", report(tmp_path, (1, 2), (1, 4)))
    (entry,) = (entry for entry in made.obligations if entry.key.kind == "P")
    assert made.inventory is not None
    (buffer,) = made.inventory.buffers
    assert buffer.reads == (entry.key.read,)
    assert [(side.dimension, side.size) for side in buffer.sides] == [(0, 1), (1, 4)]
    engine = isl_engine.engine()[1]
    assert all(check.outcome is RecheckOutcome.AGREES for check in recheck(made, engine))
    without = replace(made, obligations=tuple(obligation for obligation in made.obligations if obligation is not entry))
    assert [key.kind for key in missing(without)] == ["P"]
