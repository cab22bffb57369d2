"""Pushes a function down: `f @ e` as an expression over the space of f, without a leading f wherever possible.

f@g@e = (g o f)@e       f@(D: e) = f^-1(D): f@e       f@(e op e') = f@e op f@e'
f@reduce(op, (z,k -> z), e) = reduce(op, (y,k -> y), (y,k -> f(y),k)@e)"""

from dataclasses import replace

from alphaz.model.expression import Access, Compose, Constant, Expression, IndexValue, Reduce, Restrict
from alphaz.model.walk import children, rebuild
from alphaz.poly import Affine, AffineFunction, Space


def pushed(node: Expression, function: AffineFunction, names: tuple[str, ...]) -> Expression:
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
            return pushed(body, function.then(inner), inside)
        case Restrict(domain, body):
            return replace(node, domain=domain.preimage(function), body=pushed(body, function, names))
        case Reduce(_, projection, body) if drops_last(projection):
            return _reduction(node, function, body)
        case Reduce(_, _, body):
            here = body_copy(node)
            return here if function.is_identity else Compose(function, names, here, span=node.span)
    return rebuild(node, tuple(pushed(child, function, names) for child in children(node)))


def body_copy(node: Reduce) -> Reduce:
    """Returns the reduction with a body of new nodes."""
    identity = AffineFunction.identity(node.projection.domain)
    return replace(node, body=pushed(node.body, identity, identity.domain.names))


def drops_last(projection: AffineFunction) -> bool:
    """Returns True if a projection is `(z,k -> z)`: then functions can move through its reduction."""
    kept = projection.domain.names[: len(projection.outputs)]
    return projection.outputs == tuple(Affine.name(n) for n in kept)


def _reduction(node: Reduce, function: AffineFunction, body: Expression) -> Reduce:
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
    return replace(node, projection=projection, body=pushed(body, inner, old))
