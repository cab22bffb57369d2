"""Storage formats that are found, where the objective is size: triangles are packed, bands lie by diagonals."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verdicts import DesignVerdict
from alphaz.legality.verify import certify
from alphaz.mapping.target_mapping import Format, StorageFormat, Tightness
from alphaz.run.kernel import compile_kernel
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, Request, propose
from alphaz.search.memory.sharing import Objective
from alphaz.search.memory.text import lines
from tests.legality.mapped import Mapped
from tests.search.memory.programs import proposed

TRIANGLE = """affine tri {N | N>=2}
input
	double a {i,j | 0<=(i,j)<N};
output
	double z {i,j | 0<=(i,j)<N};
local
	double x {i,j | 0<=i<=j<N};
let
	x[i,j] = a[j,i] + a[i,j];
	z[i,j] = case {| i<=j} : x[i,j] * x[i,i]; {| i>j} : x[j,i] * x[0,N-1]; esac;
.
"""
BAND = """affine band {N,K | N>=2 && K>=0}
input
	double a {i,j | 0<=(i,j)<N && -K<=j-i<=K};
output
	double z {i | 0<=i<N};
local
	double x {i,j | 0<=(i,j)<N && -K<=j-i<=K};
let
	x[i,j] = a[i,j] + a[0,0];
	z[i] = reduce(+, [j], {| -K<=j-i<=K && 0<=j<N} : x[i,j] * x[N-1,N-1]);
.
"""
SIZE = Request(Objective.SIZE, {"N": 1000, "K": 3})


def triangle() -> Mapped:
    return Mapped(TRIANGLE).time("x", "(i,j -> 0,i,j)").time("z", "(i,j -> 1,i,j)")


def band() -> Mapped:
    return Mapped(BAND).time("x", "(i,j -> 0,i,j)").time("z", "(i -> 1,i,0)")


def told(proposal: MemoryProposal, design: Mapped) -> list[str]:
    return list(lines(ProposalReport.of(proposal), design.design.mapping(design.system)))


def test_a_triangle_is_packed_where_the_objective_is_size() -> None:
    proposal = proposed(triangle(), SIZE)
    assert told(proposal, triangle()) == [
        "# tri: N*(N+1)/2 cells instead of N^2, proved",
        "# x: N*(N+1)/2 cells, one for every point; degree 2 is least",
        "# x is packed: N*(N+1)/2 cells instead of N^2",
        'setStorageFormat(prog, "tri", "x", "packed row");',
    ]
    assert proposed(triangle()).formats == ()


def test_what_is_packed_is_executed(tmp_path: Path) -> None:
    proposal = proposed(triangle(), SIZE)
    verified = certify(DesignVerdict(proposal.design, (proposal.report,)))
    kernel = compile_kernel(scheduled_c(verified, "tri"), proposal.design.checked, "tri", include=tmp_path)
    a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]
    x = [[a[j][i] + a[i][j] for j in range(3)] for i in range(3)]
    wanted = [[x[i][j] * (x[i][i] if i <= j else x[0][2]) for j in range(3)] for i in range(3)]
    assert kernel(N=3, a=a).tolist() == wanted  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_band_lies_by_diagonals_and_so_might_the_argument() -> None:
    proposal = proposed(band(), SIZE)
    (stored,), passed = ProposalReport.of(proposal).formats, ProposalReport.of(proposal).argument_formats
    assert (str(stored.entry.format), str(stored.cells)) == ("banded row", "N*(2*K+1)")
    assert [(item.entry.variable, str(item.entry.format)) for item in passed] == [("a", "banded row")]
    assert 'setStorageFormat(prog, "band", "a", "banded row");' in told(proposal, band())[-1]
    assert told(proposal, band())[-1].startswith("#   ")


def test_formats_that_are_given_stay() -> None:
    design, entry = triangle().design, StorageFormat("x", Format(Tightness.PACKED, by_columns=True))
    proposal = propose(design.with_mapping("tri", design.mapping("tri").with_format(entry)), "tri", SIZE)
    assert isinstance(proposal, MemoryProposal)
    assert proposal.report.is_proved
    assert proposal.formats == ()
    assert [str(entry.format) for entry in proposal.design.mapping("tri").formats] == ["packed column"]
