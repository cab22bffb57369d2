"""Innermost loops in pieces: where reductions select points by a value that does not change in the loop, there is one
for the turns with such a point, and one for those without. Nothing is left to be tested in the turns.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import Scope
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.nest import loops_in_c, where_it_runs
from alphaz.codegen.scheduled.operations import Operations
from alphaz.codegen.scheduled.selections import Decision, Selection
from alphaz.codegen.scheduled.statements import Work
from alphaz.loops.nonempty import Reached
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Call, For, Let, Merge, Node, Pack, Scan, inside, is_innermost
from alphaz.model.expression import Access, Compose, Reduce
from alphaz.model.walk import children, walk
from alphaz.poly import Affine, AffineFunction, Domain, Space, fresh_names
from alphaz.poly.plain.affine import at_least, less
from alphaz.poly.plain.integer import Integer, Name, Number, as_affine, substitute

# More pieces than this are not worth their text.
_MOST = 6

# Writes a loop in another way than as a loop of statements, or does not.
Write = Callable[[For], tuple[c.Statement, ...] | None]


@dataclass(frozen=True, slots=True)
class _Found:
    """A selection in a loop: `point` has the indices of its result, over the names of the loops."""

    selection: Selection
    names: tuple[str, ...]
    point: tuple[Affine, ...]

    def results(self, domain: Domain, space: Space) -> Domain:
        """The turns whose result is in a set over the indices of results and the values."""
        return _turns(domain, (*self.point, *map(Affine.name, self.names)), space)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Turns of the loop, and for each selection whether a point is selected, and whether others contribute."""

    turns: Domain
    answers: tuple[bool, ...] = ()


def in_pieces(
    loop: For, works: Mapping[str, Work], writer: Operations, reached: Reached, write: Write
) -> tuple[c.Statement, ...] | None:
    """The loop in pieces, each written by `write`; None where there is nothing to be told apart."""
    if not is_innermost(loop) or loop.is_parallel or loop.step != Number(1):
        return None
    called = [(works[name], point) for name, point in _calls(loop.body, {})]
    wanted = [(work, point, each) for work, point in called for each in _selections(work, writer)]
    if not wanted or not all(_is_steady(loop, *each, [work for work, _ in called], writer) for each in wanted):
        return None
    declared: list[c.Declare] = []
    found = [_named(selection, point or (), writer, declared) for _, point, selection in wanted]
    first, end = (_limit(value, writer, declared) for value in (loop.first, loop.bound))
    context = writer.mapping.system.context
    given, points = context.space.parameters, [point for _, point in called if point is not None]
    loops = {name for values in (*points, (first, end)) for value in values for name in value.names}
    more = (*sorted(loops - {loop.iterator, *given}), *(name for each in found for name in each.names))
    space, turn = Space((*given, *more), (loop.iterator,)), Affine.name(loop.iterator)
    last = less(turn, end) if loop.comparison == "<" else at_least(end, turn)
    turns = Domain.where(space, [at_least(turn, first), last])
    around = turns
    for work, point in called:
        around &= turns if point is None else _turns(work.domain.in_context(context), point, space)
    pieces = _pieces(turns, around, found)
    if len(pieces) > _MOST:
        return None
    inner = _written(loop, works, pieces, found, around.parameters(), writer, write)
    return (where_it_runs(loop, writer.parameters, (*declared, *inner), reached.never_empty(loop)),)


def _calls(node: Node, values: Mapping[str, Integer]) -> Iterator[tuple[str, tuple[Affine, ...] | None]]:
    """The statements inside with their points, where these are affine."""
    match node:
        case Let(iterator, _, value, body):
            yield from _calls(body, {**values, iterator: substitute(value, values)})
        case Call(name, arguments):
            point = [as_affine(substitute(argument, values)) for argument in arguments]
            known = tuple(value for value in point if value is not None)
            yield name, known if len(known) == len(point) else None
        case _:
            for child in inside(node):
                yield from _calls(child, values)


def _selections(work: Work, writer: Operations) -> Iterator[Selection]:
    """Those whose results have the indices of the statement."""
    waiting = [] if work.expression is None else [work.expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Reduce) and (selection := writer.selection_of(node)) is not None:
            yield selection
        elif not isinstance(node, Reduce | Compose):
            waiting.extend(children(node))


def _is_steady(
    loop: For,
    work: Work,
    point: tuple[Affine, ...] | None,
    selection: Selection,
    works: Sequence[Work],
    writer: Operations,
) -> bool:
    """Whether what the reduction compares with has one value, which can be read before the loop."""
    if point is None or any(point[at].coefficient(loop.iterator) for at in selection.needed):
        return False
    if any(each.box is not None or each.expression is None or each.statement is None for each in works):
        return False
    cells, written = writer.mapping.cells, {each.statement.variable for each in works if each.statement is not None}
    reads = {each.variable for value in selection.values for each in walk(value) if isinstance(each, Access)}
    if {cells[name].space for name in reads} & {cells[name].space for name in written}:
        return False
    domain = work.domain.in_context(writer.mapping.system.context)
    return domain.is_subset(selection.known) and domain.is_subset(selection.filled)


def _named(selection: Selection, point: tuple[Affine, ...], writer: Operations, declared: list[c.Declare]) -> _Found:
    """The values in constants of their own."""
    values = tuple(value.substitute(writer.parameters) for value in point)
    names, constants = writer.lowering(writer.names).wanted(selection, Scope(selection.outer, values))
    declared += constants
    return _Found(selection, names, point)


def _limit(value: Integer, writer: Operations, declared: list[c.Declare]) -> Affine:
    """A limit of the loop, in a constant of its own where it is not affine."""
    affine = as_affine(value)
    if affine is None:
        name = writer.names.new("limit")
        declared.append(c.Declare(CONSTANT, name, integer(bound(value, writer.parameters))))
        affine = Affine.name(name)
    return affine


def _turns(domain: Domain, point: tuple[Affine, ...], space: Space) -> Domain:
    """The turns of the loop whose point is in the domain."""
    more = space.parameters[len(domain.space.parameters) :]
    names = fresh_names(domain.space.dimensions, "z", (*space.parameters, *space.names))
    return domain.renamed(names).with_parameters(more).preimage(AffineFunction(space, point))


def _pieces(turns: Domain, around: Domain, found: Sequence[_Found]) -> list[_Piece]:
    pieces = [_Piece(turns)]
    for each in found:
        for asked in (each.selection.selected, each.selection.others):
            holds = each.results(asked, turns.space).gist(around)
            parts = [
                _Piece(part, (*piece.answers, answer))
                for piece in pieces
                for part, answer in ((piece.turns & holds, True), (piece.turns - holds, False))
            ]
            pieces = [part for part in parts if not (part.turns & around).is_empty()]
    return pieces


def _written(
    loop: For,
    works: Mapping[str, Work],
    pieces: Sequence[_Piece],
    found: Sequence[_Found],
    known: Domain,
    writer: Operations,
    write: Write,
) -> tuple[c.Statement, ...]:
    turn = Name(loop.iterator)
    scans = [Scan(str(at), piece.turns, (Affine.name(turn.name),)) for at, piece in enumerate(pieces)]
    before = writer.decisions

    def decide(name: str) -> None:
        answers = pieces[int(name)].answers
        writer.decisions = {**before}
        for at, each in enumerate(found):
            writer.decisions[each.selection.node] = Decision(each.names, *answers[2 * at : 2 * at + 2])

    def operation(name: str, arguments: tuple[Integer, ...]) -> tuple[c.Statement, ...]:
        return writer.operation(works[name], arguments)

    def body(name: str, arguments: tuple[Integer, ...]) -> tuple[c.Statement, ...]:
        decide(name)
        here = loop.body if arguments[0] == turn else Let(turn.name, loop.dimension, arguments[0], loop.body)
        return loops_in_c(here, writer.parameters, operation)

    def special(node: For | Merge | Pack) -> tuple[c.Statement, ...] | None:
        if not isinstance(node, For) or not isinstance(node.body, Call):
            return None
        decide(node.body.name)
        part = replace(loop, first=node.first, comparison=node.comparison, bound=node.bound)
        return write(part) or loops_in_c(part, writer.parameters, operation)

    tree = readable_scan(scans, known, [turn.name])
    written = loops_in_c(tree, writer.parameters, body, special)
    writer.decisions = before
    return written
