"""Sums in parts: registers, lanes, buffers and threads that sum up for themselves (R5)."""

from dataclasses import replace

import pytest

from alphaz.equivalence.c_proof import prove
from alphaz.equivalence.partial_reductions import PartialReduction, refined
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.value_graph import ReductionValue, Ref
from alphaz.poly import Affine, Domain, equal
from tests.equivalence.test_questions import CLEAR, ROWS, asked
from tests.thinning import thinned

pytestmark = pytest.mark.slow

S = "void s(long N, const double A[N][N], double *B)"
MIN = "static long least(long a, long b) { return a < b ? a : b; }\n"
K = "for (long k = t; k < least(N, t + 4); k++)"
STRIPS = "for (long t = 0; t < N; t += 4) for (long i = 0; i < N; i++)"
TILES = f"{STRIPS} {{ double m = 0; {K} m = m + A[i][k]; B[i] += m; }}"
REGISTERS = f"{MIN}{S} {{ {CLEAR} {TILES} }}"
SIGNED = REGISTERS.replace("m = m + A", "m = m - A").replace("+= m", "-= m")
LANES = (
    f"{MIN}{S} {{ for (long i = 0; i < N; i++) {{ double m[4]; for (long l = 0; l < 4; l++) m[l] = 0;"
    f" for (long t = 0; t < N; t += 4) {K} m[k - t] += A[i][k]; B[i] = m[0] + m[1] + m[2] + m[3]; }} }}"
)
# The block of registers is copied to where it can be added cell by cell, under a mask.
MASKED = (
    f"{MIN}{S} {{ {CLEAR} for (long t = 0; t < N; t += 4) for (long b = 0; b < N; b += 3) {{ double m[3]; double c[3];"
    " for (long r = 0; r < 3; r++) m[r] = 0;"
    f" {K} for (long r = 0; r < 3; r++) m[r] += A[least(b + r, N - 1)][k];"
    " for (long r = 0; r < 3; r++) c[r] = m[r]; for (long r = 0; r < 3; r++) if (b + r < N) B[b + r] += c[r]; } }"
)
# Registers into a row of a strip, and that into the sum.
EIGHTS = STRIPS.replace("t", "u").replace("4", "8")
TWICE = (
    f"{MIN}{S} {{ {CLEAR} {EIGHTS} {{ double w = 0;"
    " for (long t = u; t < least(N, u + 8); t += 4) { double m = 0;"
    " for (long k = t; k < least(N, t + 4); k++) m += A[i][k]; w += m; } B[i] += w; } }"
)
RIGHT = {"registers": REGISTERS, "signed": SIGNED, "lanes": LANES, "masked": MASKED, "twice": TWICE}

WRONG = {
    "parts that overlap": (REGISTERS, "t + 4", "t + 5"),
    "parts with gaps": (REGISTERS, "t + 4", "t + 3"),
    "the first of each part": (REGISTERS, "long k = t;", "long k = t + 1;"),
    "not begun again": (REGISTERS, f"{STRIPS} {{ double m = 0;", f"double m; {STRIPS} {{ if (t == 0) m = 0;"),
    "begun elsewhere": (REGISTERS, "double m = 0", "double m = 1"),
    "added inside of the loop": (REGISTERS, "m = m + A[i][k]; B[i] += m;", "{ m = m + A[i][k]; B[i] += m; }"),
    "added twice": (REGISTERS, "B[i] += m;", "B[i] += m; if (t == 4) B[i] += m;"),
    "subtracted": (REGISTERS, "B[i] += m", "B[i] -= m"),
    "not added": (REGISTERS, "B[i] += m", "B[i] = m"),
    "to another row": (REGISTERS, "B[i] += m", "B[N - 1 - i] += m"),
    "at once": (REGISTERS, "for (long t", "\n#pragma omp parallel for\nfor (long t"),
    "another row": (REGISTERS, "A[i][k]", "A[N - 1 - i][k]"),
    "a sign of one": (SIGNED, "m - A", "m + A"),
    "a lane is lost": (LANES, " + m[3]", ""),
    "a lane twice": (LANES, "m[3]", "m[2]"),
    "lanes that meet": (LANES, "m[k - t] += A", "m[(k - t) / 2] += A"),
    "lanes that are cleared": (LANES, "m[k - t] += A", "m[k - t] = A"),
    "a lane that is not begun": (LANES, "l < 4", "l < 3"),
    "behind the block": (MASKED, "r < 3; r++) if", "r < 2; r++) if"),
    "one register for all": (MASKED, "c[r] = m[r]", "c[r] = m[0]"),
    "blocks that overlap": (MASKED, "b += 3", "b += 2"),
    "a strip is lost": (TWICE, "u + 8", "u + 4"),
    "a strip twice": (TWICE, "u += 8", "u += 4"),
    "registers of another strip": (TWICE, "long k = t;", "long k = u;"),
    "a strip that goes on": (TWICE, f"{EIGHTS} {{ double w = 0;", f"double w; {EIGHTS} {{ if (u == 0) w = 0;"),
}  # fmt: skip


@pytest.mark.parametrize("name", thinned(RIGHT, 3))
def test_sums_in_parts_are_proved(name: str) -> None:
    about = asked(ROWS, RIGHT[name])
    assert about.parts
    proof = prove(about)
    assert proof.is_proved, [answer.question.claim for answer in proof.answers if not answer.is_proved]
    assert "R5" in {answer.question.family for answer in proof.answers}


@pytest.mark.parametrize("name", thinned(WRONG, 3))
def test_wrong_parts_are_not_proved(name: str) -> None:
    text, old, new = WRONG[name]
    assert old in text
    assert not prove(asked(ROWS, text.replace(old, new))).is_proved


def _with_parts(about: ProofContext, *parts: PartialReduction) -> set[str]:
    """The families that object to other parts."""
    proof = prove(replace(about, parts=parts, writers={}))
    return {answer.question.family for answer in proof.answers if not answer.is_proved}


def test_what_is_in_two_parts_is_objected_to() -> None:
    about = asked(ROWS, REGISTERS)
    (part,) = about.parts
    assert _with_parts(about, part) == set()
    # As if each tile had the parts of all others, too.
    ((item, members),) = part.members.items()
    wider = members.onto(members.space.names[1:])
    all_of_them = part.domain.embedded(members.space) & wider.embedded(members.space)
    assert _with_parts(about, replace(part, members={item: all_of_them})) == {"R5"}
    again = replace(part, statement=about.kernel.statements[0])
    assert _with_parts(about, part, again) == {"R5"}


def test_what_is_in_no_part_stays_in_the_sum() -> None:
    about = asked(ROWS, REGISTERS)
    whole = "for (long i = 0; i < N; i++) for (long k = 0; k < N; k++) B[i] += A[i][k];"
    values = asked(ROWS, f"{S} {{ {CLEAR} {whole} }}").values
    (part,) = about.parts
    ((item, members),) = part.members.items()

    def sum_of(members: Domain | None) -> ReductionValue:
        parts = [replace(part, members={} if members is None else {item: members})]
        found = refined(values, parts)[part.key].definitions[0].sum
        assert found is not None
        return found

    (only,) = sum_of(members).items
    assert only.term == Ref(part.title, tuple(map(Affine.name, part.names)))
    (rest, _) = sum_of(None).items
    assert rest.region.domain.equals(values[part.key].definitions[0].sum.items[0].region.domain)  # type: ignore[union-attr]
    first = Domain.where(members.space, [equal(Affine.name(part.names[0]), 0)])
    (rest, _) = sum_of(members & first).items
    assert {k for _, k in rest.region.domain.points({"N": 6})} == {4, 5}
