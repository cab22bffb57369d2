"""Both engines against enumeration, on random sets with divisions, auxiliary names and unions; SMT-LIB text."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.certificate import smt
from alphaz.certificate.mapping_inventory import PROVED, ObligationKey, ObligationRecord
from alphaz.certificate.smt import smt_text
from alphaz.certificate.violation_sets import ConstraintRow, Division, LinearSum, ViolationCase, Violations
from alphaz.proof import isl_engine
from alphaz.proof.certificate_formulas import formula_of, violations_of

NAMES, RANGE = ("N", "i", "j'", "q"), range(-1, 2)
SMALL = st.integers(-3, 3)


def sums(names: tuple[str, ...]) -> st.SearchStrategy[LinearSum]:
    terms = st.dictionaries(st.sampled_from(names), SMALL.filter(bool), max_size=3)
    return st.builds(LinearSum, terms.map(lambda result: dict(sorted(result.items()))), SMALL)


@st.composite
def cases(draw: st.DrawFn) -> ViolationCase:
    divisions = draw(st.lists(st.tuples(sums(NAMES), st.integers(1, 4)), max_size=2))
    named = tuple(Division(f"floor.{at}", total, by) for at, (total, by) in enumerate(divisions))
    rows = draw(st.lists(st.builds(ConstraintRow, sums((*NAMES, *(d.name for d in named))), st.booleans()), max_size=3))
    return ViolationCase(tuple(rows), named)


PARTS = st.lists(st.lists(cases(), max_size=2).map(tuple), max_size=3).map(tuple)
BOX = ViolationCase(tuple(ConstraintRow(LinearSum({n: s}, 1), False) for n in NAMES for s in (1, -1)), ())
SETS = st.builds(lambda parts: Violations(("N",), ("i", "j'"), ("q",), ((BOX,), *parts)), PARTS)


def holds(violations: Violations, values: dict[str, int]) -> bool:
    return all(any(case_holds(case, dict(values)) for case in part) for part in violations.parts)


def case_holds(case: ViolationCase, values: dict[str, int]) -> bool:
    for division in case.divisions:
        values[division.name] = value(division.sum, values) // division.by
    return all(value(r.sum, values) == 0 if r.equal else value(r.sum, values) >= 0 for r in case.rows)


def value(total: LinearSum, values: dict[str, int]) -> int:
    return total.constant + sum(c * values[n] for n, c in total.terms.items())


def entry(violations: Violations) -> ObligationRecord:
    key, text = ObligationKey("S1", None, {}, False), formula_of(violations).text()
    return ObligationRecord("1", key, "AZ501", "", (), violations, text, PROVED, "isl", None, "", "", ())


@pytest.mark.slow
@given(SETS)
@settings(max_examples=30, deadline=None)
def test_both_engines_find_what_enumeration_finds(violations: Violations) -> None:
    points = [dict(zip(NAMES, point, strict=True)) for point in product(RANGE, repeat=len(NAMES))]
    results = [point for point in points if holds(violations, point)]
    asked = entry(violations)
    _, z3 = smt.engine()
    for decide in (isl_engine.decide, z3):
        assert decide(asked, None).empty is (not results)
        for point in (*points[::29], *results[:1]):
            at = {name: point[name] for name in ("N", "i", "j'")}
            there = any(all(result[name] == at[name] for name in at) for result in results)
            assert decide(asked, at).empty is (not there)


@pytest.mark.slow
@given(SETS)
@settings(max_examples=20, deadline=None)
def test_plain_data_are_the_formula(violations: Violations) -> None:
    assert violations_of(formula_of(violations)) == violations


def test_the_text_of_smt_lib() -> None:
    case = ViolationCase(
        (ConstraintRow(LinearSum({"h": -2, "i": 1}, 0), True),), (Division("h", LinearSum({"i": 1}, 0), 2),)
    )
    odd = Violations((), ("i", "a|b"), (), ((case, ViolationCase((), ())), ()))
    assert smt_text(odd, {"i": -3}, "a claim\nof two lines") == (
        "; a claim\n; of two lines\n(set-logic QF_LIA)\n"
        "(declare-fun |x.i| () Int)\n(declare-fun |x.a%7c%b| () Int)\n(declare-fun |x.h@0.0| () Int)\n"
        "(assert (or (and (<= 0 (+ (* 1 |x.i|) (* (- 2) |x.h@0.0|) 0) 1) "
        "(= (+ (* (- 2) |x.h@0.0|) (* 1 |x.i|) 0) 0)) true))\n"
        "(assert false)\n(assert (= |x.i| (- 3)))\n(check-sat)\n"
    )


def test_names_that_a_solver_would_misread() -> None:
    names = ("a|b", "a\\b", "a%7c%b", "x\ny", "and", "i'", "ε")
    rows = tuple(ConstraintRow(LinearSum({name: 1}, -at), True) for at, name in enumerate(names))
    _, decide = smt.engine()
    distinct = entry(Violations((), names, (), ((ViolationCase(rows, ()),),)))
    assert decide(distinct, None).empty is False
    assert decide(distinct, {"a|b": 1}).empty is True
