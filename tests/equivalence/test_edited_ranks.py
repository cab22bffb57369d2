"""Texts of ranks that were edited after they were generated: what is proved of them, and where they are wrong."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.claim_files import moved_claims
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.equivalence.driver.rank_proof import prove_edited_ranks
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.rank_programs import SUMS, judged, sources

LOOP = "    for (int64_t i = max64(1, low); i < min64(N, high); i++) {\n"


def edited(*changes: tuple[str, str]) -> tuple[CVerdict, Source]:
    """Returns the verdict on the text of `sums` with other lines, and the text."""
    made, mapped = sources("sums")
    text = made.files["Sums.c"]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    source, checked = Source("build/Sums.c", text), mapped.design.checked
    return prove_edited_ranks(source, lambda: made.files, made, checked, ProofTask(system="Sums", jobs=1)), source


def lines_of(verdict: CVerdict, source: Source) -> list[str]:
    """Returns the lines of the findings, which are in the text."""
    spans = [finding.primary.span for finding in verdict.findings]
    assert {span.source.name for span in spans} == {source.name}
    return [source.line(span.position[0]).strip() for span in spans]


@pytest.mark.slow
def test_lines_are_added_and_changed() -> None:
    new = f"    /* The first place has no place before it. */\n    const int64_t from = max64(1, low);\n{LOOP}"
    verdict, _ = edited((LOOP, new.replace("i = max64(1, low)", "i = from")), ("return 0;", "return (0);"))
    assert verdict.is_proved, verdict.findings
    assert not [note for note in verdict.assumed if "P_from0" in note], "sizes of arrays are cases, not assumptions"


@pytest.mark.slow
def test_wrong_values_are_at_their_line() -> None:
    verdict, source = edited((LOOP, f"\n\n{LOOP}"), ("P[i - P_from0 - 1], A", "P[i - P_from0], A"))
    assert verdict.verdict == "undecided"
    assert "P[i - P_from0] = sum_long(P[i - P_from0], A[i - A_from0]);" in lines_of(verdict, source)
    number = source.text[: source.text.index("sum_long(")].count("\n") + 1
    assert f"(line {number})" in "".join(finding.message for finding in verdict.findings)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("*count += 1;", "*count += 2;", "*count += 2;"),
        ("    buffer += part;\n", "", "bytes -= part;"),
        ("int rank, size, status, failed;", "short rank, size, status, failed;", "short rank, size, status, failed;"),
        ("if (run->failed) {", "if (run->rank == 3) {", "if (run->rank == 3) {"),
        ("int64_t at = 0;", "int64_t at = low;", "static int64_t Sums_message("),
        ("#include <string.h>", "#include <string.h>\nint other;", "int other;"),
        ("*at += (int64_t)bytes;", "*at += (int64_t)bytes", "}"),
    ],
)
def test_other_texts_are_at_their_line(old: str, new: str, line: str) -> None:
    verdict, source = edited((old, new))
    (found,) = lines_of(verdict, source)
    assert verdict.parts == ()
    assert found == line


@pytest.mark.parametrize(
    "change", ["((long *)A)[0] = 5;", "long *Q = A; Q[0] = 5;", "*(long *)&A[0] = 5;", "((long *)&A[0])[0] = 5;"]
)
def test_inputs_are_only_read(change: str) -> None:
    """The block of an input is the caller's."""
    assert judged("sums", ("if (low <= 0 &&", f"{change} if (low <= 0 &&")).parts == ()


def test_received_values_are_not_stored_in_inputs() -> None:
    cell, end = "(void *)&P[i - P_from0]", "long *restrict P, int direction"
    change = cell, f"direction < 0 ? (void *)&A[i - P_from0] : {cell}"
    parameter = end, f"const long *restrict A, {end}"
    argument = "to_high, run->P", "to_high, run->A, run->P"
    verdict = judged("sums", change, parameter, argument)
    assert verdict.parts == ()
    assert "stores a value in an input" in verdict.findings[0].message


LARGE = "9223372036854775807"
FIRST = "for (int64_t i = max64(1, low);"


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("sums", FIRST, f"if (N * 32768 * 32768 * 32768 > 0) {FIRST}", "too large"),
        ("sums", FIRST, f"if (N << 40 > 0) {FIRST}", "too large"),
        ("sums", FIRST, f"const int64_t a = 4194304 * N, b = 4194304 * a; if (1 + b > 0) {FIRST}", "too large"),
        ("pivots", "return meets(", f"return to_low + {LARGE} >= {LARGE} && meets(", "too large"),
        ("pivots", "(int64_t i = max64(0, low);", "(int64_t i = max64(0, low - 5000000);", "too large"),
        ("overlap", "smallest(run->low + 1,", f"smallest(run->low + {LARGE},", "ends of the inner places"),
    ],
)
def test_numbers_are_not_so_large_that_integers_overflow(name: str, old: str, new: str, reason: str) -> None:
    """Else a condition is true in the proof, and false for some numbers of ranks or sizes."""
    made, mapped = sources(name)
    text = made.files[f"{mapped.system}.c"]
    verdict = judged(name, (text, text.replace(old, new)))
    assert verdict.parts == ()
    assert reason in verdict.findings[0].message


def test_headers_of_users_are_not_read() -> None:
    """They might define macros, and no program of ranks with functions of the user is proved."""
    other = '#include <string.h>\n#include "external_functions.h"'
    assert judged("sums", ("#include <string.h>", other)).parts == ()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("input long A", "input int A", "the elements of `A` are `long`, not `int`"),
        ("output long P", "output int P", "the elements of `P` are `long`, not `int`"),
        ("output long P {i | 0<=i<N}", "output long P {k | 0<=k<N}", "no affine function of its indices"),
        ("affine Sums {N | N>0}", "affine Sums {N,M | N>0 && M>0}", "the parameters are not those of the system"),
    ],
)
def test_the_equations_are_those_that_are_given(old: str, new: str, reason: str) -> None:
    """Those of the script do not count."""
    made, _ = sources("sums")
    checked = read_program(Source("other.ab", SUMS.replace(old, new)))
    verdict = prove_edited_ranks(
        Source("Sums.c", made.files["Sums.c"]), lambda: made.files, made, checked, ProofTask(system="Sums", jobs=1)
    )
    assert verdict.parts == ()
    assert reason in verdict.findings[0].message


def test_claims_follow_their_lines() -> None:
    claims = {1: {"variable": "a"}, 3: {"variable": "c"}}
    assert moved_claims(claims, "a\nb\nc", "new\na\nb\nc") == {2: claims[1], 4: claims[3]}
    assert moved_claims(claims, "a\nb\nc", "a\nb\nd\ne") == {1: claims[1], 3: claims[3], 4: claims[3]}
    assert moved_claims(claims, "a\nb\nc", "b") == {}


def test_a_script_without_ranks_has_no_text() -> None:
    made, mapped = sources("sums")
    source, checked = Source("Sums.c", made.files["Sums.c"]), mapped.design.checked
    other = type(made)({name: text for name, text in made.files.items() if name != "Sums.c"})
    with pytest.raises(Rejected, match="no code of ranks"):
        prove_edited_ranks(source, lambda: made.files, other, checked, ProofTask(system="Sums"))
