"""Proofs of C in many types: the certificates that tests change."""

from dataclasses import dataclass
from functools import cache

from alphaz.certificate.c_inventory import CRecord
from alphaz.equivalence.certificate_record import entries_of, inventory_of
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.driver.prove_c import CVerdict
from tests.equivalence.asking import ALL_LAWS, ROOT, asked, foreign, peer, verdict

EXACT, ASSOCIATIVE, DISTRIBUTIVE = (
    Laws(is_exact=True),
    Laws(frozenset({"associativity"})),
    Laws(frozenset({"distributivity"})),
)
MIXED = "signed char mix(signed char, signed char);\n"
MIXES_IT = "B[i] = mix(B[i], (signed char)(A[i][k] * D[k]));"
MIX = "//@ identity mix = 0\nchar mix(char, char);\n"
LOOP = "for (long k = 0; k < N; k++)"


def program(types: str, equation: str, before: str = "") -> str:
    """A program with inputs A, D and the output B of these types."""
    a, d, b = (f"{type_} ".replace("_", " ") for type_ in (types.split() * 3)[:3])
    declared = f"input\n {a}A {{i,k | 0<=i<N && 0<=k<N}};\n {d}D {{i | 0<=i<N}};\noutput\n {b}B {{i | 0<=i<N}};\n"
    return f"{before}affine s {{N | N>=2}}\n{declared}let\n {equation};\n.\n"


def text(types: str, body: str, head: str = "") -> str:
    """A function with a loop over i that has this body."""
    a, d, b = ("signed char" if type_ == "char" else type_.replace("_", " ") for type_ in (types.split() * 3)[:3])
    value = f"const {a} A[N][N], const {d} D[N], {b} B[N]"
    return f"#include <limits.h>\n{head}void s(long N, {value})\n{{ for (long i = 0; i < N; i++) {{ {body} }} }}\n"


SUM = "B[i] = reduce(+, [k], {| 0<=k<N} : A[i,k] * D[k])"
MIXES = "B[i] = reduce(mix, [k], {| 0<=k<N} : A[i,k] * D[k])"
GREATEST = "B[i] = reduce(max, [k], {| 0<=k<N} : A[i,k] * D[k])"
MAX = "static inline int greater(int a, int b) { return a > b ? a : b; }\n"


@dataclass(frozen=True)
class Loop:
    """Types, an equation and the body of a loop in C, the laws, and declarations before the program and the C."""

    types: str
    equation: str
    body: str
    laws: Laws = PLAIN
    before: str = ""
    head: str = ""

    def asked(self) -> CVerdict:
        return asked(program(self.types, self.equation, self.before), text(self.types, self.body, self.head), self.laws)


SCALED = "B[i] = D[i] * reduce(+, [k], {| 0<=k<N} : A[i,k])"
LESS = "B[i] = D[i] - reduce(+, [k], {| 0<=k<N} : A[i,k])"
SHORTS = "{ short p = (short)(A[i][k] * D[k]); B[i] = (short)greater(B[i], p); }"
LOOPS = {
    "a temporary of a long": Loop("long", "B[i] = A[i,0] + D[i] * 3", "long t = D[i] * 3; B[i] = A[i][0] + t;"),
    "a temporary of an int": Loop("int int long", "B[i] = A[i,0] + D[i]", "int t = A[i][0] + D[i]; B[i] = t;", EXACT),
    "bytes": Loop("char", "B[i] = A[i,0] + D[i] * 3", "B[i] = A[i][0] + (signed char)(D[i] * 3);"),
    "unsigned": Loop("unsigned_int", SUM, f"unsigned s = 0; {LOOP} s += A[i][k] * D[k]; B[i] = s;"),
    "in order": Loop("double", SUM, f"double s = 0; {LOOP} s += A[i][k] * D[k]; B[i] = s;", EXACT),
    "rounded": Loop("double float float", "B[i] = A[i,0] * D[i]", "B[i] = (float)(A[i][0] * D[i]);"),
    "singles": Loop("float", "B[i] = 2.5 * D[i] - A[i,0]", "float t = 2.5 * D[i] - A[i][0]; B[i] = t;"),
    "divided": Loop("double", "B[i] = A[i,0] / (1.0 + D[i]*D[i])", "B[i] = A[i][0] / (1.0 + D[i] * D[i]);", EXACT),
    "a helper": Loop("short", GREATEST, f"B[i] = SHRT_MIN; {LOOP} {SHORTS}", head=MAX),
    "a function": Loop("char", MIXES, f"B[i] = 0; {LOOP} {MIXES_IT}", before=MIX, head=MIXED),
    "chosen": Loop("int int bool", "B[i] = A[i,0] < D[i] and D[i] != 3", "B[i] = A[i][0] < D[i] && D[i] != 3;"),
    "an index": Loop("int", "B[i] = [i] + D[i]", "B[i] = (int)((long)D[i] + i);"),
    "regrouped": Loop("long", "B[i] = A[i,0] * D[i] * A[i,1]", "B[i] = A[i][1] * (D[i] * A[i][0]);", ASSOCIATIVE),
    "scaled": Loop("double", SCALED, f"double s = 0; {LOOP} s += D[i] * A[i][k]; B[i] = s;", DISTRIBUTIVE),
    "two terms": Loop("int", LESS, f"B[i] = D[i]; {LOOP} B[i] -= A[i][k];"),
}
DOT = """affine dot {N | N>=1}
input
 double x, y {i | 0<=i<N};
output
 double s;
let
 s = reduce(+, [i], x[i] * y[i]);
.
"""


@cache
def proofs() -> dict[str, CRecord]:
    """Returns the certificates of all proofs, by name."""
    results = {name: loop.asked() for name, loop in LOOPS.items()}
    vectors = (ROOT / "tests" / "equivalence" / "vectors" / "dot.c").read_text(encoding="utf-8")
    results["vectors"] = asked(DOT, vectors)
    results["threads"] = verdict("atax", foreign("atax--sections"))
    results["textbook"] = verdict("lu", peer("lu"), laws=ALL_LAWS)
    return {name: record(answer) for name, answer in results.items()}


def record(answer: CVerdict) -> CRecord:
    """Returns the certificate of a proof."""
    assert answer.proof is not None, answer.findings
    return CRecord(
        source="k.c",
        program="k.ab",
        system=answer.system,
        function=answer.function,
        verdict=answer.verdict,
        assumed=answer.assumed,
        inventory=inventory_of(answer.proof),
        obligations=entries_of(answer.proof),
    )
