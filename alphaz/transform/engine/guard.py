"""Reads whose domain matters: inside a reduction or a case, the domain of a read determines the domain of the whole.

There, a read that is replaced by one with a larger domain keeps its own domain by a restrict."""

from collections.abc import Callable

from alphaz.model.expression import Access, Case, Expression, Reduce, Restrict
from alphaz.model.program import System
from alphaz.model.walk import children, rebuild
from alphaz.poly import Domain
from alphaz.transform.engine.edit import map_roots
from alphaz.transform.engine.rewrite import without_context


def map_guarded_reads(system: System, variable: str, change: Callable[[Access], Expression], domain: Domain) -> System:
    """Returns the system with every read of the variable replaced; if its domain matters, the new one is restricted to
    `domain` of it.

    `domain` is over the indices of the replaced variable."""

    def visit(node: Expression, implicit: bool) -> Expression:
        if isinstance(node, Access) and node.variable == variable:
            new = change(node)
            return (
                Restrict(without_context(domain.preimage(node.function), system), new, span=node.span)
                if implicit
                else new
            )
        inside = implicit or isinstance(node, Case | Reduce)
        return rebuild(node, tuple(visit(child, inside) for child in children(node)))

    return map_roots(system, lambda root: visit(root, False))
