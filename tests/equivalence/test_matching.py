"""Trees of C against those of equations, with no run of the program to tell what is wrong."""

from dataclasses import replace
from fractions import Fraction

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import prove
from alphaz.equivalence.claims import Claims
from alphaz.equivalence.expression_matching import Matching, item_ways, parts_of, sum_types_agree
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.value_graph_builder import graph_of
from alphaz.model.types import DOUBLE, FLOAT, INT
from alphaz.poly import Affine
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree
from tests.equivalence.asking import HEAD, LOOP, S
from tests.equivalence.test_questions import ROWS, UPDATES, asked, moved

ONE, TWO = LiteralValue(Fraction(1), DOUBLE), LiteralValue(Fraction(2), DOUBLE)
A = ReadValue(0, DOUBLE)


def proof_context(expression: str, c: str) -> ProofContext:
    return asked(f"{HEAD} B[i] = {expression};\n.\n", f"{S}{{ {LOOP} B[i] = {c}; }}")


def ways(about: ProofContext, tree: Tree) -> int:
    """In how many parts the tree is the value of B[i]."""
    (statement,) = about.kernel.statements
    matching = Matching(about.values, lambda *_: True)
    return len(matching.value(tree, "B", (Affine.name(statement.iterators[0]),), statement.domain))


@pytest.mark.parametrize(
    ("expression", "c", "wrong"),
    [
        ("A[i] - 2.0", "A[i] - 2.0", OperationValue("+", (A, TWO), DOUBLE)),
        ("A[i] - 2.0", "A[i] - 2.0", OperationValue("-", (TWO, A), DOUBLE)),
        ("A[i] - 2.0", "A[i] - 2.0", OperationValue("-", (A, TWO), FLOAT)),
        ("A[i] - 2.0", "A[i] - 2.0", OperationValue("-", (A, ONE), DOUBLE)),
        ("A[i] - 2.0", "A[i] - 2.0", OperationValue("-", (A,), DOUBLE)),
        (
            "A[i] * [i]",
            "A[i] * i",
            OperationValue("*", (A, IndexLeaf(Affine.name("i") + Affine.name("N"), DOUBLE)), DOUBLE),
        ),
    ],
)
def test_another_tree_is_another_value(expression: str, c: str, wrong: Tree) -> None:
    about = proof_context(expression, c)
    (statement,) = about.kernel.statements
    assert ways(about, statement.value) == 1
    found = Matching(about.values, lambda *_: True).value(
        wrong, "B", (Affine.name(statement.iterators[0]),), statement.domain
    )
    # An index that is another may be the same somewhere: not here, as there is no N below 3.
    assert all(not part.is_empty() and isinstance(wrong.operands[1], IndexLeaf) for part, _ in found)  # type: ignore[union-attr]
    assert all(part != statement.domain for part, _ in found)


def test_an_index_is_the_same_where_it_is_equal() -> None:
    about = proof_context("A[i] * [i]", "A[i] * i")
    (statement,) = about.kernel.statements
    twice = OperationValue("*", (A, IndexLeaf(Affine.name("i") * 2, DOUBLE)), DOUBLE)
    found = Matching(about.values, lambda *_: True).value(twice, "B", (Affine.name("i"),), statement.domain)
    assert [sorted(part.points({"N": 5})) for part, _ in found] == [[(0,)]]


@pytest.mark.parametrize(("kind", "is_one"), [("int", True), ("char", False)])
def test_a_choice_is_converted_to_a_type_that_has_it(kind: str, is_one: bool) -> None:
    text = "affine s {N | N>=2}\ninput\n int D {i | 0<=i<N};\noutput\n long B {i | 0<=i<N};\n"
    text += f"local\n {kind} T {{i | 0<=i<N}};\n"
    checked = read_program(Source("s.ab", f"{text}let\n T[i] = max(D[i], [i]);\n B[i] = T[i];\n.\n"))
    (system,) = checked.program.systems
    values = graph_of(checked, system)
    tree = OperationValue("max", (ReadValue(0, INT), IndexLeaf(Affine.name("i"), INT)), INT)
    found = Matching(values, lambda *_: True).value(tree, "B", (Affine.name("i"),), values["B"].domain)
    assert bool(found) == is_one


def test_parts_belong_to_their_result() -> None:
    """A[i,k] is a part of the sum of row i, and of no other."""
    about = asked(ROWS, UPDATES)
    (adding,) = [contribution for contribution in about.claims.contributions if not contribution.starts]
    (share,) = adding.shares
    matching = Matching(about.values, lambda *_: True)
    ((_, tree),) = parts_of(adding.statement.value, "+", 0, DOUBLE)[1]
    right = item_ways(matching, tree, adding.sum, share.number, share.body, adding.point, adding.statement.domain)
    assert right
    other = (adding.point[0] + 1,)
    assert not item_ways(matching, tree, adding.sum, share.number, share.body, other, adding.statement.domain)


def test_what_is_negated_is_subtracted() -> None:
    tree = OperationValue("+", (A, OperationValue("neg", (ReadValue(1, DOUBLE),), DOUBLE)), DOUBLE)
    assert parts_of(tree, "+", 0, DOUBLE) == (True, [(-1, ReadValue(1, DOUBLE))])
    less = OperationValue("-", (A, ReadValue(1, DOUBLE)), DOUBLE)
    assert parts_of(less, "+", 0, DOUBLE) == (True, [(-1, ReadValue(1, DOUBLE))])


def test_in_order_only_what_is_there_is_added_to() -> None:
    one, other = ReadValue(1, DOUBLE), ReadValue(2, DOUBLE)
    added = OperationValue("+", (OperationValue("+", (A, one), DOUBLE), other), DOUBLE)
    assert parts_of(added, "+", 0, DOUBLE, True) == (True, [(1, one), (1, other)])
    assert parts_of(added, "+", 3, DOUBLE, True) == (False, [(1, added)])
    turned = OperationValue("+", (one, A), DOUBLE)
    assert parts_of(turned, "+", 0, DOUBLE, True) == (False, [(1, turned)])


def test_sums_are_kept_in_their_own_type() -> None:
    about = asked(ROWS, UPDATES)
    for contribution in about.claims.contributions:
        assert sum_types_agree(contribution.statement, "+", about.values["B"])
        narrow = replace(contribution.statement.target.array, type=FLOAT)
        single = replace(contribution.statement, target=replace(contribution.statement.target, array=narrow))
        assert not sum_types_agree(single, "+", about.values["B"])


def test_an_instance_says_once_what_it_adds() -> None:
    about = asked(ROWS, UPDATES)
    made = about.claims
    twice = Claims(made.values, [*made.contributions, *made.contributions])
    assert len(twice.apart().contributions) == len(made.contributions)
    doubled = [replace(contribution, shares=contribution.shares * 2) for contribution in made.contributions]
    objections = prove(replace(moved(about, about), claims=Claims(made.values, doubled)))
    assert "R1" in {answer.question.family for answer in objections.answers if not answer.is_proved}
