"""LiftAutoRestrict: writes the implied domain of a branch before it."""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.domain_texts import can_be_written
from alphaz.mapping.design import Design
from alphaz.model.expression import Case, Expression, Restrict
from alphaz.model.facts import Facts
from alphaz.model.program import System
from alphaz.model.walk import children, rebuild
from alphaz.poly import Domain
from alphaz.transform.engine.edit import map_roots, with_system
from alphaz.transform.engine.rewrite import rewrite, shorter, without_context


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
        return rewrite(design, program)


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
        return Restrict(shorter(without_context(domain, system), needed), new, span=new.span)

    return map_roots(system, visit)
