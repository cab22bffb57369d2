"""Syntax tree -> program: names resolved, arities checked, domains built. Reports every error of the file."""

import re
from dataclasses import dataclass, replace
from typing import TypeVar

from alphaz.analysis.depth import deep
from alphaz.analysis.elaborate import affine_forms
from alphaz.analysis.elaborate.expressions import Elaborator
from alphaz.analysis.elaborate.scope import Scope
from alphaz.analysis.elaborate.signature import externals_of, signature_of, unique
from alphaz.analysis.elaborate.systems import elaborate_system
from alphaz.analysis.elaboration_findings import Findings, in_source_order, near
from alphaz.diagnostics import Diagnostic, Rejected, Source, Span
from alphaz.diagnostics.rules import LITERAL, UNDECLARED
from alphaz.model.expression import Expression
from alphaz.model.program import External, Program, System
from alphaz.model.types import ScalarType
from alphaz.poly import AffineFunction, Domain
from alphaz.syntax import tree

T = TypeVar("T")

# `//@ identity f = 0`: the neutral element of a function used as a reduction operator. In the original grammar it is
# a comment.
_IDENTITY = re.compile(
    r"^[ \t]*//@[ \t]*identity[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*(?P<value>\S.*?)[ \t\r]*$", re.M
)


@dataclass(frozen=True, slots=True, eq=False)
class Elaborated:
    """The correct parts of a file, with its findings. `whole` names the systems without errors of their own."""

    program: Program
    complete_systems: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]


def elaborate(text: tree.ProgramText, source: Source) -> Program:
    """Returns the program of the tree. Raises Rejected with every error of names, arities and declarations."""
    result = elaborate_partly(text, source)
    errors = tuple(d for d in result.diagnostics if d.is_error)
    if errors:
        raise Rejected(*errors)
    return result.program


def elaborate_partly(text: tree.ProgramText, source: Source) -> Elaborated:
    """Returns the correct parts of the program, so that they can be checked, too."""
    with deep():
        return _elaborate_all(text, source)


def _elaborate_all(text: tree.ProgramText, source: Source) -> Elaborated:
    findings = Findings()
    externals = _with_identities(externals_of(text, findings), source, findings)
    unique("system", tuple(system.name for system in text.systems), findings)
    signatures = []
    clean: set[str] = set()
    for system in text.systems:
        before = findings.errors
        signatures.append(signature_of(system, findings))
        if findings.errors == before:
            clean.add(system.name.text)
    by_name = {signature.name: signature for signature in reversed(signatures)}
    systems: list[System] = []
    for signature in signatures:
        elaborated_system = elaborate_system(signature, by_name, externals, findings)
        if elaborated_system is None or by_name[signature.name] is not signature:
            continue
        systems.append(elaborated_system.system)
        if not elaborated_system.is_complete:
            clean.discard(signature.name)
    program = Program(source, tuple(externals.values()), tuple(systems))
    return Elaborated(program, frozenset(clean), in_source_order(findings.diagnostics))


def _with_identities(externals: dict[str, External], source: Source, findings: Findings) -> dict[str, External]:
    result = dict(externals)
    for match in _IDENTITY.finditer(source.text):
        name = match["name"]
        if name not in result:
            span = Span(source, match.start("name"), match.end("name"))
            findings.report(
                UNDECLARED, f"the function `{name}` is not declared", span, "not declared", help_=near(name, result)
            )
            continue
        value = match["value"]
        if not _is_identity(value, result[name].type):
            span = Span(source, match.start("value"), match.end("value"))
            message = f"`{value}` is no value of type {result[name].type}, which `{name}` gives"
            remedy = "an identity is a number, `true`, `false`, `INFINITY` or `-INFINITY`"
            findings.report(LITERAL, message, span, "not a value", help_=remedy)
        result[name] = replace(result[name], identity=value)
    return result


def _is_identity(text: str, type_: ScalarType) -> bool:
    """Returns True if the type can represent the value."""
    if text in ("true", "false"):
        return not type_.is_float
    if re.fullmatch(r"-?[0-9]+", text):
        bits = 1 if type_.kind == "bool" else type_.bits - type_.signed
        return type_.is_float or (-(1 << bits) if type_.signed else 0) <= int(text) < 1 << bits
    return type_.is_float and re.fullmatch(r"-?([0-9]+\.[0-9]+([eE][+-]?[0-9]+)?|INFINITY)", text) is not None


# --- pieces of program inside other texts -----------------------------------------------------------------------


def elaborate_function(text: tree.FunctionText, parameters: tuple[str, ...]) -> AffineFunction:
    """Returns a map over these parameters, with index names of its own. Raises Rejected, located in its own source."""
    findings = Findings()
    return _or_rejected(affine_forms.function(text, parameters, findings), findings)


def elaborate_domain(text: tree.DomainText, parameters: tuple[str, ...]) -> Domain:
    """Returns a domain over these parameters, with index names of its own. Raises Rejected, located in its own
    source."""
    findings = Findings()
    return _or_rejected(affine_forms.declared_domain(text, parameters, findings), findings)


def elaborate_expression(
    text: tree.ExpressionNode, program: Program, system: System, indices: tuple[str, ...]
) -> Expression:
    """Returns an expression over the variables of a system, with these index names. Raises Rejected."""
    findings = Findings()
    variables = {variable.name: variable for variable in system.variables}
    externals = {external.name: external for external in program.externals}
    elaborator = Elaborator(variables, externals, findings)
    return _or_rejected(elaborator.expression(text, Scope.of(system.parameters, indices)), findings)


def _or_rejected(value: T | None, findings: Findings) -> T:
    if value is None or findings.errors:
        raise Rejected(*in_source_order(d for d in findings.diagnostics if d.is_error))
    return value
