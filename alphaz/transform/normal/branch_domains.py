"""LiftAutoRestrict and SplitUnion: domains of branches written out, and unions as cases of polyhedra."""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.domain_texts import can_be_written
from alphaz.analysis.texts.node_numbers import find_node
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Case, Expression, Facts, Restrict
from alphaz.model.program import System
from alphaz.model.walk import children, copy, rebuild
from alphaz.poly import Domain
from alphaz.poly.algorithms.set_operations import disjoint_polyhedra
from alphaz.transform.engine.checked_rewrite import shortest_form, with_program, without_context
from alphaz.transform.engine.edit import map_roots, with_system
from alphaz.transform.engine.refusals import refusal


def lift_auto_restrict(design: Design) -> Design:
    """Write the domain of every branch of a case before the branch.

    *Rewrites*: a branch without a restrict, `A[i-1];`, into `{| 1<=i<N} : A[i-1];`, with the points at which it is
    selected. (`auto` in programs of the successor language gets its domain when the program is read.) A domain that has
    no text in the language stays implicit. Mappings stay.

    *Checks*: none."""
    program = design.program
    with deep():
        for system in program.systems:
            program = with_system(program, system.name, _lift_system(system, design.checked.facts))
        return with_program(design, program)


def _lift_system(system: System, facts: Facts) -> System:
    def visit(node: Expression) -> Expression:
        inside = rebuild(node, tuple(visit(child) for child in children(node)))
        if not isinstance(node, Case) or not isinstance(inside, Case):
            return inside
        pairs = zip(node.branches, inside.branches, strict=True)
        return replace(inside, branches=tuple(branch(old, new, facts.context_domain[node]) for old, new in pairs))

    def branch(old: Expression, new: Expression, needed: Domain) -> Expression:
        domain = facts.context_domain[old]
        if isinstance(old, Restrict) or domain.is_empty() or not can_be_written(domain):
            return new
        return Restrict(shortest_form(without_context(domain, system), needed), new, span=new.span)

    return map_roots(system, visit)


def split_union(design: Design, node: str | None = None, span: Span = NOWHERE) -> Design:
    """Turn restricts to unions into cases, each branch over one polyhedron.

    *Rewrites*: every such restrict of the program, or the one at a node. In a case, the new branches join the others.
    Mappings stay.

    *Checks*: the node is a restrict to a union.
    """
    only: Expression | None = None
    if node is not None:
        only = find_node(design.program, node).expression
        if not isinstance(only, Restrict) or len(disjoint_polyhedra(only.domain)) < 2:
            raise refusal(
                "the node is no restrict to a union",
                span,
                secondary=(Label(only.span, "this"),),
                help="name the node of a restrict `{..} || {..} : e`; PrintAST shows the numbers",
            )
    program = design.program
    with deep():
        for system in program.systems:
            program = with_system(program, system.name, _split(system, only))
        return with_program(design, program)


def _split(system: System, only: Expression | None) -> System:
    def visit(node: Expression) -> Expression:
        inside = rebuild(node, tuple(visit(child) for child in children(node)))
        if isinstance(inside, Case) and isinstance(node, Case):
            return _flat(inside, node)
        if isinstance(inside, Restrict) and only in (None, node):
            parts = disjoint_polyhedra(inside.domain)
            if len(parts) > 1:
                branches = tuple(Restrict(part, copy(inside.body), span=inside.span) for part in parts)
                return Case(branches, span=inside.span)
        return inside

    return map_roots(system, visit)


def _flat(new: Case, old: Case) -> Case:
    """The new branches as branches of this case."""
    branches: list[Expression] = []
    for branch, before in zip(new.branches, old.branches, strict=True):
        split = isinstance(branch, Case) and isinstance(before, Restrict)
        branches.extend(branch.branches if split and isinstance(branch, Case) else (branch,))
    return new if len(branches) == len(old.branches) else Case(tuple(branches), span=old.span)
