"""Renames the indices of an expression; nothing else changes."""

from dataclasses import replace

from alphaz.model.expression import Access, Compose, Constant, Expression, IndexValue, Reduce, Restrict
from alphaz.model.walk import children, rebuild
from alphaz.poly import unlike
from alphaz.transform.engine.push import drops_last

Names = tuple[str, ...]


def with_names(node: Expression, old: Names, new: Names) -> Expression:
    """Returns the expression with `new` for `old` as the names of its context's indices. Every node of the result is
    new.

    Names inside follow: the body of a reduction that drops its last indices begins with those of its context, and after
    `f @` in a space of the same number of indices the names are the same as before it."""
    match node:
        case Constant():
            return replace(node)
        case IndexValue(affine):
            return replace(node, affine=affine.rename(dict(zip(old, new, strict=True))))
        case Access(_, function):
            return replace(node, function=function.renamed(new))
        case Restrict(domain, body):
            return replace(node, domain=domain.renamed(new), body=with_names(body, old, new))
        case Compose(function, names, body):
            inner = new if len(names) == len(new) else names
            return replace(node, function=function.renamed(new), names=inner, body=with_names(body, names, inner))
        case Reduce():
            return _reduction(node, new)
    return rebuild(node, tuple(with_names(child, old, new) for child in children(node)))


def _reduction(node: Reduce, new: Names) -> Reduce:
    space = node.projection.domain
    names = space.names
    if drops_last(node.projection):
        own = names[len(node.projection.outputs) :]
        names = (*new, *unlike(own, (*space.parameters, *new)))
    body = with_names(node.body, space.names, names)
    return replace(node, projection=node.projection.renamed(names), body=body)
