"""Values of every type: C converts as equations do, or it computes something else."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from alphaz.analysis.read import read_program
from alphaz.cli.main import cli
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

WRAPPED = """\
static inline int sum_int(int a, int b) { return (int)((unsigned int)a + (unsigned int)b); }
static inline int product_int(int a, int b) { return (int)((unsigned int)a * (unsigned int)b); }
static inline int negative_int(int a) { return (int)(0 - (unsigned int)a); }
static inline int max_int(int a, int b) { return a > b ? a : b; }
"""
MIX = "//@ identity mix = 0\nchar mix(char, char);\n"
MIXED = "signed char mix(signed char, signed char);\n"


def program(types: str, equation: str, before: str = "") -> str:
    """Of A, D and B; each may have a type of its own."""
    a, d, b = (f"{each} ".replace("_", " ") for each in (types.split() * 3)[:3])
    declared = f"input\n {a}A {{i,k | 0<=i<N && 0<=k<N}};\n {d}D {{i | 0<=i<N}};\noutput\n {b}B {{i | 0<=i<N}};\n"
    return f"{before}affine s {{N | N>=2}}\n{declared}let\n {equation};\n.\n"


def proved(types: str, equation: str, body: str, before: str = "", head: str = WRAPPED) -> CVerdict:
    """Returns the verdict about a loop over i with this body."""
    a, d, b = ("signed char" if each == "char" else each.replace("_", " ") for each in (types.split() * 3)[:3])
    text = f"#include <limits.h>\n{head}void s(long N, const {a} A[N][N], const {d} D[N], {b} B[N])\n"
    text += f"{{ for (long i = 0; i < N; i++) {{ {body} }} }}\n"
    checked = read_program(Source("s.ab", program(types, equation, before)))
    return prove_c(checked, Source("s.c", text), ProofTask(executes=False))


SUM = "B[i] = reduce(+, [k], {| 0<=k<N} : A[i,k] * D[k])"
MIXES = "B[i] = reduce(mix, [k], {| 0<=k<N} : A[i,k] * D[k])"
ODD = "B[i] = reduce(xor, [k], {| 0<=k<N} : A[i,k] and D[k])"
GREATEST = "B[i] = reduce(max, [k], {| 0<=k<N} : A[i,k] * D[k])"
LOOP = "for (long k = 0; k < N; k++)"

RIGHT = [
    ("char", "B[i] = A[i,0] + D[i] * 3", "B[i] = (signed char)sum_int(A[i][0], product_int(D[i], 3));"),
    ("char", "B[i] = A[i,0] + D[i] * 3", "B[i] = A[i][0] + (signed char)(D[i] * 3);"),
    ("char", "B[i] = -D[i]", "B[i] = (signed char)negative_int(D[i]);"),
    ("short", "B[i] = max(D[i], 3) - 1", "B[i] = (short)((short)max_int(D[i], 3) - 1);"),
    ("unsigned_char", "B[i] = D[i] + 300", "B[i] = (unsigned char)(D[i] + 44);"),
    ("unsigned_int", "B[i] = D[i] * 2", "B[i] = D[i] * 2U;"),
    ("int int long", "B[i] = A[i,0] + D[i]", "B[i] = A[i][0] + D[i];"),
    ("int int char", "B[i] = D[i]", "B[i] = (signed char)D[i];"),
    ("int int unsigned_int", "B[i] = D[i]", "B[i] = (unsigned int)D[i];"),
    ("double float float", "B[i] = A[i,0] * D[i]", "B[i] = (float)(A[i][0] * D[i]);"),
    ("bool", "B[i] = A[i,0] xor D[i]", "B[i] = A[i][0] != D[i];"),
    ("int int bool", "B[i] = A[i,0] and D[i]", "B[i] = A[i][0] && D[i];"),
    ("char", SUM, f"B[i] = 0; {LOOP} B[i] = (signed char)sum_int(B[i], product_int(A[i][k], D[k]));"),
    ("short", SUM, f"B[i] = 0; {LOOP} B[i] = (short)(B[i] + (short)(A[i][k] * D[k]));"),
    ("unsigned_int", SUM, f"B[i] = 0U; {LOOP} B[i] += A[i][k] * D[k];"),
    (
        "char",
        GREATEST,
        f"B[i] = SCHAR_MIN; {LOOP} B[i] = (signed char)max_int(B[i], (signed char)(A[i][k] * D[k]));",
    ),
    ("bool", ODD, f"B[i] = false; {LOOP} B[i] = B[i] != (A[i][k] && D[k]);"),
    (
        "short",
        "B[i] = reduce(+, [k], {| 0<=k<N} : 0 + A[i,0])",
        f"B[i] = 0; {LOOP} B[i] = (short)(B[i] + (0 + A[i][0]));",
    ),
    ("float", "B[i] = 0 + case {| i==0} : 1; {| i>0} : D[i]; esac", "B[i] = 0 + (i == 0 ? 1 : D[i]);"),
]


@pytest.mark.parametrize(("types", "equation", "body"), RIGHT)
def test_the_same_conversions_are_proved(types: str, equation: str, body: str) -> None:
    found = proved(types, equation, body)
    assert found.is_proved, found.findings


WRONG = [
    # In fewer bits, and in more.
    ("int int long", "B[i] = A[i,0] + D[i]", "B[i] = (long)A[i][0] + D[i];"),
    ("long", "B[i] = A[i,0] + D[i]", "B[i] = (int)A[i][0] + (int)D[i];"),
    ("char char int", "B[i] = A[i,0] + D[i]", "B[i] = (signed char)(A[i][0] + D[i]);"),
    ("int", "B[i] = A[i,0] + D[i]", "B[i] = (signed char)A[i][0] + D[i];"),
    ("int int long", "B[i] = D[i]", "short x = D[i]; B[i] = x;"),
    (
        "int int unsigned_long",
        "B[i] = A[i,0] + D[i]",
        "B[i] = (unsigned long)A[i][0] + (unsigned long)D[i];",
    ),
    ("int int long", "B[i] = 2 * D[i]", "B[i] = (long)2 * D[i];"),
    ("int int long", "B[i] = 2 * D[i]", "const long two = 2; B[i] = (two + 0) * D[i];"),
    # Unsigned, where that is another number.
    ("int int long", "B[i] = D[i]", "B[i] = (unsigned int)D[i];"),
    ("int", "B[i] = max(A[i,0], D[i])", "B[i] = (unsigned)A[i][0] > (unsigned)D[i] ? A[i][0] : D[i];"),
    # A greatest of what is converted is not the greatest, converted.
    (
        "int int char",
        "B[i] = max(A[i,0], D[i])",
        "B[i] = (signed char)max_int((signed char)A[i][0], (signed char)D[i]);",
    ),
    ("char", GREATEST, f"int m = SCHAR_MIN; {LOOP} m = max_int(m, A[i][k] * D[k]); B[i] = (signed char)m;"),
    ("char", GREATEST, f"B[i] = SCHAR_MIN; {LOOP} B[i] = (signed char)max_int(B[i], A[i][k] * D[k]);"),
    # Rounded in another place.
    ("float float double", "B[i] = A[i,0] * D[i]", "B[i] = (double)A[i][0] * D[i];"),
    ("double double float", "B[i] = A[i,0] * D[i]", "B[i] = (float)A[i][0] * (float)D[i];"),
    ("char char int", SUM, f"signed char s = 0; {LOOP} s = (signed char)(s + A[i][k] * D[k]); B[i] = s;"),
    ("float float double", SUM, f"float s = 0; {LOOP} s += A[i][k] * D[k]; B[i] = s;"),
    # C computes with 1.0f, and not with 1.
    ("float int float", "B[i] = D[i] + 1", "B[i] = D[i] + (i >= 0 ? 1 : A[i][0]);"),
    ("int", "B[i] = D[i]", "B[i] = 4U < SCHAR_MIN ? A[i][0] : D[i];"),
    # Converted to unsigned before.
    (
        "int unsigned_int long",
        "B[i] = case {| i==0} : A[i,0]; {| i>0} : D[i]; esac",
        "if (i == 0) B[i] = A[i][0]; else B[i] = D[i];",
    ),
    (
        "char",
        "B[i] = reduce(max, [k], {| 0<=k<N} : max(A[i,k] * D[k], 3))",
        f"B[i] = SCHAR_MIN; {LOOP} {{ signed char a = (signed char)(A[i][k] * D[k]);"
        " B[i] = (signed char)max_int((signed char)max_int(B[i], a), 3); }",
    ),
    # From another start, and without a part.
    ("char", SUM, f"B[i] = 1; {LOOP} B[i] = (signed char)(B[i] + A[i][k] * D[k]);"),
    ("int", "B[i] = reduce(+, [k], {| 0<=k<N} : 2 + A[i,k])", f"B[i] = 0; {LOOP} B[i] = sum_int(B[i], A[i][k]);"),
    ("bool", ODD, f"B[i] = true; {LOOP} B[i] = B[i] != (A[i][k] && D[k]);"),
    ("bool", ODD, f"B[i] = false; {LOOP} B[i] = B[i] || (A[i][k] && D[k]);"),
]


@pytest.mark.parametrize(("types", "equation", "body"), thinned(WRONG, 4))
def test_other_conversions_are_not(types: str, equation: str, body: str) -> None:
    found = proved(types, equation, body)
    assert not found.is_proved
    assert all(finding.rule.code != "AZ403" for finding in found.findings)


@pytest.mark.parametrize("kind", ["int", "char"])
def test_a_sum_is_seen_through_in_its_own_type(kind: str) -> None:
    """A sum modulo 2^8 is not a sum of integers."""
    text = "affine s {N | N>=2}\ninput\n char A {k | 0<=k<N};\noutput\n int B;\nlocal\n "
    text += f"{kind} T;\nlet\n T = reduce(+, [k], A[k]);\n B = T + 1;\n.\n"
    c = f"{WRAPPED}void s(long N, const signed char A[N], int *B) {{ *B = 1; {LOOP} *B = sum_int(*B, A[k]); }}"
    found = prove_c(read_program(Source("s.ab", text)), Source("s.c", c), ProofTask(executes=False))
    assert found.is_proved is (kind == "int")


INDEX_RIGHT = [
    ("int", "[i]", "(int)i", "long"),
    ("int", "[i] + 1", "(int)i + 1", "long"),
    ("int", "[2i-N] + D[i]", "(int)(2 * i - N) + D[i]", "long"),
    ("char", "[i-N]", "(signed char)(int)(i - N)", "long"),
    ("unsigned_int", "[i-N]", "(unsigned)(i - N)", "long"),
    ("unsigned_long", "[N-i]", "N - i", "size_t"),
    ("double", "[N-i]", "N - i", "size_t"),
    ("int", "max(D[i], [i])", "D[i] > i ? D[i] : i", "int"),
    ("bool", "D[i] < [i]", "D[i] < i", "int"),
    ("int", "[i-N]", "difference_int((int)i, (int)N)", "long"),
    ("int", "[i]", "shortened(i)", "long"),
]

INDEX_WRONG = [
    # Fewer bits, or another sign.
    ("int", "[i]", "(short)i", "long"),
    ("long", "[i]", "(int)i", "long"),
    ("long", "[i]", "shortened(i)", "long"),
    ("long", "[i-N]", "(unsigned)(i - N)", "long"),
    ("double", "[i-N]", "(unsigned long)(i - N)", "long"),
    ("double", "[i-N]", "i - N", "size_t"),
    ("float", "[i]", "(float)(short)i", "long"),
    ("double", "[-i]", "-i", "size_t"),
    # In 32 bits, where the equation has 64.
    ("long", "D[i] + [i]", "D[i] + i", "int"),
    ("double", "D[i] * [i]", "D[i] * i", "int"),
    ("bool", "D[i] < [i-N]", "(unsigned)D[i] < (unsigned)(i - N)", "long"),
    # As a subscript it has to be the number.
    ("int", "D[i]", "D[(int)i]", "long"),
    ("int", "[i]", "i; int k = (int)i; B[k] = k", "long"),
]

HELPERS = """\
#include <stdbool.h>
#include <stddef.h>
static inline int difference_int(int a, int b) { return (int)((unsigned int)a - (unsigned int)b); }
static int shortened(long a) { return a; }
"""


@pytest.mark.parametrize(
    ("b", "value", "c", "iterator", "is_right"),
    thinned([(*each, True) for each in INDEX_RIGHT] + [(*each, False) for each in INDEX_WRONG], 3),
)
def test_an_index_that_is_converted_is_a_value(b: str, value: str, c: str, iterator: str, is_right: bool) -> None:
    """The number is kept modulo 2^bits, in both; it has to be kept whole only where it is a subscript."""
    declared = f"{'signed ' * (b == 'char')}{b.replace('_', ' ')}"
    text = f"{HELPERS}void s(long N, const int A[N][N], const int D[N], {declared} B[N])\n"
    text += f"{{ for ({iterator} i = 0; i < N; i++) {{ B[i] = {c}; }} }}\n"
    checked = read_program(Source("s.ab", program(f"int int {b}", f"B[i] = {value}")))
    found = prove_c(checked, Source("s.c", text), ProofTask(executes=False))
    assert found.is_proved == is_right, found.findings
    assert is_right or {finding.rule.code for finding in found.findings} <= {"AZ832", "AZ837"}


@pytest.mark.parametrize(("kind", "is_right"), [("int", True), ("char", False)])
def test_a_choice_is_converted_by_the_equation(kind: str, is_right: bool) -> None:
    """The greater of two numbers of type int is one of type int, and not always one of type char."""
    equation = "T[i] = max(D[i], [i]);\n B[i] = T[i]"
    local = f"local\n {kind} T {{i | 0<=i<N}};\nlet\n"
    text = f"{HELPERS}void s(long N, const int A[N][N], const int D[N], long B[N])\n"
    text += "{ for (int i = 0; i < N; i++) B[i] = D[i] > i ? D[i] : i; }\n"
    checked = read_program(Source("s.ab", program("int int long", equation).replace("let\n", local)))
    found = prove_c(checked, Source("s.c", text), ProofTask(executes=False))
    assert found.is_proved == is_right, found.findings


def test_generated_conversions_of_indices_are_proved(tmp_path: Path) -> None:
    equations = {"int": "[i] + 1", "short": "[i] - [N]", "bool": "[i]", "float": "[i] + 1", "unsigned long": "[i-N]"}
    declared = "".join(f" {type_} B{at} {{i | 0<=i<N}};\n" for at, type_ in enumerate(equations))
    lines = "".join(f" B{at}[i] = {each};\n" for at, each in enumerate(equations.values()))
    (tmp_path / "s.ab").write_text(f"affine s {{N | N>=2}}\noutput\n{declared}let\n{lines}.\n")
    maps = "".join(f'setSpaceTimeMap(p, "s", "B{at}", "(i->i)");\n' for at in range(len(equations)))
    (tmp_path / "s.cs").write_text(f'p = ReadAlphabets("s.ab");\n{maps}generateScheduledCode(p, "s");\n')
    done = CliRunner().invoke(cli, ["run", "--prove", str(tmp_path / "s.cs"), "-o", str(tmp_path)])
    assert "s computes s: proved" in done.output, done.output


def test_a_function_starts_from_its_own_identity() -> None:
    body = f"B[i] = 0; {LOOP} {MIXES_IT}"
    assert not proved("char", MIXES, body, MIX.replace("= 0", "= 1"), MIXED).is_proved


MIXES_IT = "B[i] = mix(B[i], (signed char)(A[i][k] * D[k]));"


@pytest.mark.parametrize(
    ("body", "is_right"),
    thinned(
        [
            (f"B[i] = 0; {LOOP} {MIXES_IT}", True),
            (f"B[i] = 0; for (long k = N - 1; k >= 0; k--) {MIXES_IT}", True),
            (f"B[i] = (signed char)(A[i][0] * D[0]); for (long k = 1; k < N; k++) {MIXES_IT}", True),
            (f"B[i] = 1; {LOOP} {MIXES_IT}", False),
            (f"B[i] = 0; for (long k = 1; k < N; k++) {MIXES_IT}", False),
            (f"B[i] = 0; {LOOP} {{ {MIXES_IT} {MIXES_IT} }}", False),
            (f"B[i] = 0; {LOOP} B[i] = (signed char)(B[i] + A[i][k] * D[k]);", False),
        ]
    ),
)
def test_a_function_of_the_users_own_combines_in_any_order(body: str, is_right: bool) -> None:
    assert proved("char", MIXES, body, MIX, MIXED).is_proved is is_right


WIDE = """affine s {N | N>=1}
input
 unsigned int D {i | 0<=i<N};
output
 long B {i | 0<=i<N};
local
 long L {i | 0<=i<N};
let
 L[i] = D[i];
 B[i] = L[i] * 3;
.
"""


@pytest.mark.parametrize(
    ("constant", "is_right"),
    [
        ("static const long three = 3;", True),
        ("enum { one = 1, three = 3 };", False),
        ("static const int three = 3;", False),
        ("enum { three = 3L };", False),
    ],
)
def test_named_constants_have_the_type_that_c_gives_them(constant: str, is_right: bool) -> None:
    """An unsigned product wraps around at 2^32 before it is stored in a long, unless the constant is a long."""
    text = f"{constant}\nvoid s(long N, const unsigned *D, long *B)\n"
    text += "{ for (long i = 0; i < N; i++) B[i] = three * D[i]; }\n"
    found = prove_c(read_program(Source("s.ab", WIDE)), Source("s.c", text), ProofTask(executes=False))
    assert found.is_proved == is_right, found.findings


def test_what_indices_choose_is_a_branch() -> None:
    text = "affine s {N | N>=1}\noutput\n int y {i,j | 0<=(i,j)<N};\nlet\n y[i,j] = if TEST then [i] else 7;\n.\n"
    loops = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"
    c = f"void s(long N, int y[N][N]) {{ {loops} y[i][j] = HERE ? i : 7; }}"
    tests = {
        "[i] == [j]": "i == j",
        "[i] != [2j-1]": "i + 1 != 2 * j",
        "2 > [i]": "i < 2",
        "[i] <= [N-j]": "i <= N - j",
    }
    for (test, here), wrong in zip(tests.items(), reversed(tests.values()), strict=True):
        checked = read_program(Source("s.ab", text.replace("TEST", test)))
        for other in (here, wrong):
            found = prove_c(checked, Source("s.c", c.replace("HERE", other)), ProofTask(executes=False))
            assert (test, other, found.is_proved) == (test, other, other == here)
