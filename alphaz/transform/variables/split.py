"""Split and Merge: one variable in two parts, two variables in one.

Split:  V over D, a domain P:   V over D - P, V_split over D /\\ P, with the same right-hand side;
        a read V[f] becomes case V[f]; V_split[f] esac, or the one of the two that it can meet.
Merge:  a over A, b over B, A /\\ B empty:   new over A \\/ B,  new = case A: e_a; B: e_b esac.
"""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Span, Witness, WitnessPoint, rules
from alphaz.diagnostics.message_words import count_text
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import TargetMapping
from alphaz.model.expression import Access, Case, Expression, Facts, Restrict
from alphaz.model.program import Equation, System, Variable
from alphaz.model.walk import copy
from alphaz.poly import AffineFunction, Domain
from alphaz.proof import Obligation, Values
from alphaz.transform.engine.checked_rewrite import declared_domain, with_program, without_context
from alphaz.transform.engine.edit import map_accesses, map_guarded_reads, with_equation, with_system, with_variable
from alphaz.transform.engine.mapping_changes import copy_in_mapping, with_mapping
from alphaz.transform.engine.preconditions import is_kept, joined_type
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_equation, find_local, find_system, refusal, require, require_new
from alphaz.transform.normal.simplify import in_short


def split(
    design: Design, system: str, variable: str, domain: Domain, name: str | None = None, span: Span = NOWHERE
) -> Design:
    """Cut a local variable in two: the part inside `domain` becomes a variable of its own, `V_split` by default.

    *Rewrites*: the declaration and the equation into two, every read into the part (or a case of the parts) that it
    meets. The new variable gets a copy of the mapping, in the same memory space if one was set.

    *Checks*: the variable is a local with an equation, the domain is over its indices, both parts have points, and the
    new name is free.
    """
    system_before = find_system(design.program, system, span)
    variable_before = find_local(system_before, variable, span)
    find_equation(system_before, variable, span)
    part = f"{variable}_split" if name is None else name
    require_new(design.program, system_before, part, span)
    if domain.space.dimensions != variable_before.domain.space.dimensions:
        count = count_text(variable_before.domain.space.dimensions, "index")
        message = f"`{variable}` has {count}, and the domain {domain.space.dimensions}"
        raise refusal(message, span)
    inside, outside = (
        declared_domain(variable_before.domain & domain, system_before),
        declared_domain(variable_before.domain - domain, system_before),
    )
    for part_domain, where in ((inside, "inside"), (outside, "outside")):
        if part_domain.in_context(system_before.context).is_empty():
            raise refusal(
                f"no point of `{variable}` is {where} {domain}: there is nothing to split",
                span,
                help="write a domain that contains some points of the variable, and not all",
            )
    with deep():
        parts = (replace(variable_before, domain=outside), replace(variable_before, name=part, domain=inside))
        changed = _reads_split(system_before, parts, design.checked.facts)
        equation = find_equation(changed, variable, span)
        twin = replace(equation, variable=part, expression=copy(equation.expression))
        changed = with_equation(changed, equation, equation, twin)
        changed = with_variable(changed, changed.variable(variable), *parts)
        new_design = with_program(
            design, with_system(design.program, system, changed), _copy_mappings(design, system, variable, part)
        )
        return in_short(new_design, system, (variable, part))


def _reads_split(system: System, parts: tuple[Variable, Variable], facts: Facts) -> System:
    old, new = parts

    def change(read: Access) -> Expression:
        context = facts.context_domain[read]
        meets = [
            part for part in parts
            if not (part.domain.preimage(read.function) & context).is_empty()
        ]  # fmt: skip
        if meets == [new]:
            return replace(read, variable=new.name)
        if meets == [old]:
            return read
        return Case((read, replace(read, variable=new.name)), span=read.span)

    return map_accesses(system, old.name, change)


def _copy_mappings(design: Design, system: str, old: str, new: str) -> dict[str, TargetMapping]:
    if system not in design.mappings:
        return dict(design.mappings)
    return with_mapping(design.mappings, system, copy_in_mapping(design.mapping(system), old, new))


def merge(design: Design, system: str, first: str, second: str, name: str, span: Span = NOWHERE) -> Design:
    """Merge two locals of one type with disjoint domains.

    *Rewrites*: the two declarations into one over the union, the two equations into a case, every read into a read of
    the new variable. The mapping of both is dropped, with a warning.

    *Checks*: both are locals with equations, have the same type and number of indices, and share no point (for any
    legal parameters); the new name is free, or that of one of the two."""
    home = find_system(design.program, system, span)
    one, two = (find_local(home, v, span) for v in (first, second))
    if one is two:
        raise refusal(f"`{first}` cannot be merged with itself", span, help="name two variables")
    if name not in (first, second):
        require_new(design.program, home, name, span)
    _require_alike(one, two, span)
    _require_conversions(design.checked.facts, home, one, two, span)
    require(_disjoint(home, one, two, span), "make the domains disjoint with a change of basis (CoB) first")
    with deep():
        joined = Variable(
            name=name,
            kind=one.kind,
            type=one.type,
            domain=declared_domain(one.domain | two.domain, home),
            span=one.span,
        )
        changed = _merge_variables(home, one, two, name)
        changed = with_variable(with_variable(changed, changed.variable(second)), changed.variable(first), joined)
        program = with_system(design.program, system, changed)
        return in_short(with_program(design, program, touched={system: frozenset({first, second})}), system, (name,))


def _merge_variables(system: System, one: Variable, two: Variable, name: str) -> System:
    """The system; until both are replaced, reads of the merged variable have a reserved name."""
    reserved_name = f"{name} "
    for part in (one, two):
        system = map_guarded_reads(system, part.name, lambda read: replace(read, variable=reserved_name), part.domain)
    system = map_accesses(system, reserved_name, lambda read: replace(read, variable=name))
    left, right = find_equation(system, one.name), find_equation(system, two.name)
    here = system.space(left.indices)
    branches = (
        Restrict(without_context(one.domain.renamed(left.indices), system), left.expression, span=left.span),
        Restrict(
            without_context(two.domain.renamed(left.indices), system),
            push_function(right.expression, AffineFunction.identity(here), right.indices),
            span=right.span,
        ),
    )
    whole = Equation(
        variable=name, indices=left.indices, expression=Case(branches, span=left.span), named=left.named, span=left.span
    )
    return with_equation(with_equation(system, right), left, whole)


def _require_alike(one: Variable, two: Variable, span: Span) -> None:
    labels = (Label(one.span, str(one.type)), Label(two.span, str(two.type)))
    if one.type != two.type:
        raise refusal(
            f"`{one.name}` and `{two.name}` have different types",
            span,
            secondary=labels,
            help="declare both with one type",
        )
    if one.domain.space.dimensions != two.domain.space.dimensions:
        raise refusal(
            f"`{one.name}` and `{two.name}` have different numbers of indices",
            span,
            secondary=labels,
            help="CoB gives a variable more indices; alignDimVariable finds the map",
        )


def _require_conversions(facts: Facts, system: System, one: Variable, two: Variable, span: Span) -> None:
    """Raises Rejected if converting the branches of the new case to their common type loses values."""
    roots = [find_equation(system, v.name).expression for v in (one, two)]
    types = [facts.types[root] for root in roots]
    common = joined_type(types)
    for root, type_ in zip(roots, types, strict=True):
        if common != one.type and not is_kept(root, type_, common):
            raise refusal(
                f"in one case the values would all be converted to {common}, and some change by that",
                span,
                secondary=tuple(Label(r.span, str(t)) for r, t in zip(roots, types, strict=True)),
                help="give both definitions one type",
            )


def _disjoint(system: System, one: Variable, two: Variable, span: Span) -> Obligation:
    names = one.domain.space.names

    def violations() -> Domain:
        return (one.domain & two.domain).in_context(system.context)

    def explain(values: Values) -> Witness:
        point = tuple(values[n] for n in names)
        text = ",".join(map(str, point))
        words = ", ".join(f"{p}={values[p]}" for p in system.parameters)
        sentence = f"{words}: {one.name}[{text}] and {two.name}[{text}] both exist"
        chosen = tuple((p, values[p]) for p in system.parameters)
        return Witness(chosen, tuple(WitnessPoint("point", v.name, point) for v in (one, two)), sentence)

    def recheck(values: Values) -> bool:
        renamed = dict(zip(two.domain.space.names, (values[n] for n in names), strict=True))
        return one.domain.contains(values) and two.domain.contains({**values, **renamed})

    return Obligation(
        rules.PRECONDITION,
        f"`{one.name}` and `{two.name}` share no point",
        violations,
        (("point", names),),
        explain,
        recheck,
        span,
        (Label(one.span, "one domain"), Label(two.span, "the other")),
    )
