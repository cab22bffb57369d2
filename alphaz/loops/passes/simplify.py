"""Passes that drop tests and arithmetic that the surrounding loops decide."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from alphaz.loops.modes import SEQUENTIAL, Parallel
from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Node, inside, with_inside
from alphaz.poly import Domain
from alphaz.poly.algorithms.bounds import simplifier_of
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName, IntegerOperation, names_of
from alphaz.poly.plain.integer_simplification import Multiples, Simplifier


@dataclass(frozen=True, slots=True)
class Guards:
    """Removes the test of loops that always have an iteration, where other statements depend on the test. The tree
    stays as it is except for this fact (`For.runs`).

    `runs`: proves that a loop at a place has an iteration whenever it is reached.
    """

    context: Domain
    runs: Callable[[LoopPlace, For], bool]
    name: ClassVar[str] = "guards"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, LoopPlace(self.context))

    def _marked(self, node: Node, place: LoopPlace) -> Node:
        pairs = zip(inside(node), place.inside(node), strict=True)
        new_node = with_inside(node, [self._marked(child, here) for child, here in pairs])
        if isinstance(new_node, For) and (new_node.kept or new_node.split is not None or new_node.vector_dimension):
            return replace(new_node, runs=self.runs(place, new_node))
        return new_node


_NOTHING = Block(())


@dataclass(frozen=True, slots=True)
class Fold:
    """Folds arithmetic of bounds, tests and indices: `N - 1 + 1` becomes `N`. A test that the enclosing loops and tests
    decide is removed together with its dead branch; so are a name that has its value already, and the loop around one
    iteration. Operations, their order and all computed numbers stay.

    `context` are the constraints on the parameters; `multiples`: the sizes of which some of them are multiples.
    """

    context: Domain
    multiples: Multiples = field(default_factory=dict)
    name: ClassVar[str] = "fold"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return _fold_node(tree, replace(simplifier_of(self.context), multiples=self.multiples))


def _fold_node(node: Node, simplifier: Simplifier) -> Node:
    match node:
        case For():
            return _loop(node, simplifier)
        case Let():
            return _fold_let(node, simplifier)
        case Conditional():
            return _fold_conditional(node, simplifier)
        case Instance(arguments=arguments):
            return replace(node, arguments=tuple(map(simplifier.folded, arguments)))
        case Block(children):
            done = [_fold_node(child, simplifier) for child in children]
            return Block(tuple(child for child in done if child != _NOTHING))
    return with_inside(node, [_fold_node(child, simplifier) for child in inside(node)])


def _loop(loop: For, simplifier: Simplifier) -> Node:
    first, bound, step = (simplifier.folded(value) for value in (loop.first, loop.bound, loop.step))
    folded = replace(loop, first=first, bound=bound, step=step)
    if _is_plain(loop) and _is_once(folded, simplifier):
        return _fold_node(Let(loop.iterator, loop.dimension, first, loop.body), simplifier)
    here, own = simplifier.without(loop.iterator).stepping(loop.iterator, first, step), IntegerName(loop.iterator)
    if loop.iterator not in names_of(first):
        here = here.where(IntegerOperation("<=", (first, own)))
    if loop.iterator not in names_of(bound):
        here = here.where(IntegerOperation(loop.comparison, (own, bound)))
    body, split = (
        _fold_node(loop.body, here),
        loop.split and replace(loop.split, tree=_fold_node(loop.split.tree, simplifier)),
    )
    return _NOTHING if body == _NOTHING and _is_plain(loop) else _collapsed(replace(folded, body=body, split=split))


def _is_plain(loop: For) -> bool:
    """Returns True if the loop has nothing besides its iterations."""
    return loop.mode == SEQUENTIAL and not loop.kept and loop.split is None and not loop.vector_dimension


def _is_once(loop: For, simplifier: Simplifier) -> bool:
    """Returns True if the loop has one iteration."""
    some, more = loop.first, IntegerOperation("+", (loop.first, loop.step))
    at = (simplifier.answer(IntegerOperation(loop.comparison, (value, loop.bound))) for value in (more, some))
    return next(at) is False and next(at) is True


def _collapsed(loop: For) -> For:
    """Returns the loop with `collapse` reduced to the loops that are left."""
    if not isinstance(loop.mode, Parallel):
        return loop
    depth, below = 1, loop.body
    while isinstance(below, For):
        depth, below = depth + 1, below.body
    return replace(loop, mode=replace(loop.mode, collapse=min(loop.mode.collapse, depth)))


def _fold_let(let: Let, simplifier: Simplifier) -> Node:
    own, value = IntegerName(let.iterator), simplifier.folded(let.value)
    same = IntegerOperation("==", (own, value))
    if simplifier.answer(same):
        return _fold_node(let.body, simplifier)
    here = simplifier.without(let.iterator).stepping(let.iterator, value)
    body = _fold_node(let.body, here if let.iterator in names_of(value) else here.where(same))
    return _NOTHING if body == _NOTHING else replace(let, value=value, body=body)


def _fold_conditional(choice: Conditional, simplifier: Simplifier) -> Node:
    test = simplifier.folded(choice.condition)
    otherwise = choice.otherwise or _NOTHING
    if isinstance(test, IntegerConstant):
        return _fold_node(choice.then if test.value else otherwise, simplifier)
    then, otherwise = _fold_node(choice.then, simplifier.where(test)), _fold_node(otherwise, simplifier.where_not(test))
    if then == otherwise == _NOTHING:
        return _NOTHING
    return Conditional(test, then, None if otherwise == _NOTHING else otherwise)
