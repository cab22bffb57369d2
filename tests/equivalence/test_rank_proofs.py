"""Generated C with calls of MPI is proved; no text with a fault is."""

from dataclasses import replace
from random import Random

import pytest

from alphaz.c import tree as c
from alphaz.c.alphaz_header import RUNTIME
from alphaz.c.parse import parse_expression
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.equivalence.ranks.affine_cases import NotAffineByCases, cases_of, conditions_of
from alphaz.poly import Affine
from tests.codegen.mpi_mutants import is_found
from tests.codegen.mpi_programs import engine
from tests.equivalence.rank_faults import faulty
from tests.equivalence.rank_programs import PROGRAMS, case_of, judged, sources
from tests.thinning import thinned


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["sums", "pivots", "totals", *thinned(["norms", "shifts", "overlap", "lines", "corners"], 5)]
)
def test_ranks_are_proved(name: str) -> None:
    made, mapped = sources(name)
    proof = prove_generated(made, mapped.design.checked, mapped.system, jobs=1)
    assert proof.verdict.is_proved, proof.verdict.findings
    assert len(proof.verdict.obligations) > 40
    assert "is proved to compute the equations on any number of ranks" in proof.sources.files[f"{mapped.system}.c"]


# Texts that are not read: the protocol, the loops around messages, or types differ.
UNREAD = [
    ("sums", "other, 0, comm, &requests[*count])", "other, 1, comm, &requests[*count])"),
    ("sums", "memcpy(element, buffer + *at, bytes)", "memcpy(element, buffer, bytes)"),
    ("sums", "MPI_Waitall(count, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS", "0"),
    ("sums", "Sums_receive(run, 0, run->rank, 0)", "Sums_receive(run, 0, run->rank - 1, 0)"),
    ("sums", "run->rank + 1, run->size, count", "run->rank + 2, run->size, count"),
    ("sums", "other, run->rank, -1, at", "run->rank, other, -1, at"),
    ("sums", "from, run->size", "to, run->size"),
    ("sums", "places_of(0, N - 1 + 1,", "places_of(0, N - 1,"),
    ("sums", "places_of(0, N - 1 + 1,", "places_of(1, N - 1 + 1,"),
    ("sums", "const int64_t share = count / size", "const int64_t share = count / (size + 1)"),
    ("sums", "int64_t at = 0;", "int64_t at = 8;"),
    ("sums", "sizeof(P[i - P_from0])", "sizeof(float)"),
    (
        "sums",
        "i < min64(min64(N - 1, from_high), to_high - 1)",
        "i < min64(min64(N - 1, from_high - direction), to_high - 1)",
    ),
    ("sums", "i < min64(min64(N - 1, from_high), to_high - 1)", "i < min64(min64(N - 1, low), to_high - 1)"),
    ("sums", "int64_t from_low, int64_t from_high", "int from_low, int64_t from_high"),
    (
        "sums",
        "static int64_t largest",
        "static int64_t max64(int64_t a, int64_t b) { return a; }\nstatic int64_t largest",
    ),
    ("sums", "long *P;", "int *P;"),
    ("sums", "#include <string.h>", "#include <string.h>\n#define N 3"),
    ("sums", "#include <string.h>", '#include <string.h>\n#include "other.h"'),
    ("sums", "Sums_all(&run, Sums_step)", "Sums_all(&run, Sums_measure)"),
    ("sums", "places_of(0, N - 1 + 1,", "places_of(0, N - 10 + 010,"),
    ("sums", "(const int64_t[]){P_size0}", "(const int64_t[]){[1] = P_size0}"),
    ("sums", "(const int64_t[]){P_size0}", "(const int[]){P_size0}"),
    (
        "sums",
        "const int64_t bytes = bytes_of(sizeof(long), 1, (const int64_t[]){P",
        "const int bytes = bytes_of(sizeof(long), 1, (const int64_t[]){P",
    ),
    ("sums", "move_element(direction, buffer, &at", "const int64_t direction = 0; move_element(direction, buffer, &at"),
    ("sums", "to_high - 1);\n             i++)", "to_high - 1);\n             i++) for (int64_t at = 0; at < 1; at++)"),
    ("sums", "if (too_large(N)) {", "if (N > 5) { return 0; } if (too_large(N)) {"),
    ("sums", "if (N < 1) {", "if (N < 2) {"),
    ("shifts", "too_large(N) || too_large(T)", "too_large(N) || too_large(N)"),
    ("sums", "if (low <= 0 &&", "N = N + 0; if (low <= 0 &&"),
    ("sums", "*count += 1;", "// ??/\n *count += 1;"),
    ("shifts", "visit(run, step0_2);", "visit(run, step0_2); visit(run, step0_2);"),
    ("shifts", "visit(run, step0_2);", "visit(run, step0_2); run->N = 3;"),
    ("sums", "const long *restrict A, long", "long *restrict A, long"),
    (
        "corners",
        "    Corners_loops(run",
        "    if (Corners_receive(run, step0, 0, run->rank, 0)) { return; } Corners_loops(run",
    ),
    ("sums", "*count += 1;", "*count += 1; /* *\\\n/ *count = 0; /* */"),
    ("sums", "(void *)&P[i - P_from0]", "direction < 0 ? (void *)&P[from_low - P_from0] : (void *)&P[i - P_from0]"),
    ("sums", "1, (const int64_t[]){N}) < 0", "2, (const int64_t[]){N, 4611686018427387904}) < 0"),
    ("sums", "(const int64_t[]){N}) < 0", "(const int64_t[]){N / (N - N)}) < 0"),
    ("sums", "MPI_Fint comm)\n{", "MPI_Fint comm)\n{\n#pragma weak MPI_Waitall = Sums_mpi_f\n"),
    ("sums", "first[0] = A_from0;", "first[0] = A_from0; exit(0);"),
    ("pivots", "N = run->N;\n    for", "N = run->N % 256;\n    for"),
    ("pivots", "const int64_t N = run->N;\n    for", "const unsigned char N = run->N;\n    for"),
    ("pivots", "return meets(0, N - 1, to_low, to_high);", "return meets(0, N - 1, to_low, to_high) * 4294967296;"),
    (
        "norms",
        "for (int64_t step0_2 = 0; step0_2 < 2 * T; step0_2++) {\n        visit(run, step0_2);",
        "for (int64_t low = 0; low < 2 * T; low++) {\n        visit(run, low);",
    ),
    ("overlap", "run->failed = Shifts_finish(run);", "run->failed = 0;"),
    ("overlap", "run->step0 = step0;", "run->step0 = step0 - 1;"),
    ("overlap", "Shifts_part(run, step0, end0, run->high);", "Shifts_part(run, step0, begin0, run->high);"),
]


@pytest.mark.parametrize(("name", "old", "new"), thinned(UNREAD, 3))
def test_other_texts_are_not_read(name: str, old: str, new: str) -> None:
    verdict = judged(name, (old, new))
    assert (verdict.verdict, verdict.parts) == ("undecided", ())


# Texts that are read, of which one rank computes other values.
WRONG = [
    ("sums", "sum_long(P[i - P_from0 - 1], A[i - A_from0])", "sum_long(P[i - P_from0 - 1], A[0])"),
    ("sums", "for (int64_t i = max64(1, low);", "for (int64_t i = max64(2, low);"),
    ("sums", "for (int64_t i = max64(1, low);", "for (int i = max64(1, low);"),
    (
        "sums",
        "(void *)&P[i - P_from0], sizeof(P[i - P_from0])",
        "(void *)&P[i - P_from0 + 1], sizeof(P[i - P_from0 + 1])",
    ),
    ("sums", "max64(max64(0, from_low), to_low - 1)", "max64(max64(0, from_low), to_low)"),
    ("sums", "P[-P_from0] = A[-A_from0]", "P[-P_from0] = A[0]; P[0] = 1"),
    ("sums", "(void *)&P[i], sizeof", "direction < 0 ? (void *)&P[0] : (void *)&P[i], sizeof"),
    ("sums", "(void *)&A[i - A_from0]", "direction < 0 ? (void *)&A[0] : (void *)&A[i - A_from0]"),
    ("shifts", "step0_2 <= T + 1", "step0_2 <= T"),
    ("sums", "(const int64_t[]){P_size0}", "(const int64_t[]){P_size0 - 1}"),
    ("sums", "(const int64_t[]){P_size0}", "(const int64_t[]){(char)P_size0}"),
    ("shifts", "step0 < T && step0 >= 0", "step0 < T && step0 >= 1"),
    ("shifts", "i < min64(min64(N - 1, from_high), to_high - 1)", "i < min64(min64(N - 2, from_high), to_high - 1)"),
    ("overlap", "step0 < T && step0 >= 0", "step0 < T - 1 && step0 >= 0"),
    ("totals", "return 0L;", "return 1L;"),
    ("totals", "return sum_long(left, right);", "return sum_long(right, right);"),
    ("totals", "floor_div(step0, 2);", "floor_div(step0, 2) + 1;"),
    ("pivots", "run->size, step0)", "run->size, step0 + 1)"),
    ("pivots", "step0 >= 0", "step0 >= 1"),
    ("lines", "run->size0, step0)", "run->size0, step0 + 1)"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new"), thinned(WRONG, 6))
def test_ranks_that_compute_other_values_are_not_proved(name: str, old: str, new: str) -> None:
    verdict = judged(name, (old, new))
    assert verdict.verdict == "undecided"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lines", *thinned(["totals", "pivots", "corners", "norms"], 4)])
def test_faults_in_the_protocol_are_not_read(name: str) -> None:
    """Of communicators, roots, collectives, buffers: the texts differ from the protocol, or from the sets of values."""
    made, mapped = sources(name)
    text, words = made.files[f"{mapped.system}.c"], ("MPI_", "run->line", "run->rank", "broadcast(", "root,")
    every = [mutant for mutant in faulty(name) if any(word in mutant.line for word in words)]
    chosen = Random(name).sample(every, 4)
    assert [m.line for m in chosen if judged(name, (text, m.text)).parts] == []


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_mutants_that_are_proved_compute_the_same(name: str) -> None:
    made, mapped = sources(name)
    text = made.files[f"{mapped.system}.c"]
    every = Random(name).sample(list(faulty(name)), 60)
    proved = [mutant for mutant in every if judged(name, (text, mutant.text)).is_proved]
    assert len(proved) < 6
    if engine("mpicc") is None:
        pytest.skip("needs MPI")
    assert [mutant.line for mutant in proved if is_found(case_of(name), mutant)] == []


@pytest.mark.long
def test_combined_outputs_are_gathered_whole() -> None:
    """All ranks have all values; the caller must get them all."""
    change = "for (int64_t t = 0; t < T; t++)", "for (int64_t t = 0; t < T - 1; t++)"
    assert judged("norms", change, change).verdict == "undecided"


def test_a_function_declares_no_argument() -> None:
    """The sender would move the values for itself, not those for the receiver."""
    changes = (
        (" int64_t to_low,", ""),
        ("from_high, to_low, to_high, run->P", "from_high, to_high, run->P"),
        ("    int64_t at = 0;", "    const int64_t to_low = low;\n    int64_t at = 0;"),
    )
    assert judged("sums", *changes).parts == ()


def test_ends_of_places_have_one_name() -> None:
    """Else a message would be about the own places, and the proof about those of the receiver."""
    made, mapped = sources("sums")
    text = made.files[f"{mapped.system}.c"]
    start, end = text.index("static int64_t Sums_message"), text.index("static int64_t Sums_whole_A_points")
    message = text[start:end].replace("int64_t low, int64_t from_low", "int64_t low, int64_t high, int64_t from_low")
    message = (
        message.replace(" int64_t to_low, int64_t to_high,", "").replace("to_low", "low").replace("to_high", "high")
    )
    other = text[:start] + message + text[end:].replace("to_low, to_high;", "low, high;").replace("&to_low", "&low")
    other = other.replace("&to_high", "&high").replace("(void)to_low;\n    (void)to_high;\n", "")
    other = other.replace("run->low, from_low, from_high, to_low, to_high", "run->low, run->high, from_low, from_high")
    assert judged("sums", (text, other)).parts == ()


def test_other_headers_are_not_read() -> None:
    made, _ = sources("sums")
    strings = 'extern char a[sizeof("/*")];\n#define N 3\nextern char b[sizeof("*/")];'
    attributes = ("_Noreturn void free(void *);", "int MPI_Comm_rank(MPI_Comm, int *) __attribute__((const));")
    texts = ("#define N 3", "%:define N 3", strings, *attributes, "int Sums_mpi_f(void) __attribute__((constructor));")
    more = [(RUNTIME, "#define max64 min64"), *(("Sums.h", x) for x in texts)]
    for name, text in more:
        files = replace(made, files={**made.files, name: f"{made.files[name]}\n{text}\n"})
        assert judged("sums", files=files).parts == ()


def test_wrong_claims_prove_nothing() -> None:
    made, _ = sources("sums")
    files = replace(made, places={"P": (Affine.name("i") + 1,)})
    assert not judged("sums", files=files).is_proved, "the last place would have no rank"
    assert judged("sums", files=replace(made, places={})).parts == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a < b ? a : b + 1", lambda a, b: a if a < b else b + 1),
        ("max64(a, min64(b, 3)) * 2 - a", lambda a, b: max(a, min(b, 3)) * 2 - a),
        ("a == b || !(a >= 0 && b > 1) ? -a : 7", lambda a, b: -a if a == b or not (a >= 0 and b > 1) else 7),
    ],
)
def test_the_cases_of_an_integer(text: str, value: object) -> None:
    """The cases cover all values, and agree where several hold."""
    node = parse_expression(text)
    assert node is not None
    cases = cases_of(node, {name: Affine.name(name) for name in "ab"})
    for a in range(-4, 6):
        for b in range(-4, 6):
            names = {"a": a, "b": b}
            found = {case.value.at(names) for case in cases if all(x.holds(names) for x in case.conditions)}
            assert found == {value(a, b)}  # type: ignore[operator]


@pytest.mark.parametrize("text", ["a / 4", "floor_div(a, 4)"])
def test_the_cases_of_a_quotient(text: str) -> None:
    node = parse_expression(text)
    assert node is not None
    cases = cases_of(node, {"a": Affine.name("a")})
    for a in range(-9, 10):
        found = set()
        for case in cases:
            (quotient,) = case.value.names
            for q in range(-4, 5):
                if all(x.holds({"a": a, quotient: q}) for x in case.conditions):
                    found.add(q)
        assert found == {a // 4 if "floor" in text else int(a / 4)}


def test_integers_that_are_not_affine() -> None:
    for text in ("a * a", "f(a)", "a % b", "b"):
        node = parse_expression(text)
        assert node is not None
        with pytest.raises(NotAffineByCases):
            cases_of(node, {"a": Affine.name("a")})
    with pytest.raises(NotAffineByCases):
        conditions_of(c.Name("a"), {"a": Affine.name("a")}, truth=True)
