"""A witness is checked again by plain integers: of points near a violation, exactly the violations pass.

The set of violations and the check say the same thing twice, in constraints and in numbers; here both are asked about
points inside and outside of the set, for random programs and mappings.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from alphaz.analysis.facts.dependences import dependences
from alphaz.diagnostics import Rejected
from alphaz.legality.mapping_obligations import order_obligations, orders
from alphaz.legality.obligations.order_obligations import OrderObligation
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.program import Equation
from alphaz.order.operation_table import operations
from alphaz.order.read_confirmation import is_read
from alphaz.poly import Domain
from alphaz.proof import Obligation
from tests.legality.agreement import design_of
from tests.legality.mapped import Mapped
from tests.legality.plain_reads import contains
from tests.strategies import mapped_calls, mapped_programs
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SEEN: Counter[tuple[str, bool]] = Counter()


def asked(mapping: ResolvedMapping) -> Iterator[tuple[OrderObligation, Obligation]]:
    """Every question under every order, those that are settled without isl included."""
    for matter in order_obligations(operations(mapping)):
        question = matter.ask()
        for order in orders(mapping).values():
            obligation = question.under(order)
            if obligation is not None:
                yield question, obligation


def points(violations: Domain, violation_space: Domain, random: Random) -> Iterator[dict[str, int]]:
    """Some of the set and of what surrounds it, for small parameters; and their neighbours."""
    names = violations.space.names
    for size in (1, 2, 3):
        parameters = dict.fromkeys(violations.space.parameters, size)
        for domain in (violations, violation_space):
            results = list(domain.points(parameters))
            for point in random.sample(results, min(4, len(results))):
                yield {**parameters, **dict(zip(names, point, strict=True))}
                moved = list(point)
                if moved:
                    moved[random.randrange(len(moved))] += random.choice((-1, 1))
                yield {**parameters, **dict(zip(names, moved, strict=True))}


def is_plain(question: OrderObligation) -> bool:
    """Returns True if the point says all: of a read inside a sum, another term may read the same."""
    read = question.read
    return read is None or len(read.names) == len(read.reader.names)


def check(mapping: ResolvedMapping, random: Random) -> None:
    for question, obligation in asked(mapping):
        violations = obligation.violations()
        violation_space = question.violation_space.counterexamples()
        for values in points(violations, violation_space, random):
            inside = contains(violations, values)
            if inside or is_plain(question):
                assert obligation.recheck(values) == inside, (obligation.claim, values)
                SEEN[question.rule.code, inside] += 1


@pytest.mark.parametrize("seed", thinned(range(4), 3))
def test_exactly_the_violations_pass(seed: int) -> None:
    for case in range(12):
        random = Random(f"witness/{seed}/{case}")
        sample = (mapped_calls if case % 4 == 3 else mapped_programs).sample(random)
        try:
            mapping = resolve(design_of(sample), sample.system)
        except Rejected:
            continue
        check(mapping, random)


def test_every_rule_is_asked_about_points_of_both_kinds() -> None:
    for seed in range(4):
        if len(SEEN) < 16:
            test_exactly_the_violations_pass(seed)
    rules = {"AZ501", "AZ502", "AZ503", "AZ601", "AZ602", "AZ603", "AZ604", "AZ701"}
    assert {(rule, inside) for rule in rules for inside in (True, False)} <= set(SEEN)


def test_a_branch_is_taken_where_it_is_defined() -> None:
    """Without a restrict, too: A has no point N."""
    text = """affine S {N | N > 0}
input
  int A {i | 0<=i<N};
output
  int B {i | 0<=i<=N};
let
  B[i] = case
    A[i];
    {| i==N} : 0;
  esac;
.
"""
    design = Mapped(text).design
    facts, (system,) = design.checked.facts, design.program.systems
    (read,) = dependences(system, facts)
    equation = system.equation("B")
    assert isinstance(equation, Equation)
    for at in range(4):
        scope = {"N": 3, "i": at}
        assert is_read(facts, equation.expression, read.reference, scope, {}, (at,)) == (at < 3)


def test_a_result_reads_what_contributes_to_it_alone() -> None:
    text = """affine S {N | N > 0}
input
  int A {i,k | 0<=i<N && 0<=k<N};
output
  int B {i | 0<=i<N};
let
  B[i] = 1 + reduce(+, (i,k -> i), {| 0<=k<N} : A[i,k]);
.
"""
    design = Mapped(text).design
    facts, (system,) = design.checked.facts, design.program.systems
    (read,) = dependences(system, facts)
    equation = system.equation("B")
    assert isinstance(equation, Equation)
    scope = {"N": 3, "i": 1}
    for row, hint in product(range(3), ({}, {"k": 2}, {"i": 0, "k": 2})):
        assert is_read(facts, equation.expression, read.reference, scope, hint, (row, 2)) == (row == 1)
