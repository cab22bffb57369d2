"""Checks a program: every check that needs no mapping."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.checks.cycles import cycles_of
from alphaz.analysis.checks.definition import count_equations
from alphaz.analysis.checks.equation_checks import (
    AnyEquation,
    EquationPart,
    EquationParts,
    examine_equation,
    examine_loop,
)
from alphaz.analysis.checks.parts_without_effect import empty_variables, unused_variables
from alphaz.analysis.checks.recursion import endless_calls
from alphaz.analysis.depth import deep
from alphaz.analysis.elaboration_findings import Findings, in_source_order
from alphaz.analysis.facts.domains import ExpressionDomains
from alphaz.analysis.facts.input_output_dependences import Summaries
from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.diagnostics.rules import MISREADINGS
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.expression import Facts
from alphaz.model.program import Program, System


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """A program with all findings: errors and warnings, in source order."""

    checked: Checked
    diagnostics: tuple[Diagnostic, ...]


def check(program: Program, before: Checked | None = None) -> Checked:
    """Returns the program with its facts and warnings. Raises Rejected with every error, in source order.

    `before` is the program from which this one was derived: results about unchanged equations are reused."""
    whole = frozenset(system.name for system in program.systems)
    return accept(examine(program, whole, parts=None if before is None else before.parts))


def accept(examined: Examined) -> Checked:
    """Returns the checked program. Raises Rejected if there is an error, together with warnings about misreadings,
    which may be its cause."""
    if any(d.is_error for d in examined.diagnostics):
        raise Rejected(*(d for d in examined.diagnostics if d.is_error or d.rule in MISREADINGS))
    return examined.checked


def examine(
    program: Program, whole: frozenset[str], earlier: tuple[Diagnostic, ...] = (), parts: EquationParts | None = None
) -> Examined:
    """Checks the correct parts of a program. Systems outside `whole` have lost equations or variables to `earlier`
    findings: missing parts of them are not reported."""
    with deep():
        return _examination(program, whole, earlier, parts)


def _examination(
    program: Program, whole: frozenset[str], earlier: tuple[Diagnostic, ...], earlier_parts: EquationParts | None
) -> Examined:
    parts: list[EquationPart] = []
    of: dict[AnyEquation, tuple[System, EquationPart]] = {}
    diagnostics = list(earlier)
    for system in program.systems:
        with working_at(system.span, f"whether the variables of `{system.name}` have equations and are used"):
            diagnostics += _examine_system(system, system.name in whole)
        for equation in system.equations:
            part = None if earlier_parts is None else earlier_parts.unchanged_part(program, system, equation)
            with working_at(equation.span, "whether this equation is right"):
                parts.append(part or examine_equation(program, system, equation))
            of[equation] = system, parts[-1]
        if system.loop is not None:
            parts.append(examine_loop(program, system, system.loop))
    diagnostics += [diagnostic for part in parts for diagnostic in part.diagnostics]
    facts = Facts(
        ExpressionDomains(tuple(part.inference for part in parts)),
        {node: domain for part in parts for node, domain in part.inference.needs.items()},
        {node: type_ for part in parts for node, type_ in part.types.items()},
    )
    # Cycles of values are searched in otherwise correct programs only.
    sound = len(whole) == len(program.systems) and not any(d.is_error for d in diagnostics)
    diagnostics += endless_calls(program, sound)
    if sound:
        summaries = Summaries(program, facts)
        for system in program.systems:
            with working_at(system.span, f"whether values of `{system.name}` depend on themselves"):
                diagnostics += cycles_of(system, facts, summaries)
    ordered = in_source_order(diagnostics)
    warnings = tuple(d for d in ordered if not d.is_error)
    return Examined(Checked(program, facts, warnings, EquationParts(program, of)), ordered)


def _examine_system(system: System, whole: bool) -> Iterator[Diagnostic]:
    """Findings of a system that do not belong to a single equation."""
    findings = Findings()
    count_equations(system, whole, findings)
    if whole:
        unused_variables(system, findings)
    empty_variables(system, findings)
    yield from findings.diagnostics
