"""Texts that explain why innermost loops are not vectorised, for users who want to change a mapping."""

from collections.abc import Iterator

from alphaz.codegen.scheduled.independence import VectorLoops
from alphaz.codegen.scheduled.loop_nest import LoopNest
from alphaz.loops.modes import Parallel, Register, Vector
from alphaz.loops.tree import Conditional, For, Merge, Node, Pack, inside, is_innermost, statement_names


def obstacles(nest: LoopNest, vectors: VectorLoops) -> Iterator[str]:
    """Yields the place and the reason for each innermost loop that runs one iteration after the other, without
    duplicates.
    """
    found = (f"{_place(loop, nest)}: {_obstacle(loop, nest, vectors)}" for loop in _one_by_one(nest.tree))
    yield from dict.fromkeys(found)


def _one_by_one(node: Node) -> Iterator[For]:
    if isinstance(node, For) and not _has_loop(node.body):
        if not _is_in_vectors(node):
            yield node
        return
    for child in inside(node):
        yield from _one_by_one(child)


def _has_loop(node: Node) -> bool:
    return isinstance(node, For) or any(map(_has_loop, inside(node)))


def _is_in_vectors(loop: For) -> bool:
    match loop.mode:
        case Vector() | Register() | Parallel(vector=True):
            return True
    return loop.vector_dimension


def _place(loop: For, nest: LoopNest) -> str:
    statements = nest.statements
    names = dict.fromkeys(statements[name].name for name in sorted(statement_names(loop)))
    return f"loop over {loop.iterator} of {' and '.join(names)}"


def _obstacle(loop: For, nest: LoopNest, vectors: VectorLoops) -> str:
    if not is_innermost(loop):
        return _what_is_between(loop.body)
    for name in sorted(statement_names(loop)):
        reason = vectors.obstacle(nest.actions[name], loop.iterator)
        if reason is not None:
            return reason
    if not vectors.is_independent(loop):
        return "its iterations are not proved to be independent"
    if nest.may_fail(loop):
        return "its operations may fail, and report failures in order"
    return "threads run its iterations in sequence, because of private accumulators or buffers"


def _what_is_between(node: Node) -> str:
    """Returns a text for the outermost node inside a loop that is not an instance."""
    match node:
        case Conditional():
            return "it has a test inside"
        case Pack():
            return "packing buffers are filled inside"
        case Merge():
            return "its contributions are merged inside"
    return next((said for child in inside(node) if (said := _what_is_between(child))), "")
