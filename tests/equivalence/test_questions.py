"""The questions themselves: claims of a right text are put to a wrong one, and the family that must object objects.

Nothing is inferred from the wrong text, so nothing but the questions can notice.
"""

from dataclasses import replace

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import proof_context_of, prove
from alphaz.equivalence.claim_pruning import pruned
from alphaz.equivalence.claims import Claims, Contribution
from alphaz.equivalence.driver.function_reading import read_with_arguments
from alphaz.equivalence.driver.preprocessing import preprocessed
from alphaz.equivalence.driver.task import ProofTask, chosen_function, chosen_system
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.obligations import kernel_obligations
from alphaz.equivalence.proof_context import ProofContext
from alphaz.poly import Affine, Domain, at_least
from alphaz.proof import is_empty
from alphaz.scop import parse
from alphaz.scop.c_model import KernelStatement
from tests.equivalence.asking import ADDED, COPIED, DOUBLED, LOOP, STEPS, SUMMED, S
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PREFIX = (
    "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
    " B[i] = case {| i==0} : A[i]; {| i>0} : B[i-1] + A[i]; esac;\n.\n"
)
ROWS = (
    "affine s {N | N>=3}\ninput\n double A {i,k | 0<=i<N && 0<=k<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
    " B[i] = reduce(+, [k], A[i,k]);\n.\n"
)
TEMPORARY = f"{S}{{ double t[N]; {LOOP} t[i] = 2.0 * A[i]; {LOOP} B[i] = t[i]; }}"
ONE_CELL = f"{S}{{ double t[1]; {LOOP} {{ t[0] = 2.0 * A[i]; B[i] = t[0]; }} }}"
SEQUENCE = f"{S}{{ B[0] = A[0]; for (long i = 1; i < N; i++) B[i] = B[i-1] + A[i]; }}"
SUM = f"{S}{{ double m[1]; m[0] = 0; {ADDED} m[0] = m[0] + A[k]; *B = m[0]; }}"
CLEAR = "for (long o = 0; o < N; o++) B[o] = 0;"
UPDATE = f"{LOOP} for (long k = 0; k < N; k++) B[i] = B[i] + A[i][k];"
UPDATES = f"void s(long N, const double A[N][N], double *B) {{ {CLEAR} {UPDATE} }}"
LAST, READ = "t[N-1] = 2.0 * A[N-1];", f"{LOOP} B[i] = t[i];"
TWO_WRITERS = f"{S}{{ double t[N]; for (long i = 0; i < N - 1; i++) t[i] = 2.0 * A[i]; {LAST} {READ} }}"
TIME = (
    "void s(long N, long T, const double *A, double *B) { double X[T + 1][N];"
    " for (long i = 0; i < N; i++) X[0][i] = A[i];"
    " for (long t = 1; t <= T; t++) for (long i = 0; i < N; i++) X[t][i] = 2.0 * X[t-1][N-1-i];"
    " for (long i = 0; i < N; i++) B[i] = X[T][i]; }"
)
REGION = (
    f"{S}{{ double t[N];\n#pragma omp parallel\n{{\n#pragma omp for\n{LOOP} t[i] = 2.0 * A[i];\n"
    "#pragma omp for\nfor (long i = 0; i < N; i++) B[i] = t[i]; } }"
)
THREADS = (
    f"{S}{{ double m[1]; m[0] = 0;\n#pragma omp parallel for\n{ADDED} {{\n#pragma omp critical\nm[0] = m[0] + A[k]; }}"
    " *B = m[0]; }"
)

UNWAITED = ("for\nfor (long i = 0; i < N; i++) t", "for nowait\nfor (long i = 0; i < N; i++) t")
ADDS = "m[0] = m[0] + A[k];"
SHARED = ("for (long i = 1", "\n#pragma omp parallel for\nfor (long i = 1")

DIFFERENCE = SUMMED.replace("reduce(+, [k], A[k])", "reduce(+, [k], A[k]) - A[0]")
LESS = SUM.replace("*B", "m[0] = m[0] - A[0]; *B")

# What must be objected by, the equations, the right text, what is replaced in it, by what.
CASES = {
    "C0: a row too many": ("C0", DOUBLED, TEMPORARY, "double t[N]", "double t[N - 1]"),
    "C0: a cell below the first": ("C0", COPIED, f"{S}{{ {LOOP} B[i] = A[i]; }}", "i = 0", "i = -1"),
    "C0: a cell behind the last": ("C0", COPIED, f"{S}{{ {LOOP} B[i] = A[i]; }}", "i < N", "i <= N"),
    "C0: a cell behind the last is read": ("C0", COPIED, f"{S}{{ {LOOP} B[i] = A[i]; }}", "A[i]", "A[i + 1]"),
    "C0: a cell behind the last is written": ("C0", COPIED, f"{S}{{ {LOOP} B[i] = A[i]; }}", "B[i]", "B[i + 1]"),
    "C1: the last one is forgotten": ("C1", DOUBLED, TEMPORARY, "i < N; i++) B", "i < N - 1; i++) B"),
    "C1: the first one is forgotten": ("C1", DOUBLED, TEMPORARY, "i = 0; i < N; i++) t", "i = 1; i < N; i++) t"),
    "C1: another cell is read": ("C1", DOUBLED, TEMPORARY, "= t[i]", "= t[N-1-i]"),
    "C1: another cell is written": ("C1", DOUBLED, TEMPORARY, "B[i]", "B[N-1-i]"),
    "C1: upside down": ("C1", PREFIX, SEQUENCE, "long i = 1; i < N; i++", "long i = N - 1; i >= 1; i--"),
    "C1: at once": ("C1", PREFIX, SEQUENCE, *SHARED),
    "C1: in lanes": ("C1", PREFIX, SEQUENCE, "for (long i = 1", "\n#pragma omp simd\nfor (long i = 1"),
    "C1: one of two writers is late": ("C1", DOUBLED, TWO_WRITERS, f"{LAST} {READ}", f"{READ} {LAST}"),
    "C1: time at once": ("C1", STEPS, TIME, "for (long t", "\n#pragma omp parallel for\nfor (long t"),
    "C1: steps in the other direction": ("C1", STEPS, TIME, "t = 1; t <= T; t++", "t = T; t >= 1; t--"),
    "C1: nobody waits": ("C1", DOUBLED, REGION, *UNWAITED),
    "C1: a value that there is not": ("C1", PREFIX, SEQUENCE, "long i = 1", "long i = 0"),
    "C4: one cell at once": ("C4", DOUBLED, ONE_CELL, "for (", "\n#pragma omp parallel for\nfor ("),
    "C4: an input is overwritten": (
        "C4", COPIED, "void s(long N, double *A, double *B) { for (long i = 0; i < N; i++) B[i] = A[i]; }",
        "B[i] = A[i];", "{ B[i] = A[i]; if (i < N - 1) A[i+1] = 0.5; }",
    ),
    "C4: an output is overwritten": ("C4", DOUBLED, TEMPORARY, "B[i] = t[i];", "B[i] = t[i]; B[N-1] = 0.5;"),
    "C4: one cell for all": ("C4", DOUBLED, TEMPORARY, "t[i]", "t[0]"),
    "C4: two cells in turn": ("C4", DOUBLED, TEMPORARY, "t[i]", "t[i % 2]"),
    "C4: a sum is overwritten": ("C4", SUMMED, SUM, "*B = m[0];", "*B = m[0]; m[0] = 0.25; *B = 0.5;"),
    "C4: cleared in between": ("C4", SUMMED, SUM, ADDS, "{ m[0] = m[0] + A[k]; if (k == 1) m[0] = 0.5; }"),
    "C6: one cell at once": ("C6", DOUBLED, ONE_CELL, "for (", "\n#pragma omp parallel for\nfor ("),
    "C6: sums at once": ("C6", SUMMED, SUM, "for (", "\n#pragma omp parallel for\nfor ("),
    "C6: sums in lanes": ("C6", SUMMED, SUM, "for (", "\n#pragma omp simd\nfor ("),
    "C6: the lock is gone": ("C6", SUMMED, THREADS, "#pragma omp critical\n", ""),
    "C6: one reads, another writes": ("C6", PREFIX, SEQUENCE, *SHARED),
    "C6: nobody waits": ("C6", DOUBLED, REGION, *UNWAITED),
    "R1: the last part": ("R1", SUMMED, SUM, "k < N", "k < N - 1"),
    "R1: the first part": ("R1", SUMMED, SUM, "k = 0", "k = 1"),
    "R1: parts of other rows": ("R1", ROWS, UPDATES, "k = 0; k < N", "k = i; k < N"),
    "R1: a part twice": ("R1", ROWS, UPDATES, "for (long k", "for (long u = 0; u < 2; u++) for (long k"),
    "R1: in another cell": ("R1", ROWS, UPDATES, "B[i] = B[i] +", "B[N-1-i] = B[N-1-i] +"),
    "R1: one of two sums": ("R1", DIFFERENCE, LESS, "m[0] = m[0] - A[0]", "if (N > 9) m[0] = m[0] - A[0]"),
    "R2: cleared too late": ("R2", ROWS, UPDATES, f"{CLEAR} {UPDATE}", f"{UPDATE} {CLEAR}"),
    "R3: read too early": ("R3", SUMMED, SUM, f"{ADDS} *B = m[0];", f"{{ {ADDS} if (k == 0) *B = m[0]; }}"),
    "R3: read at the last but one": (
        "R3", SUMMED, SUM, f"{ADDS} *B = m[0];", f"{{ {ADDS} if (k == N - 2) *B = m[0]; }}",
    ),
    "R4: cleared twice": ("R4", SUMMED, SUM, "m[0] = 0;", "for (long o = 0; o < 2; o++) m[0] = 0;"),
}  # fmt: skip


def asked(equations: str, text: str) -> ProofContext:
    checked = read_program(Source("s.ab", equations))
    source, task = Source("s.c", text), ProofTask()
    system = chosen_system(checked, task)
    tree = parse(source, preprocessed(source))
    kernel, _, binding = read_with_arguments(tree, source, system, chosen_function(tree, source, system, task), task)
    return proof_context_of(kernel, checked, system, binding)[0]


def moved(right: ProofContext, wrong: ProofContext) -> ProofContext:
    """The claims of the one about the other: a claim is about the statement with its value and target."""
    known: dict[tuple[str, str], KernelStatement] = {}
    for statement in wrong.kernel.statements:
        known.setdefault((statement.target.array.name, str(statement.value)), statement)

    def place(statement: KernelStatement) -> KernelStatement:
        return known[statement.target.array.name, str(statement.value)]

    values, sums = [], []
    for value in right.claims.values:
        to = place(value.statement)
        added = to.domain.space.with_names(to.iterators)
        domain = to.domain & value.domain.embedded(added) if to.iterators != value.statement.iterators else to.domain
        values.append(replace(value, statement=to, domain=domain))
    for part in right.claims.contributions:
        to = place(part.statement)
        sums.append(replace(part, statement=to, domain=to.domain))
    return replace(wrong, claims=Claims(values, sums), writers={})


@pytest.mark.parametrize("name", thinned(CASES, 4))
def test_the_family_objects(name: str) -> None:
    family, equations, text, old, new = CASES[name]
    assert old in text
    right = asked(equations, text)
    proof = prove(right)
    assert proof.is_proved, [str(answer.question.claim) for answer in proof.answers if not answer.is_proved]
    objections = prove(moved(right, asked(equations, text.replace(old, new))))
    assert family in {answer.question.family for answer in objections.answers if not answer.is_proved}
    assert family == "C6" or any(
        settled(question) for question in kernel_obligations(right) if question.family == family
    )
    assert not any(settled(answer.question) for answer in objections.answers if not answer.is_proved)


def test_claims_in_vain_are_left_out_while_there_is_time() -> None:
    right = asked(DOUBLED, TEMPORARY)
    kept = [value for value in right.claims.values if value.statement.target.array.name == "B"]
    vain = replace(right, claims=Claims(kept, []), writers={})
    assert kept
    assert not pruned(vain, lambda: False).claims.values
    assert pruned(vain, lambda: True).claims.values == kept


def test_what_is_added_to_another_sum_is_not_in_this_one() -> None:
    """Rows that are added up in the cells of others: each part is added by somebody, each sum is where it is read."""
    right = asked(ROWS, UPDATES)

    def turned(part: Contribution) -> Contribution:
        index = Affine.name("N") - 1
        shares = (replace(share, body=(index - share.body[0], *share.body[1:])) for share in part.shares)
        return replace(part, shares=tuple(shares))

    claims = Claims(right.claims.values, [turned(contribution) for contribution in right.claims.contributions])
    wrong = replace(right, claims=claims, writers={})
    assert any(settled(question) for question in kernel_obligations(right) if _is_about_all(question))
    assert not any(settled(question) for question in kernel_obligations(wrong) if _is_about_all(question))


@pytest.mark.parametrize("least", [0, 1])
def test_who_adds_without_a_claim_is_not_excused(least: int) -> None:
    """Those that are claimed to add to a sum do not overwrite it. Others may, where the claim is not about all."""
    right = asked(SUMMED, SUM)

    def fewer(part: Contribution) -> Contribution:
        space = part.domain.space
        own = [at_least(Affine.name(name), least) for name in part.statement.iterators]
        return replace(part, domain=part.domain & Domain.where(space, own))

    claims = Claims(right.claims.values, [fewer(contribution) for contribution in right.claims.contributions])
    about = kernel_obligations(replace(right, claims=claims, writers={}))
    stays = [settled(each) for each in about if each.family == "C4" and "caller" not in each.claim]
    assert all(stays) == (least == 0)


def _is_about_all(question: KernelObligation) -> bool:
    return question.family == "R1" and question.claim.startswith("all is in the sum")


def settled(question: KernelObligation) -> bool:
    """As hard questions are: without isl."""
    return question.lemma() if question.lemma is not None else is_empty(question.stated)
