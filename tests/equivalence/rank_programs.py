"""Small programs for ranks of MPI, one for each kind of message, and verdicts on their texts with other words."""

from functools import cache

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.mpi import MPI
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.equivalence.driver.rank_proof import prove_ranks
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verify import certify, verify
from tests.codegen.mpi_programs import MpiCase
from tests.legality.mapped import Mapped

SUMS = """affine Sums {N | N>0}
input long A {i | 0<=i<N};
output long P {i | 0<=i<N};
let
  P[i] = case {| i==0} : A[i]; {| i>0} : P[i-1] + A[i]; esac;
.
"""
SHIFTS = """affine Shifts {N,T | N>1 && T>0}
input double A {i | 0<=i<N};
output double B {i | 0<=i<N};
local double X {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} || {| i==0} : A[i]; {| t>0 && i>0} : X[t-1,i-1] + 1.0; esac;
  B[i] = X[T,i];
.
"""
PIVOTS = """affine Pivots {N | N>1}
input long A {i | 0<=i<N};
output long B {i | 0<=i<N};
local long X {t,i | 0<=t<N && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0} : X[t-1,i] + X[t-1,t-1]; esac;
  B[i] = X[N-1,i];
.
"""
LINES = """affine Lines {N | N>1}
input long A {i,j | 0<=i<N && 0<=j<N};
output long B {i,j | 0<=i<N && 0<=j<N};
local long X {t,i,j | 0<=t<N && 0<=i<N && 0<=j<N};
let
  X[t,i,j] = case {| t==0} : A[i,j]; {| t>0} : X[t-1,i,t-1] - X[t-1,t-1,j]; esac;
  B[i,j] = X[N-1,i,j];
.
"""
CORNERS = """affine Corners {N,M | N>0 && M>0}
input long A {i,j | 0<=i<N && 0<=j<M};
output long B {i,j | 0<=i<N && 0<=j<M};
local long X {i,j | 0<=i<N && 0<=j<M};
let
  X[i,j] = A[i,j];
  B[i,j] = case {| i==0} || {| j==0} : X[i,j]; {| i>0 && j>0} : X[i,j] - X[i-1,j-1]; esac;
.
"""
NORMS = """affine Norms {N,T | N>0 && T>0}
input long A {i | 0<=i<N};
output long M {t | 0<=t<T};
local
  long X {t,i | 0<=t<T && 0<=i<N};
  long s {t | 0<=t<T};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0} : X[t-1,i] + s[t-1]; esac;
  s[t] = reduce(+, [i], {| 0<=i<N} : X[t,i]);
  M[t] = reduce(max, [i], {| 0<=i<N} : X[t,i]);
.
"""
TOTALS = """affine Totals {N | N>0}
input long A {i,j | 0<=i<N && 0<=j<N};
output long R {i | 0<=i<N};
local long S {i | 0<=i<N};
let
  S[i] = reduce(+, [j], {| 0<=j<N} : A[i,j]);
  R[i] = S[i];
.
"""


def sums() -> Mapped:
    """A pipeline."""
    return Mapped(SUMS).time("P", "(i -> i)").distributed(0)


def shifts(way: str = "exchange") -> Mapped:
    """An exchange, or an overlap of messages and work."""
    mapped = Mapped(SHIFTS).time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)").distributed(1).communication(way)
    return mapped.memory("X", "(t,i -> t,i)", moduli=(2, 0))


def pivots() -> Mapped:
    """A broadcast on all ranks."""
    mapped = Mapped(PIVOTS).time("X", "(t,i -> t,i)").time("B", "(i -> N,i)").distributed(1)
    return mapped.memory("X", "(t,i -> t,i)", moduli=(2, 0)).ghosts("X", "(t,i -> 0)")


def lines() -> Mapped:
    """Broadcasts in the rows and in the columns of a grid."""
    mapped = Mapped(LINES).time("X", "(t,i,j -> t,i,j)").time("B", "(i,j -> N,i,j)").distributed(1).distributed(2)
    return mapped.memory("X", "(t,i,j -> t,i,j)", moduli=(2, 0, 0))


def corners() -> Mapped:
    """An exchange on a grid."""
    mapped = Mapped(CORNERS).time("X", "(i,j -> 0,i,j)").time("B", "(i,j -> 1,i,j)").distributed(1).distributed(2)
    return mapped.communication("exchange")


def norms() -> Mapped:
    """Values that all ranks combine."""
    mapped = Mapped(NORMS).time("X", "(t,i -> 2t,i)").time("s,M", "(t,i -> 2t+1,i)").distributed(1)
    return mapped.kind("1", "R").memory("X", "(t,i -> i)")


def totals() -> Mapped:
    """Values that one rank gets."""
    mapped = Mapped(TOTALS).time("S", "(i,j -> 2i,j)").time("R", "(i -> 2i+1,i)").distributed(1)
    return mapped.kind("1", "R")


PROGRAMS = {
    "sums": sums,
    "shifts": shifts,
    "overlap": lambda: shifts("overlap"),
    "pivots": pivots,
    "lines": lines,
    "corners": corners,
    "norms": norms,
    "totals": totals,
}


@cache
def sources(name: str) -> tuple[Sources, Mapped]:
    """Returns the files of a program, and its mapping."""
    mapped = PROGRAMS[name]()
    return scheduled_c(certify(verify(mapped.design)), mapped.system, target=MPI), mapped


def judged(name: str, *changes: tuple[str, str], **others: Sources) -> CVerdict:
    """Returns the verdict on the text with other words."""
    made, mapped = sources(name)
    text = made.files[f"{mapped.system}.c"]
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    source, claims = Source(f"{mapped.system}.c", text), made.claims[f"{mapped.system}.c"]
    return prove_ranks(
        source, others.get("files", made), mapped.design.checked, ProofTask(system=mapped.system), claims
    )


_SIZES = ({"N": 7, "T": 3, "M": 5}, {"N": 4, "T": 2, "M": 6}, {"N": 2, "T": 1, "M": 1})


def case_of(name: str) -> MpiCase:
    """Returns a program with sizes to execute it."""
    mapped = PROGRAMS[name]()
    parameters = mapped.design.program.systems[0].parameters
    return MpiCase(mapped, tuple({p: size[p] for p in parameters} for size in _SIZES))
