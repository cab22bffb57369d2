"""Cells that are kept in a local variable: what is read in their place does the same, and where it might not nothing
changes."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from alphaz.equivalence.concrete_steps import in_order
from alphaz.scop import CKernel
from alphaz.scop.c_model import Lock, Write
from alphaz.scop.promoted_scalars import in_their_cells
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree
from tests.scop.reading import kernel

ROWS = """    for (long i = 0; i < N; i++) {
        if (N > 2) {
            double sum = A[i];
            for (long k = 0; k < N; k++) sum = sum + B[i][k];
            A[i] = sum;
        }
    }"""


def locals_of(read: CKernel) -> list[str]:
    return [array.label for array in read.arrays.values() if not array.is_argument]


def test_a_sum_goes_on_in_its_cell() -> None:
    read = in_their_cells(kernel(ROWS))
    (only,) = read.statements
    assert locals_of(read) == []
    assert only.target.same_cell(only.reads[0])
    assert only.target.array.name == "A"
    assert [each.array.name for each in only.reads] == ["A", "B"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("k < N; k++", "k < N - 4; k++"),  # perhaps no step is taken
        ("A[i] = sum;", "A[i] = sum + 1;"),
        ("A[i] = sum;", "A[i] = B[i][0];"),
        ("A[i] = sum;", "A[N-1-i] = sum;"),
        ("A[i] = sum;", "if (i > 1) A[i] = sum;"),
        ("A[i] = sum;", "A[i] = sum; A[0] = sum;"),
        ("A[i] = sum;", "A[i] = i > 1 ? sum : A[i];"),
        ("for (long k", "\\n#pragma omp simd\\nfor (long k"),
        ("sum = A[i]", "sum = 2 * A[i]"),
        ("sum = sum + B", "sum = B"),  # what is in the cell is not read
        ("sum = sum + B[i][k]", "sum = sum + B[i][k] * A[k]"),
        ("sum = sum + B[i][k]", "{ sum = sum + B[i][k]; A[k] = 0; }"),
        ("sum = sum + B[i][k]", "B[i][k] = sum"),  # nothing is added
        ("sum = sum + B[i][k]", "sum = sum + B[i][k] * A[N-1-k]"),
        ("sum = sum + B[i][k]", "{ sum = sum + B[i][k]; A[0] = 0; }"),
        ("double sum = A[i];", "double sum = A[i]; A[N-1-i] = 1;"),
        ("sum = sum + B[i][k];", "{\\n#pragma omp critical\\n{ sum = sum + B[i][k]; }\\n}"),
        ("A[i] = sum;", "\\n#pragma omp critical\\nA[i] = sum;\\n"),
    ],
)
def test_what_might_do_something_else_is_left(before: str, after: str) -> None:
    assert ROWS.count(before) == 1
    given = kernel(ROWS.replace(before, after.replace("\\n", "\n")))
    found = in_their_cells(given)
    assert found.statements == given.statements
    assert found.arrays == given.arrays


def test_a_store_in_a_lock_is_left() -> None:
    read = kernel(ROWS)
    *others, store = read.statements
    locked = replace(store, write=Write(mutex=Lock("store", 2)))
    assert locals_of(in_their_cells(read)) == []
    assert locals_of(in_their_cells(replace(read, statements=(*others, locked)))) == ["sum"]


def test_steps_may_touch_other_cells_of_the_array() -> None:
    inside = "sum = sum + B[i][k] * A[k]; A[k - 1 - i] = 0;"
    text = (
        ROWS.replace("k = 0", "k = i + 1")
        .replace("N; k++", "i + 3; k++")
        .replace("sum = sum + B[i][k];", f"{{ {inside} }}")
    )
    read = in_their_cells(kernel(text.replace("if (N > 2)", "if (i >= 2)")))
    assert locals_of(read) == []
    assert [[str(each.subscripts[-1]) for each in step.reads] for step in read.statements] == [["i", "k", "k"], []]


def test_what_is_put_together_behind_a_loop_is_so_in_the_cell() -> None:
    clause = "\n#pragma omp simd reduction(+ : sum)\n        for (long k"
    (only,) = in_their_cells(kernel(ROWS.replace("for (long k", clause))).statements
    assert only.target.array.name == "A"
    assert any(each in only.write.reductions for each in only.date)


def test_two_numbers_are_kept_at_once() -> None:
    more = "double other = A[i + 1]; double sum = A[i];"
    text = ROWS.replace("double sum = A[i];", more).replace(
        "sum = sum + B[i][k];", "{ sum += B[i][k]; other += B[i][0]; }"
    )
    read = in_their_cells(kernel(text.replace("A[i] = sum;", "A[i + 1] = other; A[i] = sum;")))
    assert [str(statement.target.subscripts[0]) for statement in read.statements] == ["i", "i+1"]


def test_a_number_of_all_iterations_is_left() -> None:
    given = kernel("double sum;\n" + ROWS.replace("double sum", "sum"))
    assert in_their_cells(given).statements == given.statements


def test_what_reads_the_number_between_reads_the_cell() -> None:
    read = in_their_cells(kernel(ROWS.replace("sum = sum + B[i][k];", "{ sum = sum + B[i][k]; B[k][i] = sum; }")))
    assert [statement.target.array.name for statement in read.statements] == ["A", "B"]
    assert [each.array.name for each in read.statements[1].reads] == ["A"]


def evaluated(tree: Tree, reads: list[Fraction], at: dict[str, int]) -> Fraction:
    match tree:
        case ReadValue(number):
            return reads[number]
        case LiteralValue(value):
            return Fraction(value)
        case IndexLeaf(affine):
            return Fraction(affine.at(at))
        case OperationValue(operator, operands):
            inside = [evaluated(operand, reads, at) for operand in operands]
            return Fraction(sum(inside)) if operator == "+" else inside[0] * inside[1]
    raise AssertionError(tree)


Cell = tuple[str, tuple[int, ...]]


def executed(read: CKernel, n: int) -> dict[Cell, Fraction] | None:
    """Returns the final contents of the arguments; None if a read has no value."""
    random = Random(n)
    memory: dict[Cell, Fraction] = {}
    for i in range(n):
        memory["A", (i,)] = Fraction(random.randint(-9, 9))
        for j in range(n):
            memory["B", (i, j)] = Fraction(random.randint(-9, 9))
    for step, point in in_order(read, {"N": n})[0]:
        found = [each.at(point) for each in step.reads]
        if any(each not in memory for each in found):
            return None
        memory[step.target.at(point)] = evaluated(
            step.statement.value, [memory[each] for each in found], step.instance(point)
        )
    return {cell: value for cell, value in memory.items() if cell[0] in ("A", "B")}


def program(random: Random) -> str:
    """A loop that keeps a cell, in many ways, most of which are wrong."""
    choose = random.choice
    cell = choose(("A[i]", "A[i]", "B[i][t]", "A[0]"))
    inner = choose(
        (
            "long k = 0; k < N; k++",
            "long k = t; k < N; k++",
            "long k = i; k < N; k++",
            "long k = 0; k < 2; k++",
            "long k = 0; k < i; k++",
        )
    )
    steps = [
        "sum = sum + B[i][0]",
        "sum = sum * 2",
        "sum = sum + A[k]",
        "sum = 3",
        "B[0][i] = sum",
        "A[i] = 1",
    ]
    inside = " ".join(f"{choose((*steps[:2], *steps))};" for _ in range(random.randint(1, 2)))
    back = choose((cell, cell, cell, "A[i]"))
    more = choose(("", "", "", "A[0] = 4;", "B[0][0] = 1;"))
    guard = choose(("if (t < N)", "if (i > 0)", "if (N > 2)"))
    return f"""for (long t = 0; t < N; t++) for (long i = 0; i < N; i++) {guard} {{
        double sum = {cell}; {more}
        for ({inner}) {{ {inside} }}
        {back} = sum; }}"""


@pytest.mark.slow
def test_the_same_is_in_the_arrays_at_the_end() -> None:
    changed = 0
    for seed in range(150):
        text = program(Random(seed))
        given = kernel(text)
        found = in_their_cells(given)
        changed += len(found.statements) < len(given.statements)
        for n in range(1, 5):
            wanted = executed(given, n)
            assert wanted is None or executed(found, n) == wanted, text
    assert 15 < changed < 120
