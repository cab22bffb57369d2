"""OutlineSubSystem: moves equations to a new system, and calls it by a use equation.

Variables that they read and do not define are passed in; variables that are read elsewhere, and every output, are
passed back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.facts.dependences import call_label
from alphaz.diagnostics import NOWHERE, Label, Span, Witness
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import MappingEntry, MemoryMap, StatementOrder, TargetMapping
from alphaz.model.expression import Access
from alphaz.model.program import Kind, System, UseEquation, Variable, defined_by
from alphaz.model.walk import reads, walk
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.transform.engine.checked_rewrite import with_program
from alphaz.transform.engine.edit import AnyEquation, fresh, roots
from alphaz.transform.engine.refusals import find_system, find_variable, refusal


def outline_subsystem(design: Design, system: str, variables: Sequence[str], span: Span = NOWHERE) -> Design:
    """Move the equations of variables to a new system, `<system>_<first variable>`, and call it once.

    *Rewrites*: the equations into a system with the same parameters, whose inputs are the variables that they read and
    do not define, and whose outputs are those that are read elsewhere and the outputs of the caller; the others become
    its locals. Dates and cells move with their variables; a variable that is passed back keeps its cells in the caller,
    too.

    *Checks*: each variable has an equation; a use equation moves as a whole; no remaining variable both reads one of
    them and is read by another."""
    home = find_system(design.program, system, span)
    part = _part(home, variables, span)
    _require_convex(home, part, span)
    name = fresh(f"{system}_{variables[0]}", {s.name for s in design.program.systems})
    position = design.program.systems.index(home)
    parts = (_inner(home, part, name), _caller(home, part, name))
    systems = (*design.program.systems[:position], *parts, *design.program.systems[position + 1 :])
    stated = design.mapping(system)
    mappings = {**design.mappings, name: _moved_mapping(stated, part), system: _kept_mapping(stated, part)}
    return with_program(design, replace(design.program, systems=systems), mappings)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The moved part: its equations, the variables that they define, its inputs, and its outputs."""

    equations: tuple[AnyEquation, ...]
    defined: tuple[str, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]


def _part(system: System, variables: Sequence[str], span: Span) -> _Part:
    for name in variables:
        if find_variable(system, name, span).kind is Kind.INPUT:
            raise refusal(
                f"`{name}` is an input of {system.name}: it has no equation to move",
                span,
                help="name variables that have equations; the variables that they read are passed automatically",
            )
    chosen = [e for e in system.equations if set(defined_by(e)) & set(variables)]
    defined = tuple(name for e in chosen for name in defined_by(e))
    for name in defined:
        if name not in variables:
            message = f"`{name}` is computed by a call together with another of the variables, and must move with it"
            raise refusal(message, span, secondary=(Label(system.equation(name).span, "the call"),))
    read_names = {name for e in chosen for root in roots(e) for name in reads(root)}
    elsewhere = {name for e in system.equations if e not in chosen for root in roots(e) for name in reads(root)}
    if system.loop is not None:
        elsewhere |= reads(system.loop.condition)
    outgoing = [v for v in system.variables if v.name in defined and (v.kind is Kind.OUTPUT or v.name in elsewhere)]
    return _Part(
        tuple(chosen),
        defined,
        tuple(v for v in system.variables if v.name in read_names - set(defined)),
        tuple(outgoing or [v for v in system.variables if v.name in defined]),
    )


def _inner(system: System, part: _Part, name: str) -> System:
    locals_ = [system.variable(n) for n in part.defined if system.variable(n) not in part.outputs]
    variables = (
        *(replace(v, kind=Kind.INPUT) for v in part.inputs),
        *(replace(v, kind=Kind.OUTPUT) for v in part.outputs),
        *(replace(v, kind=Kind.LOCAL) for v in locals_),
    )
    return System(
        name=name,
        context=system.context,
        variables=variables,
        equations=part.equations,
        loop=None,
        given=system.given,
        span=system.span,
    )


def _caller(system: System, part: _Part, name: str) -> System:
    use = UseEquation(
        extension=Domain.universe(system.space(())).in_context(system.context),
        system=name,
        parameters=tuple(map(Affine.name, system.parameters)),
        inputs=tuple(Access(v.name, AffineFunction.identity(v.domain.space), span=v.span) for v in part.inputs),
        outputs=tuple(v.name for v in part.outputs),
        span=part.equations[0].span,
    )
    gone = {n for n in part.defined if n not in use.outputs}
    equations: list[AnyEquation] = []
    for equation in system.equations:
        if equation is part.equations[0]:
            equations.append(use)
        elif equation not in part.equations:
            equations.append(equation)
    others = tuple(v for v in system.variables if v.name not in gone)
    return replace(system, variables=others, equations=tuple(equations))


def _require_convex(system: System, part: _Part, span: Span) -> None:
    """Raises Rejected if a dependence path leaves the part and returns to it: a call takes all its inputs before it
    returns an output."""
    for first, steps in _ways_out(system, part):
        last = steps[-1]
        if last in part.defined:
            chain = " reads ".join(f"`{n}`" for n in (first, *steps))
            inside = " and ".join(f"`{n}`" for n in dict.fromkeys((first, last)))
            message = f"between {inside} lies `{steps[0]}`, which would be an input that needs an output of the call"
            witness = Witness((), (), chain)
            label = Label(system.equation(steps[0]).span, "stays behind")
            raise refusal(
                message, span, witness=witness, secondary=(label,), help=f"move `{steps[0]}` too, or fewer variables"
            )


def _ways_out(system: System, part: _Part) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each variable of the part, with the paths from it through the remaining variables, breadth first."""
    reads_by_name = {v.name: _read_by(system, v.name) for v in system.variables}
    for first in part.defined:
        ways: list[tuple[str, ...]] = [(name,) for name in reads_by_name[first] if name not in part.defined]
        seen = {way[-1] for way in ways}
        while ways:
            way = ways.pop(0)
            for name in reads_by_name[way[-1]]:
                if name in part.defined:
                    yield first, (*way, name)
                elif name not in seen:
                    seen.add(name)
                    ways.append((*way, name))


def _read_by(system: System, name: str) -> tuple[str, ...]:
    """The variables that the equation of a variable reads; none for an input."""
    if system.variable(name).kind is Kind.INPUT:
        return ()
    variables = [n.variable for root in roots(system.equation(name)) for n in walk(root) if isinstance(n, Access)]
    return tuple(dict.fromkeys(variables))


def _moved_mapping(mapping: TargetMapping, part: _Part) -> TargetMapping:
    """The mapping of the moved statements; entries for all dimensions are kept."""
    names = _statements(part)
    inside = mapping.select_entries(lambda entry: names.issuperset(entry.statements))
    return replace(inside, tiling=(), registers=(), packing=())


def _kept_mapping(mapping: TargetMapping, part: _Part) -> TargetMapping:
    """The mapping of the remaining statements, of the arrays that are passed back, and of the order relative to the
    call."""
    names, called = _statements(part), f"UseEquation_{part.outputs[0].name}"
    returned = {v.name for v in part.outputs}

    def here(name: str) -> str:
        return called if name in names else name

    def change(entry: MappingEntry) -> Iterator[MappingEntry]:
        match entry:
            case StatementOrder():
                order = entry.renamed(here)
                if order.before != order.after:
                    yield order
            case MemoryMap(variable) if variable in returned:
                yield entry
            case _ if names.isdisjoint(entry.statements):
                yield entry

    new_mapping = mapping.rebuilt(change)
    return replace(new_mapping, ordering=tuple(dict.fromkeys(new_mapping.ordering)))


def _statements(part: _Part) -> frozenset[str]:
    """The variables that move, and the use equations by label."""
    return frozenset((*part.defined, *(call_label(e) for e in part.equations if isinstance(e, UseEquation))))
