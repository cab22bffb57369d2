"""Pushes a function down an expression, and renames its indices."""

from dataclasses import replace

from alphaz.model.expression import Access, Compose, Constant, Expression, IndexValue, Reduce, Restrict
from alphaz.model.walk import children, rebuild
from alphaz.poly import Affine, AffineFunction, Space, unlike


def push_function(node: Expression, function: AffineFunction, names: tuple[str, ...]) -> Expression:
    """Returns `function @ node`, where `names` are the indices in scope at the node. Every node of the result is new.

    A function stays before a reduction whose projection does not simply drop its last indices."""
    match node:
        case Constant():
            return replace(node)
        case IndexValue(affine):
            return replace(node, affine=affine.substitute(dict(zip(names, function.outputs, strict=True))))
        case Access(_, read):
            return replace(node, function=function.then(read))
        case Compose(inner, inside, body):
            return push_function(body, function.then(inner), inside)
        case Restrict(domain, body):
            return replace(node, domain=domain.preimage(function), body=push_function(body, function, names))
        case Reduce(_, projection, body) if drops_last(projection):
            return _pushed_reduction(node, function, body)
        case Reduce(_, _, body):
            here = body_copy(node)
            return here if function.is_identity else Compose(function, names, here, span=node.span)
    return rebuild(node, tuple(push_function(child, function, names) for child in children(node)))


def body_copy(node: Reduce) -> Reduce:
    """Returns the reduction with a body of new nodes."""
    identity = AffineFunction.identity(node.projection.domain)
    return replace(node, body=push_function(node.body, identity, identity.domain.names))


def drops_last(projection: AffineFunction) -> bool:
    """Returns True if a projection is `(z,k -> z)`: then functions can move through its reduction."""
    names = projection.domain.names[: len(projection.outputs)]
    return projection.outputs == tuple(Affine.name(n) for n in names)


def _pushed_reduction(node: Reduce, function: AffineFunction, body: Expression) -> Reduce:
    """`(y,k -> f(y),k)` is pushed into the body, with k renamed if y has that name."""
    outer = function.domain
    old = node.projection.domain.names
    own = old[len(node.projection.outputs) :]
    new: list[str] = []
    for name in own:
        while name in (*outer.parameters, *outer.names, *new):
            name += "_"
        new.append(name)
    space = Space(outer.parameters, (*outer.names, *new))
    inner = AffineFunction(space, (*function.outputs, *(Affine.name(n) for n in new)))
    projection = AffineFunction(space, tuple(Affine.name(n) for n in outer.names))
    return replace(node, projection=projection, body=push_function(body, inner, old))


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
            return _renamed_reduction(node, new)
    return rebuild(node, tuple(with_names(child, old, new) for child in children(node)))


def _renamed_reduction(node: Reduce, new: Names) -> Reduce:
    space = node.projection.domain
    names = space.names
    if drops_last(node.projection):
        own = names[len(node.projection.outputs) :]
        names = (*new, *unlike(own, (*space.parameters, *new)))
    body = with_names(node.body, space.names, names)
    return replace(node, projection=node.projection.renamed(names), body=body)
