"""C against the programs of `samples/kernels`, and against small ones."""

from functools import cache
from pathlib import Path

import alphaz
from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.driver.claim_files import annotations_by_line
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_graph import LAWS
from alphaz.legality.verify import certify
from alphaz.scop.c_model import Annotation

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "samples" / "kernels"
FOREIGN = Path(__file__).parent / "foreign"
ALL_LAWS = Laws(frozenset(LAWS))
HEAD = "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
DOUBLED = f"{HEAD} B[i] = 2.0 * A[i];\n.\n"
COPIED = f"{HEAD} B[i] = A[i];\n.\n"
SUMMED = "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B;\nlet\n B = reduce(+, [k], A[k]);\n.\n"
STEPS = (
    "affine s {N,T | N>=3 && T>=1}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlocal\n"
    " double X {t,i | 0<=t<=T && 0<=i<N};\nlet\n X[t,i] = case {| t==0} : A[i]; {| t>0} : 2.0 * X[t-1,N-1-i]; esac;\n"
    " B[i] = X[T,i];\n.\n"
)
S = "void s(long N, const double *restrict A, double *restrict B)\n"
LOOP = "for (long i = 0; i < N; i++)"
ADDED = "for (long k = 0; k < N; k++)"


@cache
def program(kernel: str) -> Checked:
    path = KERNELS / kernel / f"{kernel}.ab"
    return read_program(Source(str(path), path.read_text(encoding="utf-8")))


def peer(kernel: str) -> str:
    """The loops of the textbook."""
    return (KERNELS / kernel / f"{kernel}-peer.c").read_text(encoding="utf-8")


def foreign(name: str) -> str:
    return (FOREIGN / f"{name}.c").read_text(encoding="utf-8")


def generated(kernel: str, script: str | None = None) -> str:
    """The C of a kernel's script (the plain one, if none is named)."""
    return with_claims(kernel, script)[0]


def with_claims(kernel: str, script: str | None = None) -> tuple[str, dict[int, Annotation]]:
    """The same, with what the generator says of its lines."""
    design = alphaz.run(KERNELS / kernel / f"{script or kernel}.cs")
    report = alphaz.verify(design)
    (system,) = [each.name for each in design.program.systems]
    sources = scheduled_c(certify(report), system)
    (name,) = [name for name in sources.files if name.endswith(".c")]
    return sources.files[name], annotations_by_line(sources.claims.get(name, {}))


def verdict(
    kernel: str, text: str, *, executes: bool = False, laws: Laws = ALL_LAWS, told: dict[int, Annotation] | None = None
) -> CVerdict:
    return prove_c(
        program(kernel), Source(f"{kernel}.c", text), ProofTask(laws=laws, executes=executes, annotations=told)
    )


def asked(program: str, text: str, laws: Laws = PLAIN) -> CVerdict:
    """C against a program that is written beside it, without executing anything."""
    return prove_c(read_program(Source("s.ab", program)), Source("s.c", text), ProofTask(laws=laws, executes=False))
