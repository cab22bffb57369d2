"""Refusals: transformations that would not preserve meaning, and unknown names."""

from collections.abc import Iterable
from difflib import get_close_matches

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Span, Witness, rules
from alphaz.model.program import Equation, Kind, Program, System, Variable
from alphaz.proof import Obligation, Proved, Refuted, discharge


def refusal(
    message: str,
    span: Span = NOWHERE,
    *,
    witness: Witness | None = None,
    notes: Iterable[str] = (),
    help: str | None = None,  # noqa: A002 - the diagnostic's own word
    secondary: Iterable[Label] = (),
) -> Rejected:
    """Returns a failed precondition (AZ406), to be raised; the program is unchanged."""
    return Rejected(
        Diagnostic(
            rules.PRECONDITION, message, Label(span), tuple(secondary), witness=witness, notes=tuple(notes), help=help
        )
    )


def require(obligation: Obligation, help: str | None = None) -> None:  # noqa: A002 - the diagnostic's own word
    """Discharges a precondition. Raises Rejected with the smallest witness, or because it is undecided."""
    verdict = discharge(obligation)
    if isinstance(verdict, Proved):
        return
    primary = Label(obligation.span)
    if isinstance(verdict, Refuted):
        message = f"this needs that {obligation.claim}"
        raise Rejected(
            Diagnostic(rules.PRECONDITION, message, primary, obligation.related, witness=verdict.witness, help=help)
        )
    message = f"it could not be decided whether {obligation.claim}"
    raise Rejected(Diagnostic(rules.UNDECIDED, message, primary, obligation.related, notes=(verdict.reason,)))


def find_system(program: Program, name: str, span: Span = NOWHERE) -> System:
    """Returns the system. Raises Rejected with the nearest name."""
    try:
        return program.system(name)
    except KeyError:
        raise unknown("system", name, (s.name for s in program.systems), span) from None


def find_variable(system: System, name: str, span: Span = NOWHERE) -> Variable:
    """Returns the variable. Raises Rejected with the nearest name."""
    try:
        return system.variable(name)
    except KeyError:
        raise unknown("variable", name, (v.name for v in system.variables), span) from None


def find_local(system: System, name: str, span: Span = NOWHERE) -> Variable:
    """Returns the variable, which must be a local: callers depend on the interface of a system."""
    variable = find_variable(system, name, span)
    if variable.kind is Kind.LOCAL:
        return variable
    raise refusal(
        f"`{name}` is an {variable.kind} of {system.name}, and this would change the interface of the system",
        span,
        secondary=(Label(variable.span, "declared here"),),
        help=f"add a local that copies `{name}` (AddLocal) and work on that",
    )


def find_equation(system: System, name: str, span: Span = NOWHERE) -> Equation:
    """Returns the ordinary equation of the variable. Raises Rejected for an input and for an output of a use
    equation."""
    variable = find_variable(system, name, span)
    if variable.kind is Kind.INPUT:
        raise refusal(
            f"`{name}` is an input of {system.name}: it has no equation",
            span,
            help="name a variable that has an equation",
        )
    equation = system.equation(name)
    if isinstance(equation, Equation):
        return equation
    raise refusal(
        f"`{name}` is computed by a call of {equation.system}, not by an equation",
        equation.span,
        help="InlineSubSystem puts the called system in, with its equations",
    )


def require_new(program: Program, system: System, name: str, span: Span = NOWHERE) -> None:
    """Raises Rejected if the system uses this name already."""
    if name in names_of(program, system):
        raise refusal(f"the name `{name}` is already taken in {system.name}", span, help="choose another name")


def names_of(program: Program, system: System) -> frozenset[str]:
    """Returns the names that a new variable cannot have."""
    used_names = {v.name for v in system.variables} | {e.name for e in program.externals}
    return frozenset(used_names | set(system.parameters))


def unknown(what: str, name: str, all_names: Iterable[str], span: Span) -> Rejected:
    """Returns the finding for an unknown name (AZ403), to be raised; with the nearest name."""
    names = sorted(all_names)
    near = get_close_matches(name, names, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"there is: {', '.join(names)}" if names else None
    return Rejected(Diagnostic(rules.UNKNOWN_TARGET, f"there is no {what} `{name}`", Label(span), help=hint))
