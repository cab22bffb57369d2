"""Scanning: the loops that visit the points of several domains in the lexicographic order of their dates.

Input { S[e] -> date(e) : e in domain of S }; output a tree of loops as plain data. Source: isl's AST generation
(Grosser, Verdoolaege, Cohen: Polyhedral AST generation is more than scanning polyhedra, TOPLAS 2015).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import islpy as isl

from alphaz.poly.ast_expression import from_isl, operands_of
from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, mangle, multi_affine, tuple_text
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer import Integer, Name, Operation
from alphaz.poly.plain.space import SpaceMismatch
from alphaz.poly.questions.boxes import Step
from alphaz.poly.questions.disjoint import disjoint_polyhedra


@dataclass(frozen=True, slots=True)
class Scan:
    """What is to be scanned: the points of `domain`, each at its date (over the names of the domain's space)."""

    name: str
    domain: Domain
    date: tuple[Affine, ...]
    whole: "tuple[Whole, ...]" = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """What may be scanned a whole innermost tile at a time: as `name`, at these corners, over the same names.

    `is_partial`: where some points of the tile are in the domain, not all.
    """

    name: str
    corners: Domain
    steps: tuple[Step, ...]
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class For:
    """`for (iterator = first; iterator comparison bound; iterator += step) body`, for one dimension of the dates.

    `parallel`: of how many loops the turns are shared out among threads; this one, and those that are all it holds.
    `uneven`: some of its turns have much less to do than others.
    """

    iterator: str
    dimension: int
    first: Integer
    comparison: str
    bound: Integer
    step: Integer
    body: "Node"
    parallel: int = 0
    vector: bool = False
    uneven: bool = False


@dataclass(frozen=True, slots=True)
class Let:
    """A loop that runs once: the iterator has this value in the body."""

    iterator: str
    dimension: int
    value: Integer
    body: "Node"


@dataclass(frozen=True, slots=True)
class If:
    condition: Integer
    then: "Node"
    otherwise: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Block:
    children: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Call:
    """The statement `name` at the point `arguments` of its domain."""

    name: str
    arguments: tuple[Integer, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """A whole loop behind which is merged what `scans` accumulate in it; their domains are what they have of it."""

    scans: tuple[Scan, ...]
    known: Domain
    body: "Node"


@dataclass(frozen=True, slots=True)
class Pack:
    """A tile in front of which buffers `names` are filled with what `scans` read; their domains are what it holds."""

    names: tuple[str, ...]
    scans: tuple[Scan, ...]
    known: Domain
    body: "Node"


Node: TypeAlias = For | Let | If | Block | Call | Merge | Pack


def scan(
    scans: Sequence[Scan],
    context: Domain,
    iterators: Sequence[str],
    separate: Collection[int] = (),
    whole: Collection[int] = (),
) -> Node:
    """The loop tree. `context` is what is known of the parameters (a domain without dimensions).

    `iterators` has a name for each dimension of the dates, none of them a parameter. In the dimensions of `separate`
    loops get no guards where statements overlap, at the price of more code. In those of `whole` there is one loop for
    everything, which may run over values where nothing happens.
    """
    parameters = context.space.parameters
    for one in scans:
        if one.domain.space.parameters != parameters or len(one.date) != len(iterators):
            raise SpaceMismatch(f"{one.name}: {one.domain.space}, {len(one.date)} dimensions of {len(iterators)}")
    some = [one for one in scans if not one.domain.in_context(context).is_empty()]
    if not some:
        return Block(())
    wanted, known = _needed(some, context)
    # Around tiles, one call stands for all that a tile holds.
    if not whole and len(separate) < len(iterators):
        wanted = [part for one in wanted for part in _in_parts(one)]
    chosen = {**dict.fromkeys(whole, "atomic"), **dict.fromkeys(separate, "separate")}
    names = {str(at): one.name for at, one in enumerate(wanted)}
    tree = _tree(_Asked.of(wanted, known, iterators, chosen))
    return rewrite(tree, lambda node: replace(node, name=names[node.name]) if isinstance(node, Call) else node)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A dimension of the dates, and isl's option for it, if any."""

    dimension: int
    iterator: str
    option: str | None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is scanned, but for the names; the same question, which chains of similar nests ask, has the same text.

    There are no loops for dimensions in which all dates have one and the same constant.
    """

    text: tuple[str, ...]
    dates: tuple[tuple[Affine, ...], ...]
    loops: tuple[_Loop, ...]
    scans: tuple[Scan, ...] = field(compare=False)
    known: Domain = field(compare=False)

    @staticmethod
    def of(scans: Sequence[Scan], known: Domain, iterators: Sequence[str], chosen: Mapping[int, str]) -> "_Asked":
        text = tuple(str(each.set) for each in (known, *(one.domain for one in scans)))
        loops = [_Loop(at, name, chosen.get(at)) for at, name in enumerate(iterators)]
        loops = [loop for loop in loops if not _is_constant(scans, loop.dimension)] or loops[:1]
        dates = tuple(tuple(one.date[loop.dimension] for loop in loops) for one in scans)
        return _Asked(text, dates, tuple(loops), tuple(scans), known)


def _is_constant(scans: Sequence[Scan], dimension: int) -> bool:
    first = scans[0].date[dimension]
    return first.is_constant and all(one.date[dimension] == first for one in scans)


@lru_cache(maxsize=64)
def _tree(asked: _Asked) -> Node:
    """The loops, with the numbers of the scans for their names."""
    parameters = asked.known.space.parameters
    schedule = isl.UnionMap(f"{tuple_text(parameters)} -> {{ }}", CONTEXT)
    for at, (one, date) in enumerate(zip(asked.scans, asked.dates, strict=True)):
        schedule = schedule.union(isl.UnionMap.from_map(_dated(f"S{at}", one.domain, date)))
    numbers = tuple(str(at) for at in range(len(asked.scans)))
    dimensions = {loop.iterator: loop.dimension for loop in asked.loops}
    reader = _Reader(numbers, {mangle(n): n for n in (*parameters, *dimensions)}, dimensions)
    return reader.node(_build(asked.known, asked.loops).node_from_schedule_map(schedule))


def _needed(scans: Sequence[Scan], context: Domain) -> tuple[list[Scan], Domain]:
    """The scans without what the context says, and the context without parameters on which they do not depend then:
    isl is quicker, and loops do not test what is known.
    """
    found = [replace(one, domain=one.domain.in_context(context).within(context)) for one in scans]
    named = {name for one in found for component in one.date for name in component.names}
    named.update(name for one in found for name in one.domain.used)
    return [replace(one, domain=one.domain.with_only(named)) for one in found], context.with_only(named)


def _in_parts(one: Scan) -> Iterator[Scan]:
    """Each polyhedron of the domain as a scan of its own: isl is quicker, and tests stand further outside. Where parts
    would become more than there are they stay together.
    """
    parts = disjoint_polyhedra(one.domain)
    for part in parts if len(parts) <= one.domain.piece_count else (one.domain,):
        yield replace(one, domain=part)


def _dated(label: str, domain: Domain, date: Sequence[Affine]) -> isl.Map:
    dates = isl.Map.from_multi_aff(multi_affine(domain.space, date)).set_tuple_name(isl.dim_type.in_, label)
    return dates.intersect_domain(domain.set.coalesce().set_tuple_name(label))


def _build(context: Domain, loops: Sequence[_Loop]) -> isl.AstBuild:
    build = isl.AstBuild.from_context(context.set.params())
    names = isl.IdList.alloc(CONTEXT, len(loops))
    for loop in loops:
        names = names.add(isl.Id.read_from_str(CONTEXT, mangle(loop.iterator)))
    build = build.set_iterators(names)
    if any(loop.option for loop in loops):
        schedule = ", ".join(f"d{at}" for at in range(len(loops)))
        options = "; ".join(f"[{schedule}] -> {loop.option}[{at}]" for at, loop in enumerate(loops) if loop.option)
        build = build.set_options(isl.UnionMap(f"{{ {options} }}", CONTEXT))
    return build


_FOR: object = getattr(isl.ast_node_type, "for_")  # noqa: B009 (not in the stubs)
_IF: object = getattr(isl.ast_node_type, "if_")  # noqa: B009


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns isl's tree into ours."""

    statements: tuple[str, ...]
    names: Mapping[str, str]
    dimensions: Mapping[str, int]

    def node(self, node: isl.AstNode) -> Node:
        kind: object = node.get_type()  # the stubs say int
        if kind == _FOR:
            return self._loop(node)
        if kind == _IF:
            otherwise = self.node(node.if_get_else_node()) if node.if_has_else_node() else None
            return If(self._integer(node.if_get_cond()), self.node(node.if_get_then_node()), otherwise)
        if kind == isl.ast_node_type.block:
            children = node.block_get_children()
            return Block(tuple(self.node(children.get_at(at)) for at in range(children.n_ast_node())))
        if kind == isl.ast_node_type.mark:
            return self.node(node.mark_get_node())
        return self._call(node.user_get_expr())

    def _integer(self, expression: isl.AstExpr) -> Integer:
        return from_isl(expression, self.names)

    def _loop(self, node: isl.AstNode) -> Node:
        iterator = self.names[str(node.for_get_iterator().get_id().name)]
        dimension = self.dimensions[iterator]
        body, first = self.node(node.for_get_body()), self._integer(node.for_get_init())
        if node.for_is_degenerate():
            return Let(iterator, dimension, first, body)
        comparison, bound = _bound(self._integer(node.for_get_cond()), iterator)
        step = self._integer(node.for_get_inc())
        return For(iterator, dimension, first, comparison, bound, step, body)

    def _call(self, expression: isl.AstExpr) -> Call:
        label, *arguments = operands_of(expression)
        name = self.statements[int(str(label.get_id().name)[1:])]
        return Call(name, tuple(self._integer(a) for a in arguments))


def _bound(condition: Integer, iterator: str) -> tuple[str, Integer]:
    """isl always writes `iterator <= bound` or `iterator < bound` (its option atomic_upper_bound)."""
    match condition:
        case Operation("<" | "<=" as comparison, (Name(name), bound)) if name == iterator:
            return comparison, bound
    raise AssertionError(f"not a bound of {iterator}: {condition}")


# --- walking ----------------------------------------------------------------------------------------------------------


def inside(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside."""
    match node:
        case For() | Let() | Merge() | Pack():
            return (node.body,)
        case If():
            return (node.then,) if node.otherwise is None else (node.then, node.otherwise)
        case Block():
            return node.children
    return ()


def with_inside(node: Node, new: Sequence[Node]) -> Node:
    """The same node with other nodes inside (as many as it has)."""
    match node:
        case For() | Let() | Merge() | Pack():
            return replace(node, body=new[0])
        case If():
            return replace(node, then=new[0], otherwise=new[1] if len(new) > 1 else None)
        case Block():
            return Block(tuple(new))
    return node


def in_row(node: Node) -> Iterator[Node]:
    """What is done one after the other, however it is put together."""
    if isinstance(node, Block):
        for child in node.children:
            yield from in_row(child)
    else:
        yield node


def in_turn(nodes: Iterable[Node]) -> Node:
    """One after the other; what follows under the same condition is tested once."""
    done: list[Node] = []
    for node in nodes:
        for each in node.children if isinstance(node, Block) else (node,):
            match done[-1:], each:
                case [If(one) as before], If(two) if one == two:
                    otherwise = [n for n in (before.otherwise, each.otherwise) if n is not None]
                    rest = in_turn(otherwise) if otherwise else None
                    done[-1] = If(one, in_turn((before.then, each.then)), rest)
                case _:
                    done.append(each)
    return done[0] if len(done) == 1 else Block(tuple(done))


def calls(node: Node) -> Iterator[Call]:
    """Every call in the tree, in the order of the text."""
    if isinstance(node, Call):
        yield node
    for child in inside(node):
        yield from calls(child)


def tests(node: Node) -> int:
    """How many conditions, minima and maxima there are in the tree."""
    here = 0
    match node:
        case For(_, _, first, _, bound, _, _):
            here = _choices(first) + _choices(bound)
        case Let(_, _, value, _):
            here = _choices(value)
        case If():
            here = 1
    return here + sum(tests(child) for child in inside(node))


def _choices(value: Integer) -> int:
    match value:
        case Operation(symbol, operands):
            return (symbol in ("min", "max", "if")) + sum(map(_choices, operands))
    return 0


def rewrite(node: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with `change` applied to every node, innermost first."""
    return change(with_inside(node, [rewrite(child, change) for child in inside(node)]))
