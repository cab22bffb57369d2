"""Checks the number of indices of a map, which decides whether it maps the body or the result of a reduction. Thesis
3.1.4.2: the number decides between body and result.
"""

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import MAP_SHAPE
from alphaz.mapping.statement import labelled_uses
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, System, UseEquation, Variable
from alphaz.model.walk import walk
from alphaz.poly import AffineFunction
from alphaz.scripting.commands.kinds.polyhedral import Map


def reduction_of(system: System, variable: str) -> Reduce | None:
    """Returns the reduction that the variable is; None for other equations, or without one."""
    for equation in system.equations:
        if isinstance(equation, Equation) and equation.variable == variable and isinstance(equation.expression, Reduce):
            return equation.expression
    return None


def body_names(system: System, variable: str) -> tuple[str, ...]:
    """Returns the indices of the body of the reduction that the variable is; empty if it is not a reduction."""
    reduction = reduction_of(system, variable)
    return () if reduction is None else reduction.projection.domain.names


def as_date(system: System, variable: str, map_: Map, for_body: bool) -> AffineFunction:
    """Returns a space-time map, for the result or the body; `for_body` if another map is given for the
    initialisation."""
    call = labelled_uses(system).get(variable)
    if call is not None:
        return as_call_date(call, variable, map_, for_body)
    declared = system.variable(variable)
    body = body_names(system, variable)
    if for_body and not body:
        message = f"`{variable}` is not a reduction: it has no initialisation to be mapped"
        raise Rejected(
            Diagnostic(
                MAP_SHAPE, message, Label(map_.span), (_declaration(declared),), help=_normalize(system, variable)
            )
        )
    result = declared.domain.space.names
    if for_body:
        names = map_.function.domain.names
        turned = f"the map of the body comes before that of the result: {_tuple(body)}, then {_tuple(result)}"
        remedy = turned if len(names) == len(result) else None
        return _checked(map_, f"the map of the body of `{variable}`", (body,), declared, remedy)
    possible = (result, body) if body else (result,)
    return _checked(map_, f"the space-time map of `{variable}`", possible, declared, _normalize(system, variable))


def _normalize(system: System, variable: str) -> str | None:
    """The remedy for a map of the body of a reduction inside a larger expression."""
    for equation in system.equations:
        if isinstance(equation, Equation) and equation.variable == variable:
            inner = isinstance(equation.expression, Reduce)
            if not inner and any(isinstance(node, Reduce) for node in walk(equation.expression)):
                return f"NormalizeReduction gives the reduction in its equation a variable of its own, `NR_{variable}`"
    return None


def as_call_date(call: UseEquation, label: str, map_: Map, for_body: bool = False) -> AffineFunction:
    """Returns a map of a use equation, or of an event of one of its arguments: over the indices of its extension
    domain."""
    place = Label(call.span, f"`{label}` is written here")
    if for_body:
        message = f"`{label}` is a use equation: it has no initialisation to be mapped"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(map_.span), (place,)))
    return _checked_at(map_, f"the space-time map of `{label}`", (call.extension.space.names,), place)


def as_init(system: System, variable: str, map_: Map) -> AffineFunction:
    """Returns the map of the initialisation of the results of a reduction."""
    declared = system.variable(variable)
    what = f"the map of the initialisation of `{variable}`"
    return _checked(map_, what, (declared.domain.space.names,), declared)


def as_cell(system: System, variable: str, map_: Map) -> AffineFunction:
    """Returns a memory map: over the indices of the variable."""
    declared = system.variable(variable)
    return _checked(map_, f"the memory map of `{variable}`", (declared.domain.space.names,), declared)


def _checked(
    map_: Map, what: str, possible: tuple[tuple[str, ...], ...], variable: Variable, remedy: str | None = None
) -> AffineFunction:
    return _checked_at(map_, what, possible, _declaration(variable), remedy)


def _checked_at(
    map_: Map, what: str, possible: tuple[tuple[str, ...], ...], place: Label, remedy: str | None = None
) -> AffineFunction:
    count = len(map_.function.domain.names)
    if count in {len(names) for names in possible}:
        return map_.function
    shapes = [f"{_index_count(len(names))} {_tuple(names)}" for names in possible]
    roles = ["for its result", "for the body of its reduction"] if len(possible) > 1 else [""]
    takes = " or ".join(f"{text} {role}".strip() for text, role in zip(shapes, roles, strict=True))
    message = f"{what} takes {takes}; this one has {count}"
    label = Label(map_.span, f"{_index_count(count)} here")
    raise Rejected(Diagnostic(MAP_SHAPE, message, label, (place,), help=remedy))


def _declaration(variable: Variable) -> Label:
    return Label(variable.span, f"`{variable.name}` is declared here")


def _index_count(number: int) -> str:
    return count_text(number, "index") if number else "no indices"


def _tuple(names: tuple[str, ...]) -> str:
    return f"({','.join(names)})" if names else ""
