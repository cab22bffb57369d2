"""Checks that every point of a local or output is defined exactly once.

    undefined = D_v - value(right-hand side)                     (AZ304, or AZ306: see `analysis.blame`)
    overlap   = need(case) & value(branch) & value(another)      (AZ305)
Missing, repeated and forbidden equations (AZ301 to AZ303) need no polyhedra."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from alphaz.analysis.checks.obligation_finding import (
    ProgramCheck,
    parameter_values,
    parameters_text,
    place_suffix,
    point_text,
)
from alphaz.analysis.elaboration_findings import Findings
from alphaz.analysis.facts.definedness_at_points import has_value_at, within
from alphaz.analysis.facts.domains import DomainInference, both
from alphaz.diagnostics import Label, Span, Witness, WitnessPoint
from alphaz.diagnostics.rules import INPUT_EQUATION, NO_EQUATION, OVERLAP, TWO_EQUATIONS, UNDEFINED_POINT
from alphaz.model.expression import Case, Expression, Restrict
from alphaz.model.program import Equation, Kind, System, UseEquation, Variable, WhileLoop, defined_by
from alphaz.poly import Domain, common, outside
from alphaz.poly.plain.piece import Limits, apart, limits
from alphaz.proof import Obligation, Values


def count_equations(system: System, whole: bool, findings: Findings) -> None:
    """Checks for exactly one equation for each local and output, none for inputs. `whole` is false if wrong equations
    were left out: then a missing one is not a finding."""
    first: dict[str, Span] = {}
    for equation in system.equations:
        for name in defined_by(equation):
            where = left_side_span(equation)
            variable = system.variable(name)
            declared = Label(variable.span, "declared here")
            if variable.kind is Kind.INPUT:
                findings.report(
                    INPUT_EQUATION,
                    f"the input `{name}` has an equation",
                    where,
                    "inputs are given",
                    related=(declared,),
                )
            elif name in first:
                earlier = Label(first[name], "first equation")
                remedy = "leave one of them out, or make them branches of one `case`"
                findings.report(
                    TWO_EQUATIONS,
                    f"`{name}` has two equations",
                    where,
                    "second equation",
                    related=(earlier,),
                    help_=remedy,
                )
            first.setdefault(name, where)
    if not whole:
        return
    for variable in system.variables:
        if variable.kind is not Kind.INPUT and variable.name not in first:
            message = f"the {variable.kind} `{variable.name}` has no equation"
            findings.report(
                NO_EQUATION, message, variable.span, "never defined", help_=f"add an equation for `{variable.name}`"
            )


def left_side_span(equation: Equation | UseEquation) -> Span:
    """Returns the text before the `=`; of a use equation, its whole text."""
    span = equation.span
    if isinstance(equation, UseEquation) or "=" not in span.text:
        return span
    return Span(span.source, span.start, span.start + len(span.text.partition("=")[0].rstrip()))


def coverage(system: System, variables: Mapping[str, Variable], equation: Equation, value: Domain) -> ProgramCheck:
    """Returns the check that every point of the variable is in `value`, the domain of its right-hand side."""
    variable, root = variables[equation.variable], equation.expression
    domain = variable.domain.renamed(equation.indices)

    def recheck(values: Values) -> bool:
        here = tuple(values[name] for name in equation.indices)
        return within(variable.domain, values, here) and has_value_at(variables, root, values) is not True

    obligation = Obligation(
        UNDEFINED_POINT,
        f"every point of {variable.name} is defined",
        lambda: domain - value,
        (("point", equation.indices),),
        lambda values: _undefined_witness(system, variable, tuple(values[n] for n in equation.indices), values),
        recheck,
        left_side_span(equation),
        (Label(variable.span, "declared here"),),
        lambda: outside(domain, value),
    )
    return ProgramCheck(
        obligation,
        f"`{variable.name}` is not defined at every point of its domain",
        "some point is defined by no branch",
        "add a branch for the missing points, or make the domain of the variable smaller",
    )


def _undefined_witness(system: System, variable: Variable, point: tuple[int, ...], values: Values) -> Witness:
    sentence = f"{parameters_text(values, system.parameters)}{point_text(variable.name, point)} is never defined"
    return Witness(
        parameter_values(values, system.parameters), (WitnessPoint("point", variable.name, point),), sentence
    )


def loop_coverage(system: System, loop: WhileLoop, value: Domain) -> ProgramCheck:
    """Returns the check that the condition, with the domain `value`, has a value at every point of the loop."""
    variables = {variable.name: variable for variable in system.variables}
    names = loop.domain.space.names

    def explain(values: Values) -> Witness:
        point = tuple(values[n] for n in names)
        sentence = (
            f"{parameters_text(values, system.parameters)}the condition has no value at ({','.join(map(str, point))})"
        )
        return Witness(parameter_values(values, system.parameters), (WitnessPoint("point", "while", point),), sentence)

    obligation = Obligation(
        UNDEFINED_POINT,
        "the condition has a value at every point of the loop",
        lambda: loop.domain - value,
        (("point", names),),
        explain,
        lambda values: loop.domain.contains(values) and has_value_at(variables, loop.condition, values) is not True,
        loop.condition.span,
        (Label(loop.span, "the loop"),),
        lambda: outside(loop.domain, value),
    )
    return ProgramCheck(obligation, "the condition is not defined at every point of the loop", "not defined everywhere")


def overlaps(
    system: System, variables: Mapping[str, Variable], name: str, case: Case, inference: DomainInference
) -> Iterator[ProgramCheck]:
    """Yields checks that no two branches of a case define the same point. Branches that one comparison separates need
    no check."""
    names = inference.needs[case].space.names
    limits_of = {branch: _limits(inference.values[branch], names) for branch in case.branches}
    for one, other in combinations(case.branches, 2):
        here, there = limits_of[one], limits_of[other]
        if here is not None and there is not None and apart(here, there):
            continue
        yield _overlap(system, variables, name, (one, other), inference.needs[case], inference)


def _limits(value: Domain | None, names: tuple[str, ...]) -> list[Limits] | None:
    """The limits of the value; None if it is defined everywhere."""
    return None if value is None else [limits(piece) for piece in value.renamed(names).pieces()]


def _overlap(
    system: System,
    variables: Mapping[str, Variable],
    name: str,
    pair: tuple[Expression, Expression],
    needed: Domain,
    inference: DomainInference,
) -> ProgramCheck:
    one, other = pair
    names = needed.space.names
    owner = inference.owners[one]

    def violations() -> Domain:
        return both(both(needed, inference.values[one]), inference.values[other]) or needed

    def recheck(values: Values) -> bool:
        return all(has_value_at(variables, branch, values, inference.queries[branch]) is not False for branch in pair)

    def explain(values: Values) -> Witness:
        point = tuple(values[n] for n in names)
        here = point if owner is None else owner.at(values)
        label = point_text(name, here) if owner is not None else f"the point ({','.join(map(str, point))})"
        inside = place_suffix(values, names, owner)
        sentence = f"{parameters_text(values, system.parameters)}{label}{inside} is defined by both branches"
        return Witness(parameter_values(values, system.parameters), (WitnessPoint("point", name, here),), sentence)

    obligation = Obligation(
        OVERLAP,
        f"the branches of {name} are disjoint",
        violations,
        (("point", names),),
        explain,
        recheck,
        head(other),
        (Label(head(one), "the other branch"),),
        lambda: common(needed, *(inference.values[branch] for branch in pair)),
    )
    return ProgramCheck(
        obligation,
        f"two branches of `{name}` define the same point",
        "overlaps an earlier branch",
        "make the two domains disjoint: a case has no order, no branch goes first",
    )


def head(branch: Expression) -> Span:
    """Returns the part of a branch that limits it: its restrict up to the colon, or else its whole text."""
    if not isinstance(branch, Restrict):
        return branch.span
    body = branch.body.span
    text = branch.span.source.text[branch.span.start : body.start]
    if body.source is not branch.span.source or ":" not in text:
        return branch.span
    return Span(branch.span.source, branch.span.start, branch.span.start + len(text.rpartition(":")[0].rstrip()))
