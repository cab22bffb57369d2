"""Arguments in storage formats: whole triangles as LAPACK lays them out, packed ones, bands, distances."""

from pathlib import Path

import pytest

import alphaz
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.argument_layout import place_of
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.poly import Affine
from alphaz.scripting.commands.kinds.storage import layouts_said
from tests.thinning import thinned

pytestmark = pytest.mark.slow

# (The equations, the formats of what is passed, the C.)
TRMV = (
    "affine trmv {n,lda,incx | 0<=n<=lda && incx>=1}\ninput\n double A {i,j | 0<=i<j<n};\n double x {i | 0<=i<n};\n"
    "output\n double y {i | 0<=i<n};\nlet\n y[i] = x[i] + reduce(+, [j], A[i,j] * x[j]);\n.\n",
    {"A": "full column leading lda", "x": "full leading incx"},
    "void trmv(long n, long lda, long incx, const double *A, const double *x, double *y) {"
    " for (long i = 0; i < n; i++) { double s = 0; for (long j = i + 1; j < n; j++) s += A[j * lda + i] * x[j * incx];"
    " y[i] = x[i * incx] + s; } }",
)
GBMV = (
    "affine gbmv {m,n,kl,ku | m>=0 && n>=0 && kl>=0 && ku>=0}\ninput\n"
    " double A {i,j | 0<=i<m && 0<=j<n && -kl<=j-i<=ku};\n double x {j | 0<=j<n};\n"
    "output\n double y {i | 0<=i<m};\nlet\n y[i] = reduce(+, [j], A[i,j] * x[j]);\n.\n",
    {"A": "banded column"},
    "void gbmv(long m, long n, long kl, long ku, const double *A, const double *x, double *y) {"
    " for (long i = 0; i < m; i++) { double s = 0; for (long j = 0; j < n; j++) if (j <= i + ku && i <= j + kl)"
    " s += A[j * (kl + ku + 1) + ku + i - j] * x[j]; y[i] = s; } }",
)
SCALED = (
    "affine scaled {n,lda | 1<=n<=lda}\ninput\n double A {i,j | 0<=j<i<n};\noutput\n double B {i,j | 0<=j<i<n};\n"
    "let\n B[i,j] = A[i,j] * A[i,j];\n.\n",
    {"A": "full column leading lda", "B": "full row leading lda"},
    "void scaled(long n, long lda, const double *A, double *B) { for (long i = 1; i < n; i++)"
    " for (long j = 0; j < i; j++) B[i * lda + j] = A[j * lda + i] * A[j * lda + i]; }",
)
TPMV = (
    "affine tpmv {n | n>=0}\ninput\n double A {i,j | 0<=j<i<n};\n double x {i | 0<=i<n};\n"
    "output\n double y {i | 0<=i<n};\nlet\n y[i] = x[i] + reduce(+, [j], A[i,j] * x[j]);\n.\n",
    {"A": "packed unit column"},
    "void tpmv(long n, const double *A, const double *x, double *y) { for (long i = 0; i < n; i++) { double s = 0;"
    " for (long j = 0; j < i; j++) s += A[n * j - j * (j + 1) / 2 + i] * x[j]; y[i] = x[i] + s; } }",
)
TURNED = (
    "affine turned {n | n>=0}\ninput\n double A {i,j | 0<=i<=j<n};\noutput\n double B {i,j | 0<=j<=i<n};\n"
    "let\n B[i,j] = A[j,i] * A[j,i];\n.\n",
    {"A": "packed row", "B": "packed row"},
    "void turned(long n, const double *A, double *B) { for (long i = 0; i < n; i++) { B[(i + 1) * (i + 2) / 2 - 1] ="
    " A[(2 * n - i + 1) * i / 2] * A[(2 * n - i + 1) * i / 2]; double *b = B + i * (i + 1) / 2;"
    " for (long j = 0; j < i; j++) { double a = A[i - j + j * (2 * n - j + 1) / 2]; b[j] = a * a; } } }",
)
BOXES = (
    "affine boxes {n,m | n>=1 && m>=1}\ninput\n double A {i,j | 1<=i<=n && 0<=j<m};\n"
    "output\n double B {i,j | 0<=i<n && 0<=j<m};\nlet\n B[i,j] = A[i+1,j];\n.\n",
    {"A": "packed row", "B": "packed column"},
    "void boxes(long n, long m, const double *A, double *B) { for (long i = 0; i < n; i++)"
    " for (long j = 0; j < m; j++) B[j * n + i] = A[i * m + j]; }",
)
RIGHT = {"trmv": TRMV, "gbmv": GBMV, "scaled": SCALED, "tpmv": TPMV, "turned": TURNED, "boxes": BOXES}

MUTANTS = {
    "the diagonal is read": (TRMV, "j = i + 1", "j = i"),
    "behind the last column": (TRMV, "j < n", "j <= n"),
    "by rows": (TRMV, "A[j * lda + i]", "A[i * lda + j]"),
    "elements of the vector side by side": (TRMV, "x[j * incx]", "x[j]"),
    "a diagonal too many": (GBMV, "j <= i + ku", "j <= i + ku + 1"),
    "the next diagonal": (GBMV, "ku + i - j", "ku + i - j - 1"),
    "diagonals of another width": (GBMV, "(kl + ku + 1)", "(kl + ku)"),
    "a diagonal that is nobody's is written": (SCALED, "for (long i", "B[0] = 0; for (long i"),
    "what lies between rows is written": (SCALED, "for (long i", "if (lda > n) B[n] = 0; for (long i"),
    "only half of it": (SCALED, "j < i;", "2 * j < i;"),
    "the ones of the diagonal are read": (TPMV, "j < i", "j <= i"),
    "without places for the diagonal": (TPMV, "(j + 1) / 2", "(j + 3) / 2"),
    "the row before": (TURNED, "B + i * (i + 1) / 2", "B + i * (i - 1) / 2"),
    "the element before": (TURNED, "b[j]", "b[j - 1]"),
    "rows from the end": (BOXES, "j * n + i", "j * n + n - 1 - i"),
    "the row behind": (BOXES, "A[i * m + j]", "A[(i + 1) * m + j]"),
    "another element": (TURNED, "A[i - j + j", "A[i - j - 1 + j"),
}


def asked(case: tuple[str, dict[str, str], str]) -> CVerdict:
    equations, said, text = case
    checked = read_program(Source("p.ab", equations))
    task = ProofTask(layouts=layouts_said(checked.program.systems[0], said))
    return prove_c(checked, Source("k.c", text), task)


@pytest.mark.parametrize("name", thinned(RIGHT, 4))
def test_what_lies_as_it_is_said_is_proved(name: str) -> None:
    assert asked(RIGHT[name]).is_proved


@pytest.mark.parametrize("name", thinned(MUTANTS, 12))
def test_what_is_wrong_is_refuted_by_execution(name: str) -> None:
    (equations, said, text), old, new = MUTANTS[name]
    assert old in text
    assert asked((equations, said, text.replace(old, new))).verdict == "refuted"


def test_rows_of_another_length_are_not_understood() -> None:
    equations, said, text = TRMV
    assert asked((equations, said, text.replace("A[j * lda + i]", "A[j * n + i]"))).verdict == "undecided"


@pytest.mark.parametrize("name", thinned(RIGHT, 3))
def test_without_its_format_nothing_is_proved(name: str) -> None:
    equations, _, text = RIGHT[name]
    assert not asked((equations, {}, text)).is_proved


def test_arrays_of_two_variables_lie_alike() -> None:
    equations, said, _ = SCALED
    text = (
        "void scaled(long n, long lda, double *B) { for (long i = 1; i < n; i++) for (long j = 0; j < i; j++)"
        " B[i * lda + j] = B[i * lda + j] * B[i * lda + j]; }"
    )
    checked = read_program(Source("p.ab", equations))
    system = checked.program.systems[0]
    alike = ProofTask(names={"B": "A+B"}, layouts=layouts_said(system, said | {"A": said["B"]}))
    assert prove_c(checked, Source("k.c", text), alike).is_proved
    apart = prove_c(checked, Source("k.c", text), ProofTask(names={"B": "A+B"}, layouts=layouts_said(system, said)))
    assert "is mapped to variables of different shapes" in apart.findings[0].message


def test_what_is_not_packed_has_no_points_where_it_is_said_to_be() -> None:
    equations, _, text = TRMV
    found = asked((equations, {"A": "packed row"}, text))
    assert found.verdict == "refuted"
    assert "`A` is packed: cannot find the point at this position" in found.findings[0].notes[0]


def test_halves_that_are_rounded_are_another_position() -> None:
    """Both halves are, where n and j are odd: one less in all."""
    equations, said, text = TPMV
    halves = text.replace("n * j - j * (j + 1) / 2", "n * j / 2 + (n * j - j * (j + 1)) / 2")
    assert halves != text
    assert asked((equations, said, halves)).verdict == "refuted"


def test_packed_bands_are_undecided() -> None:
    equations, _, text = GBMV
    found = asked((equations, {"A": "packed column"}, text))
    assert found.verdict == "undecided"
    assert (
        "`A` is packed: the position of an element must be a polynomial of second degree" in found.findings[0].message
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"C": "banded row"}, "AZ834.*no input or output `C`"),
        ({"A": "full rows"}, "AZ834.*no storage format"),
        ({"A": "full row leading n"}, None),
        ({"A": "full row leading incx"}, "AZ224.*may be smaller"),
    ],
)
def test_what_is_said_of_arguments_is_checked(said: dict[str, str], why: str | None) -> None:
    system = read_program(Source("p.ab", TRMV[0])).program.systems[0]
    if why is None:
        assert list(layouts_said(system, said)) == ["A"]
        return
    with pytest.raises(Rejected, match=why):
        layouts_said(system, said)


def test_formats_are_said_in_python(tmp_path: Path) -> None:
    equations, said, text = SCALED
    (tmp_path / "p.ab").write_text(equations)
    (tmp_path / "k.c").write_text(text)
    assert alphaz.prove(tmp_path / "p.ab", tmp_path / "k.c", storage=said).is_proved
    assert not alphaz.prove(tmp_path / "p.ab", tmp_path / "k.c").is_proved


def test_without_a_format_it_lies_from_the_lower_corner_on() -> None:
    checked = read_program(
        Source("s.ab", "affine s {N,M | N>M} input double a {i | M<=i<N}; output double b; let b = a[M]; .")
    )
    system = checked.program.system("s")
    place = place_of(system.variable("a"), system)
    assert place.extents == (Affine.name("N") - Affine.name("M"),)
    assert place.cell_at((7,), {"N": 9, "M": 4}) == (3,)


def test_a_scalar_may_lie_in_an_array_of_one_element() -> None:
    equations = "affine s {N | N>=1}\ninput double x;\noutput double y { | };\nlet y = 2.0 * x;\n."
    for element, wanted in (("y[0]", "proved"), ("y[1]", "refuted")):
        text = f"void s(long N, double x, double *y) {{ {element} = 2.0 * x; }}"
        assert asked((equations, {"y": "packed column"}, text)).verdict == wanted


@pytest.mark.parametrize(("cell", "wanted"), [("i * n + i", "proved"), ("i * n", "refuted"), ("i", "refuted")])
def test_cells_on_both_sides_of_a_diagonal_are_not_written(cell: str, wanted: str) -> None:
    equations = (
        "affine s {n | n>=2}\ninput\n double A {i | 0<=i<n};\noutput\n double B {i,j | 0<=i<n && i==j};\n"
        "let\n B[i,j] = A[i];\n.\n"
    )
    text = (
        "void s(long n, const double *A, double *B) {"
        f" for (long i = 0; i < n; i++) {{ B[{cell}] = 0; B[i * n + i] = A[i]; }} }}"
    )
    assert asked((equations, {"B": "full row leading n"}, text)).verdict == wanted
