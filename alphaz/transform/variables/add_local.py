"""AddLocal: moves an expression to a new variable, at every occurrence.

... e ...   becomes   ... new ...;   new[z] = e      for the z where e is needed"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.node_numbers import find_node
from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Expression
from alphaz.model.program import Equation, Kind, System, Variable
from alphaz.model.walk import copy, has_same_form, walk
from alphaz.poly import AffineFunction
from alphaz.transform.engine.checked_rewrite import declared_domain, with_program
from alphaz.transform.engine.edit import add_to_system, all_roots, map_roots, replace_nodes, with_system
from alphaz.transform.engine.refusals import find_system, refusal, require_new


def add_local(design: Design, system: str, name: str, node: str, span: Span = NOWHERE) -> Design:
    """Make an expression the right-hand side of a new local variable, and read that at every occurrence.

    *Rewrites*: the expression at `node`, and every one of the system that is equal up to the names of its indices, into
    a read of `name`, a new local over the domain where it is needed, of its type. Mappings stay.

    *Checks*: the node is in the system, the new name is free, and no value is computed in another type."""
    home, chosen = _choose_expression(design, system, node, span)
    names = design.checked.facts.context_domain[chosen].space.names
    return _with_local(design, home, name, chosen, _occurrences(design, home, chosen, names), span)


def add_local_unique(design: Design, system: str, name: str, node: str, span: Span = NOWHERE) -> Design:
    """Move the expression at `node` alone, and no equal one."""
    home, chosen = _choose_expression(design, system, node, span)
    return _with_local(design, home, name, chosen, [chosen], span)


def add_local_expression(
    design: Design, system: str, name: str, expression: Expression, indices: tuple[str, ...], span: Span = NOWHERE
) -> Design:
    """Move every occurrence of a given expression, in a context whose indices have the names `indices`.

    *Checks*: as add_local; the expression occurs in the system."""
    home = find_system(design.program, system, span)
    occurrences = _occurrences(design, home, expression, indices)
    if not occurrences:
        raise refusal(
            f"system {system} has no such expression over {len(indices)} indices",
            span,
            help="PrintAST shows every expression with its indices; inside a reduction they are those of its body",
        )
    return _with_local(design, home, name, occurrences[0], occurrences, span)


def _choose_expression(design: Design, system: str, node: str, span: Span) -> tuple[System, Expression]:
    home = find_system(design.program, system, span)
    site = find_node(design.program, node)
    if site.system is not home:
        raise refusal(
            f"the node {node} is in {site.system.name}, not in {system}",
            span,
            help="PrintAST shows the nodes of a system with their numbers",
        )
    return home, site.expression


def _occurrences(design: Design, home: System, expression: Expression, names: tuple[str, ...]) -> list[Expression]:
    contexts, types = design.checked.facts.context_domain, design.checked.facts.types
    with deep():
        nodes = [
            node
            for root in all_roots(home)
            for node in walk(root)
            if node in contexts and has_same_form(expression, names, node, contexts[node].space.names)
        ]
    return [node for node in nodes if types[node] == types[nodes[0]]]


def _with_local(
    design: Design, home: System, name: str, chosen: Expression, places: Sequence[Expression], span: Span
) -> Design:
    """The design with `chosen`, which occurs at all the places, in an equation of its own."""
    require_new(design.program, home, name, span)
    facts = design.checked.facts
    with deep():
        space = facts.context_domain[chosen].space
        domain = declared_domain(reduce(or_, (facts.context_domain[p].renamed(space.names) for p in places)), home)
        gone = set(map(id, places))

        def read(node: Expression) -> Expression | None:
            if id(node) not in gone:
                return None
            here = facts.context_domain[node].space
            return Access(name, AffineFunction.identity(here), span=node.span)

        changed = map_roots(home, lambda root: replace_nodes(root, read))
        local = Variable(name=name, kind=Kind.LOCAL, type=facts.types[chosen], domain=domain, span=chosen.span)
        moved = copy(chosen)
        changed = add_to_system(changed, [local], [Equation(name, domain.space.names, moved, span=chosen.span)])
        new = with_program(design, with_system(design.program, home.name, changed))
    for part, before in zip(walk(moved), walk(chosen), strict=True):
        if new.checked.facts.types[part] != facts.types[before]:
            raise refusal(
                f"in an equation of its own, this would be computed in {new.checked.facts.types[part]} "
                f"instead of {facts.types[before]}",
                before.span,
                help="give the new local the expression without the operation that converts it",
            )
    return new
