"""Small programs whose memory maps are known, and the kernels without theirs."""

from dataclasses import replace
from pathlib import Path

import alphaz
from alphaz.mapping.design import Design
from alphaz.search.memory.proposal import MemoryProposal, Request, propose
from tests.legality.mapped import Mapped

KERNELS = Path(__file__).parents[3] / "samples" / "kernels"

_STEPS = "\n".join(f"\tx{n}[i,j] = x{n - 1}[j,i] * x{n - 1}[i,0];" for n in (2, 3, 4))

PINGPONG = f"""affine pingpong {{N | N>=2}}
input
	double a {{i,j | 0<=(i,j)<N}};
output
	double z {{i,j | 0<=(i,j)<N}};
local
	double x1,x2,x3,x4 {{i,j | 0<=(i,j)<N}};
let
	x1[i,j] = a[j,i] + a[i,j];
{_STEPS}
	z[i,j] = x4[j,i] * x4[i,0];
.
"""

BLUR = """affine blur {N | N>=5}
input
	double a {i,j | 0<=(i,j)<N};
output
	double b {i,j | 2<=i<N && 0<=j<N-2};
local
	double h {i,j | 0<=i<N && 0<=j<N-2};
let
	h[i,j] = a[i,j] + a[i,j+1] + a[i,j+2];
	b[i,j] = h[i,j] + h[i-1,j] + h[i-2,j];
.
"""

FIB = """affine fib {N | N>=2}
output
	long f;
local
	long F {n | 0<=n<=N};
let
	F[n] = case
			{| n<2} : 1;
			{| n>=2} : F[n-1] + F[n-2];
		esac;
	f = F[N];
.
"""

FLOYD = """affine fwno {N | N>=1}
input
	int w {i,j | 0<=(i,j)<N};
output
	int d {i,j | 0<=(i,j)<N};
local
	int D {k,i,j | 0<=k<=N && 0<=(i,j)<N};
let
	D[k,i,j] = case
			{| k==0} : w[i,j];
			{| k>0} : D[k-1,i,j] min (D[k-1,i,k-1] + D[k-1,k-1,j]);
		esac;
	d[i,j] = D[N,i,j];
.
"""


def pingpong() -> Mapped:
    design = Mapped(PINGPONG).time("z", "(i,j -> 4,i,j)")
    for step in range(4):
        design = design.time(f"x{step + 1}", f"(i,j -> {step},i,j)")
    return design


def blur() -> Mapped:
    return Mapped(BLUR).time("h", "(i,j -> i,0,j)").time("b", "(i,j -> i,1,j)")


def fib() -> Mapped:
    return Mapped(FIB).time("F", "(n -> n)").time("f", "( -> N+1)")


def floyd() -> Mapped:
    return Mapped(FLOYD).time("D", "(k,i,j -> k,i,j)").time("d", "(i,j -> N+1,i,j)")


def kernel(name: str) -> tuple[Design, str]:
    """A kernel script, `jacobi-1d-tuned`, without its memory maps; and its system."""
    folder = next(f for f in sorted(KERNELS.iterdir(), key=lambda f: -len(f.name)) if name.startswith(f.name))
    design = alphaz.run(folder / f"{name}.cs")
    (system,) = design.mapped_systems
    return without_maps(design, system), system


def without_maps(design: Design, system: str) -> Design:
    return design.with_mapping(system, replace(design.mapping(system), memory=()))


def proposed(subject: Mapped | tuple[Design, str], request: Request | None = None) -> MemoryProposal:
    design, system = (subject.design, subject.system) if isinstance(subject, Mapped) else subject
    proposal = propose(design, system, request)
    assert isinstance(proposal, MemoryProposal)
    assert proposal.report.is_proved
    return proposal


def maps(proposal: MemoryProposal) -> dict[str, str]:
    """`{"X": "X (t,i -> t,i) mod 2,0"}`."""
    return {
        e.variable: f"{e.space} {e.function}" + (f" mod {','.join(map(str, e.moduli))}" if any(e.moduli) else "")
        for e in proposal.entries
    }
