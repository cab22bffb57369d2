"""Checking what was made of a checked program: what is the same is not found out again, and what is not, is."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from alphaz.analysis.checks.check import check
from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.model.program import Equation, Program, System, Variable
from alphaz.model.types import INT
from alphaz.poly import Affine, Domain
from alphaz.poly.plain.affine import at_least
from tests.analysis.same_facts import same_facts

TEXT = """
affine callee {N | N>0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
let B[i] = A[i];
.
affine test {N | N>1}
input int X {i | 0<=i<N};
output int Y {i | 0<=i<N}; int Z {i | 0<=i<N};
local short L {i | 0<=i<N}; int M {i | 0<=i<N};
let
  L[i] = X[i];
  M[i] = case {| i==0}: L[i]; {| i>0}: M[i-1] + X[i]; esac;
  use callee[N] (M) returns (Y);
  Z[i] = {| 0<=i}: M[i] * 2;
.
"""


def read() -> Checked:
    return read_program(Source("test.ab", TEXT))


def changed(program: Program, name: str, change: Callable[[System], System]) -> Program:
    return replace(program, systems=tuple(change(s) if s.name == name else s for s in program.systems))


def with_variable(system: System, name: str, change: Callable[[Variable], Variable]) -> System:
    return replace(system, variables=tuple(change(v) if v.name == name else v for v in system.variables))


def again(before: Checked, program: Program) -> list[str]:
    """The equations that are looked at again; what is known of the program is what a fresh look finds."""
    after = check(program, before)
    fresh = check(program)
    assert [d.message for d in after.warnings] == [d.message for d in fresh.warnings]
    same_facts(program, after.facts, fresh.facts)
    old = {id(part) for _, part in before.parts.of.values()}
    names = {equation: part for equation, (_, part) in after.parts.of.items() if id(part) not in old}
    return [e.variable if isinstance(e, Equation) else "call" for e in names]


def test_an_unchanged_program_is_not_checked_again() -> None:
    before = read()
    assert any(d.rule.code == "AZ206" for d in before.warnings)
    assert again(before, before.program) == []


def test_another_type_is_seen_by_the_equations_that_name_the_variable() -> None:
    before = read()
    program = changed(before.program, "test", lambda s: with_variable(s, "L", lambda v: replace(v, type=INT)))
    assert again(before, program) == ["L", "M"]


def test_another_domain_is_seen_by_the_equations_that_name_the_variable() -> None:
    def larger(variable: Variable) -> Variable:
        space = variable.domain.space
        return replace(variable, domain=Domain.where(space, [at_least(Affine.name("i"), 0)]))

    before = read()
    program = changed(before.program, "test", lambda s: with_variable(s, "X", larger))
    assert again(before, program) == ["L", "M"]


def test_another_callee_is_seen_by_its_calls() -> None:
    before = read()
    program = changed(before.program, "callee", lambda s: with_variable(s, "B", lambda v: replace(v, type=INT)))
    assert again(before, program) == ["B", "call"]


@pytest.mark.parametrize("what", ["name", "context", "externals"])
def test_another_system_around_them_is_seen_by_all(what: str) -> None:
    before = read()
    if what == "externals":
        program = replace(
            before.program, externals=read_program(Source("e.ab", f"int f(int);{TEXT}")).program.externals
        )
        assert again(before, program) == ["B", "L", "M", "call", "Z"]
        return
    program = changed(
        before.program,
        "test",
        lambda s: replace(s, name="other") if what == "name" else replace(s, context=s.context.simplify()),
    )
    assert again(before, program) == ["L", "M", "call", "Z"]
