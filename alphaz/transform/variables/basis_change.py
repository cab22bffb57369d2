"""Changes of basis: the values of a variable at other indices, and to common numbers of dimensions."""

from dataclasses import dataclass, replace

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Span, rules
from alphaz.diagnostics.message_words import count_text
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import TargetMapping
from alphaz.model.expression import Access, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, System, UseEquation, Variable
from alphaz.poly import Affine, AffineFunction, Domain, equal, fresh_names
from alphaz.poly.algorithms.functional_relations import determining, left_inverse
from alphaz.transform.engine.checked_rewrite import declared_domain, with_program
from alphaz.transform.engine.edit import map_accesses, map_guarded_reads, with_equation, with_system, with_variable
from alphaz.transform.engine.mapping_changes import compose_maps, through, with_mapping
from alphaz.transform.engine.preconditions import injectivity_obligation
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_equation, find_local, find_system, find_variable, refusal, require


def change_of_basis(
    design: Design, system: str, variable: str, function: AffineFunction, span: Span = NOWHERE
) -> Design:
    """Store a local variable at other indices: `V[z]` becomes `V[function(z)]`.

    *Rewrites*: the domain of the variable (its image), its equation (composed with the inverse; a reduction that is the
    whole right-hand side keeps its body and gets another projection) and every read of it. Its maps are composed with
    the inverse, so that dates and cells do not change. If the inverse divides, the equation becomes a reduction over
    one point, and the maps are dropped, with a warning.

    *Checks*: the variable is a local with an equation; the function takes its indices and is injective on its domain
    for all legal parameters; the image has a text in the language."""
    home = find_system(design.program, system, span)
    find_local(home, variable, span)
    return force_change_of_basis(design, system, variable, function, span)


def force_change_of_basis(
    design: Design, system: str, variable: str, function: AffineFunction, span: Span = NOWHERE
) -> Design:
    """Store a variable at other indices, including inputs and outputs: the interface changes.

    *Rewrites*: as CoB.

    *Checks*: as CoB, except that the variable may be an input or output; no other system may call this one."""
    program = design.program
    home = find_system(program, system, span)
    target = find_variable(home, variable, span)
    if target.kind is not Kind.INPUT:
        find_equation(home, variable, span)
    if target.kind is not Kind.LOCAL:
        _require_uncalled(design, system, variable, span)
    with deep():
        basis = _basis(home, target, function, span)
        changed = with_system(program, system, _change_basis(home, basis))
        if basis.inverse is not None:
            return with_program(design, changed, _mappings(design, home, basis, basis.inverse))
        moved, dropped = through(design.mapping(system), variable, function, basis.names)
        mappings = with_mapping(design.mappings, system, moved if system in design.mappings else None)
        return with_program(replace(design, dropped=(*design.dropped, *dropped)), changed, mappings)


@dataclass(frozen=True, slots=True, eq=False)
class _Basis:
    """`function` maps old to new indices, which are `names`; `inverse` maps back, if it is integer affine.

    `total`: the function is injective everywhere, not only on the domain of the variable."""

    variable: Variable
    function: AffineFunction
    names: tuple[str, ...]
    inverse: AffineFunction | None
    domain: Domain
    total: bool


def _basis(system: System, variable: Variable, function: AffineFunction, span: Span) -> _Basis:
    count = variable.domain.space.dimensions
    if function.domain.dimensions != count or function.domain.parameters != system.parameters:
        message = (
            f"`{variable.name}` has {count_text(count, 'index')}, and {function} takes {function.domain.dimensions}"
        )
        raise Rejected(Diagnostic(rules.MAP_SHAPE, message, Label(span), (Label(variable.span, "declared here"),)))
    require(
        injectivity_obligation(
            variable.name, variable.domain.in_context(system.context), function, span, variable.span
        ),
        "a change of basis needs another place for each value: add an output that tells the two points apart",
    )
    names = _index_names(variable, function)
    domain = variable.domain.in_context(system.context)
    inverse = left_inverse(function, domain, names)
    image = declared_domain(_image(variable.domain, function, names, inverse), system)
    return _Basis(
        variable=variable, function=function, names=names, inverse=inverse, domain=image, total=function.is_injective()
    )


def _image(domain: Domain, function: AffineFunction, names: tuple[str, ...], inverse: AffineFunction | None) -> Domain:
    if inverse is None:
        return domain.image(function, names)
    back = inverse.then(function)
    stays = [equal(Affine.name(n), value) for n, value in zip(names, back.outputs, strict=True)]
    return domain.preimage(inverse) & Domain.where(inverse.domain, stays)


def _index_names(variable: Variable, function: AffineFunction) -> tuple[str, ...]:
    """The old names if the number of indices is unchanged; else a name for each output, that of an index if it is
    one."""
    old = variable.domain.space.names
    count = len(function.outputs)
    if count == len(old):
        return old
    used_names = [*old, *function.domain.parameters]
    spare = iter(fresh_names(count, "x", used_names))
    names: list[str] = []
    own = dict(zip(function.domain.names, old, strict=True))
    for output in function.outputs:
        plain = own.get(str(output))
        names.append(plain if plain is not None and plain not in names else next(spare))
    return tuple(names)


def _change_basis(system: System, basis: _Basis) -> System:
    """The system with reads changed first (those of the equation included), then the equation and the declaration."""
    old = basis.variable

    def change(read: Access) -> Access:
        return replace(read, function=read.function.then(basis.function))

    if basis.total:
        changed = map_accesses(system, old.name, change)
    else:
        changed = map_guarded_reads(system, old.name, change, old.domain)
    if old.kind is not Kind.INPUT:
        equation = find_equation(changed, old.name)
        changed = with_equation(changed, equation, _equation(equation, basis))
    return with_variable(changed, changed.variable(old.name), replace(old, domain=basis.domain))


def _equation(equation: Equation, basis: _Basis) -> Equation:
    root = equation.expression
    new: Expression
    if isinstance(root, Reduce):
        body = root.body
        if not basis.total:
            body = Restrict(basis.variable.domain.preimage(root.projection), body, span=body.span)
        new = replace(root, projection=root.projection.then(basis.function), body=body)
    elif basis.inverse is None:
        operator = "and" if basis.variable.type.kind == "bool" else "*"
        body = root
        if not basis.total:
            body = Restrict(basis.variable.domain.renamed(equation.indices), root, span=root.span)
        new = Reduce(operator, basis.function.renamed(equation.indices), body, span=root.span)
    else:
        new = push_function(root, basis.inverse, equation.indices)
    return replace(equation, indices=basis.names, expression=new)


def _mappings(design: Design, system: System, basis: _Basis, inverse: AffineFunction) -> dict[str, TargetMapping]:
    variable = basis.variable
    if system.name not in design.mappings:
        return dict(design.mappings)
    name = variable.name
    date = design.mapping(system.name).space_time_of(name)
    body = False
    if date is not None and variable.kind is not Kind.INPUT:
        root = find_equation(system, name).expression
        body = isinstance(root, Reduce) and date.function.domain.dimensions == root.projection.domain.dimensions
    moved = compose_maps(design.mapping(system.name), name, basis.function, inverse, body)
    return with_mapping(design.mappings, system.name, moved)


def _require_uncalled(design: Design, system: str, variable: str, span: Span) -> None:
    for other in design.program.systems:
        for equation in other.equations:
            if isinstance(equation, UseEquation) and equation.system == system:
                raise refusal(
                    f"{other.name} calls {system}: `{variable}` is part of its interface",
                    span,
                    secondary=(Label(equation.span, "called here"),),
                    help="InlineSubSystem puts the called system in; CoB changes the basis of locals",
                )


def reduced_dimensions(design: Design, system: str, variable: str, span: Span = NOWHERE) -> AffineFunction:
    """Returns the function to the fewest of the variable's indices that is injective on its domain; the identity if all
    are needed."""
    home = find_system(design.program, system, span)
    domain = find_variable(home, variable, span).domain.in_context(home.context)
    names = determining(domain)
    return AffineFunction(domain.space, tuple(Affine.name(n) for n in names))


def aligned_dimensions(design: Design, system: str, variable: str, span: Span = NOWHERE) -> AffineFunction:
    """Returns the function to the largest number of indices of any local or output of the system: zeros follow the
    variable's own."""
    home = find_system(design.program, system, span)
    space = find_variable(home, variable, span).domain.space
    most = max(v.domain.space.dimensions for v in (*home.locals, *home.outputs, home.variable(variable)))
    padding = (Affine(),) * (most - space.dimensions)
    return AffineFunction(space, (*(Affine.name(n) for n in space.names), *padding))


def apply_space_time_maps(design: Design, system: str, span: Span = NOWHERE) -> Design:
    """Change the basis of every local to its dates, so that its indices are time and space.

    *Rewrites*: as CoB, for each local whose space-time map takes its indices; its map is then the identity on them.

    *Checks*: there is such a local; each map is injective on its domain, with an integer affine inverse.
    """
    home = find_system(design.program, system, span)
    mapped = []
    for variable in home.locals:
        entry = design.mapping(system).space_time_of(variable.name)
        if entry is not None and entry.function.domain.dimensions == variable.domain.space.dimensions:
            mapped.append((variable.name, entry.function))
    if not mapped:
        raise refusal(
            f"no local of {system} has a space-time map", span, help="setSpaceTimeMap gives locals their dates"
        )
    for name, function in mapped:
        design = change_of_basis(design, system, name, function, span)
    return design
