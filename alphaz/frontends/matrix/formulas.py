"""Formulas without a header: `y = A'*(A*x)`, with the types of variables that are not vectors."""

import re
from collections.abc import Mapping

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import SYNTAX
from alphaz.frontends.matrix.kernel import variables_of
from alphaz.frontends.matrix.reading import read_assignments, read_type
from alphaz.frontends.matrix.tree import Assignment, Declared, KernelText, OperandKind, TypeText, VariableFormula, Way


def kernel_of_formulas(formulas: str, types: Mapping[str, str], name: str = "kernel") -> KernelText:
    """Returns the kernel of assignments. `types` are those of files: `row matrix`, `scalar`, `out row matrix`, `inout
    vector`.

    A name that is read, never assigned and has no type is a column vector. A name that is assigned and not read again
    is an output. Raises Rejected (AZ101)."""
    source = Source("<formulas>", formulas)
    assignments = read_assignments(source)
    declared = {each: _declared(each, text) for each, text in types.items()}
    assigned = {assignment.target for assignment in assignments}
    read = [variable for assignment in assignments for variable in variables_of(assignment.value)]
    for variable in read:
        if variable.name not in declared and variable.name not in assigned:
            declared[variable.name] = _vector(variable)
    results = frozenset(assigned - declared.keys() - _read_later(assignments))
    return KernelText(
        name=name,
        declarations=tuple(declared.values()),
        assignments=assignments,
        span=Span(source, 0, 0),
        results=results,
    )


def _read_later(assignments: tuple[Assignment, ...]) -> set[str]:
    return {variable.name for assignment in assignments for variable in variables_of(assignment.value)}


def _declared(name: str, text: str) -> Declared:
    """The declaration of a name. Raises Rejected (AZ101) for an invalid name."""
    word, _, rest = text.strip().partition(" ")
    way, type_ = (Way(word), rest) if word in tuple(Way) else (Way.IN, text)
    source = Source(f"<{name}>", type_)
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise Rejected(Diagnostic(SYNTAX, f"`{name}` is no name of a variable", Label(Span(source, 0, len(type_)))))
    return Declared(name, way, read_type(source), Span(source, 0, len(type_)))


def _vector(variable: VariableFormula) -> Declared:
    return Declared(variable.name, Way.IN, TypeText(OperandKind.VECTOR, (), variable.span), variable.span)
