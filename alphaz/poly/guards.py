"""Guards without what is known: what isl, or a tile, tests although loops around it, or other tests, say so."""

from dataclasses import replace
from functools import reduce

from alphaz.poly.domain import Domain
from alphaz.poly.integer import Integer, Operation
from alphaz.poly.loops import Block, For, If, Let, Node, inside, with_inside
from alphaz.poly.place import Place

_NOTHING = Block(())

# What holds where a comparison does not: one of these.
_OPPOSITES = {"<": (">=",), "<=": (">",), ">": ("<=",), ">=": ("<",), "==": ("<", ">")}


def without_dead_guards(tree: Node, context: Domain) -> Node:
    """The same loops; `context` is a set of parameters."""
    return _node(tree, Place(context))


def _node(node: Node, place: Place) -> Node:
    match node:
        case For():
            return _around(node, _node(node.body, place.in_loop(node)))
        case Let():
            return _around(node, _node(node.body, place.in_let(node)))
        case If():
            return _if(node, place)
        case Block():
            return Block(tuple(child for each in node.children if (child := _node(each, place)) != _NOTHING))
    return with_inside(node, [_node(child, place) for child in inside(node)])


def _around(loop: For | Let, body: Node) -> Node:
    return _NOTHING if body == _NOTHING else replace(loop, body=body)


def _if(node: If, place: Place) -> Node:
    otherwise = _NOTHING if node.otherwise is None else _node(node.otherwise, place)
    if place.never(node.condition):
        return otherwise
    then = _node(node.then, place.where(node.condition))
    wanted = _operands(node.condition)
    for each in tuple(wanted):
        others = [other for other in wanted if other is not each]
        if _follows(each, reduce(Place.where, others, place)):
            wanted = others
    if not wanted or then == otherwise == _NOTHING:
        return then
    condition = wanted[0] if len(wanted) == 1 else Operation("and", tuple(wanted))
    return If(condition, then, None if otherwise == _NOTHING else otherwise)


def _operands(condition: Integer) -> list[Integer]:
    if isinstance(condition, Operation) and condition.operator == "and":
        return [each for operand in condition.operands for each in _operands(operand)]
    return [condition]


def _follows(condition: Integer, place: Place) -> bool:
    """Whether a comparison holds there; False for anything else."""
    if not isinstance(condition, Operation) or condition.operator not in _OPPOSITES:
        return False
    return all(place.never(Operation(symbol, condition.operands)) for symbol in _OPPOSITES[condition.operator])
