"""The pass that cuts loops into kernels of a GPU."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import prod
from typing import ClassVar

from alphaz.c.tree import AddressSpace
from alphaz.loops.expression_bounds import Ranges, extreme
from alphaz.loops.modes import Blocks, Threads
from alphaz.loops.thread_registers import Jam, JammedLoop, stored
from alphaz.loops.tree import (
    Allocate,
    Barrier,
    Block,
    Conditional,
    For,
    Instance,
    Keep,
    Launch,
    Let,
    Merge,
    MergeGrid,
    Node,
    Pack,
    Scratch,
    calls,
    in_row,
    inside,
    packs,
    with_inside,
)
from alphaz.mapping.target_mapping import MergeKind
from alphaz.order.happens_before import SyncScope
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    names_in,
    simplified,
)

AXES = ("x", "y", "z")
MERGING_THREADS = 256
"""The threads of a block that merges accumulations: a power of two."""
_SHAPES = ((128,), (32, 8), (32, 8, 1))
"""The threads of a block along the axes, for one, two and three loops without a stated role."""


@dataclass(frozen=True, slots=True)
class LaunchRole:
    """The axes along which blocks, and the threads of a block, share a loop; empty for none. `origin` is the loop over
    the tiles that have the values of the loop, `size` their number of values (0: unknown). A thread computes so many
    values at once as it has `registers`. With `merges`, accumulations of the loop are merged in the way `merge`.
    """

    block: str = ""
    thread: str = ""
    threads: int = 1
    origin: str = ""
    size: int = 0
    registers: int = 1
    merges: bool = False
    merge: MergeKind = MergeKind.PARTIALS


@dataclass(frozen=True, slots=True)
class SharedAxis:
    """A loop that the threads of a block share, around an instance. `is_single`: the first of them executes it."""

    iterator: str
    mode: Blocks | Threads
    is_single: bool = False


# The instances of a node by their names, with the loops that threads share around them.
Shared = Sequence[tuple[str, Mapping[str, SharedAxis]]]


def _no_role(_: For) -> LaunchRole | None:
    return None


def _always(_: Shared, __: Shared, ___: Sequence[str]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class KeptCell:
    """A memory cell of an iteration of loops that threads share, the result of `instance` where the `test` holds."""

    instance: Instance
    test: Integer | None = None


def _none_kept(_: Sequence[Instance], __: Collection[str], ___: Collection[str]) -> KeptCell | None:
    return None


def _none_collected(_: Merge) -> frozenset[str] | None:
    return None


def _no_sums(_: Merge) -> bool:
    return False


def _never_own(_: Collection[str], __: Sequence[tuple[str, int]]) -> bool:
    return False


class Unlaunchable(Exception):
    """Loops that cannot be shared as the roles say; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class _Span:
    """The values of the iterator of a loop in a launch: from `low` to below `high`, for names that the host knows."""

    low: Integer
    high: Integer


@dataclass(frozen=True, slots=True)
class Launches:
    """Makes a kernel of each outermost parallel loop and the parallel loops directly inside, whose iterations blocks
    and threads share; the innermost loop of them is along x. Where the script gives roles to loops, blocks and threads
    share those; the threads of a block wait for each other where one may access what another one writes. What has no
    such loop is a kernel of one thread. The loops around kernels stay with the host. Buffers are in the memory of a
    block, whose threads fill them together. Operations stay, and the order inside an iteration; iterations of shared
    loops are in any order, as is proved.

    `role` returns the role of a loop, None where the script has none for its statements. `meet` returns True if an
    instance of one group may access a cell that one of another group writes, in another thread of the block, in one
    iteration of these loops. `kept` returns the cell that all of these instances access in an iteration of loops with
    these names, and that one of them writes first; some statements have further instances. `fills_own` returns True if
    threads, whose numbers are given by axes, read only what they have filled of some buffers. `collected` returns the
    instances whose contributions a merge collects, if each of its results has one accumulator. `are_sums` returns True
    if a GPU can add these atomically. `new_name` makes a name. `counts` are the numbers of instances. Raises
    Unlaunchable.
    """

    is_parallel: Callable[[For], bool]
    role: Callable[[For], LaunchRole | None] = _no_role
    meet: Callable[[Shared, Shared, Sequence[str]], bool] = _always
    new_name: Callable[[str], str] = str
    kept: Callable[[Sequence[Instance], Collection[str], Collection[str]], KeptCell | None] = _none_kept
    fills_own: Callable[[Collection[str], Sequence[tuple[str, int]]], bool] = _never_own
    collected: Callable[[Merge], frozenset[str] | None] = _none_collected
    are_sums: Callable[[Merge], bool] = _no_sums
    counts: Mapping[str, int] = field(default_factory=dict)
    name: ClassVar[str] = "launches"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        counted = replace(self, counts=Counter(call.name for call in calls(tree)))
        return counted._of_host(_without_buffers(tree), ())

    # --- the host ---------------------------------------------------------------------------------------------------

    def _of_host(self, node: Node, around: tuple[str, ...]) -> Node:
        if isinstance(node, For) and self._is_shared(node):
            return self._launch(node, around)
        if not self._has_shared(node):
            return _alone(node)
        if isinstance(node, Merge):
            return self._merged(node)
        if isinstance(node, Block):
            return Block(tuple(self._in_row(node, around)))
        if isinstance(node, Pack):
            raise Unlaunchable("values would be packed for several blocks, and their memory is that of one block")
        return with_inside(node, [self._of_host(child, _inside(node, around)) for child in inside(node)])

    def _in_row(self, block: Block, around: tuple[str, ...]) -> Iterator[Node]:
        """Yields the nodes of a block; those without shared loops that follow each other are one kernel."""
        waiting: list[Node] = []
        for node in in_row(block):
            if not self._has_shared(node):
                waiting.append(node)
                continue
            yield from _together(waiting)
            waiting = []
            yield self._of_host(node, around)
        yield from _together(waiting)

    def _is_shared(self, loop: For) -> bool:
        role = self.role(loop)
        return self.is_parallel(loop) if role is None else bool(role.block or role.thread)

    def _has_shared(self, node: Node) -> bool:
        """Returns True if there are loops inside that can be kernels: partial results of a merged loop are in the
        memory of one thread.
        """
        if isinstance(node, Merge):
            return any(
                (role := self.role(loop)) is not None and role.merges
                for loop in in_row(node.body)
                if isinstance(loop, For)
            )
        if isinstance(node, Allocate):
            return False
        return (isinstance(node, For) and self._is_shared(node)) or any(map(self._has_shared, inside(node)))

    # --- merges -----------------------------------------------------------------------------------------------------

    def _merged(self, node: Merge) -> Node:
        """Returns the launches for a loop whose accumulations blocks merge, and for what precedes it."""
        collected = self.collected(node)
        if collected is None:
            raise Unlaunchable("a loop that blocks and threads share collects contributions to several results")
        *before, loop = in_row(node.body)
        role = self.role(loop) if isinstance(loop, For) else None
        if (
            role is None
            or not isinstance(loop, For)
            or any(call.name in collected for one in before for call in calls(one))
        ):
            raise Unlaunchable("contributions that blocks merge are not in one loop")
        threads = role.threads
        span = self._span(loop, {})
        if span is None:
            raise Unlaunchable("the contributions that blocks merge have bounds of no simple form")
        if role.merge is MergeKind.ATOMIC and not self.are_sums(node):
            raise Unlaunchable("blocks add only sums of floats, or of integers of 32 bits, atomically")
        mode = Blocks("x", span.low, threads)
        body = loop.body if threads > 1 else self._of_merging_threads(loop.body)
        grid = MergeGrid(
            blocks=_quotient(span, loop.step, threads),
            threads=MERGING_THREADS,
            runs=IntegerOperation("<", (span.low, span.high)),
            merge=role.merge,
        )
        shared = replace(node, body=replace(loop, mode=mode, body=body), grid=grid)
        return Block((*_together(before), shared))

    def _of_merging_threads(self, node: Node) -> Node:
        """Returns the loops in a tile, shared among the threads of a block."""
        if isinstance(node, For) and (role := self.role(node)) is not None and role.merges and role.thread:
            first = IntegerName(role.origin) if role.origin else node.first
            return replace(node, mode=Threads("x", first, role.threads, _is_once(node, role, role.threads)))
        if isinstance(node, Instance | Pack | Merge | Allocate):
            raise Unlaunchable("contributions that blocks merge are outside of the loop that threads share")
        return with_inside(node, [self._of_merging_threads(child) for child in inside(node)])

    # --- kernels ----------------------------------------------------------------------------------------------------

    def _launch(self, loop: For, around: tuple[str, ...]) -> Node:
        loops, spans = self._chain(loop)
        chosen = self._axes(loops)
        grid, block = _Extents(), _Extents()
        modes: dict[str, Blocks] = {}
        runs: list[Integer] = []
        for outer, span in zip(loops, spans, strict=True):
            if outer.iterator in chosen:
                axis, threads = chosen[outer.iterator]
                modes[outer.iterator] = Blocks(axis, span.low, threads)
                grid.set(axis, _quotient(span, outer.step, threads))
                block.set(axis, IntegerConstant(threads))
                runs.append(IntegerOperation("<", (span.low, span.high)))
        body = _with_modes(loop, modes, lambda node: self._of_block(node, modes, block, around))
        sizes = tuple(size.value for size in block.sizes if isinstance(size, IntegerConstant))
        if prod(sizes) > 1024:
            raise Unlaunchable(f"a block would have {prod(sizes):,} threads, and 1,024 are allowed")
        launch = Launch(grid.padded(len(sizes)), sizes, _with_buffers(body))
        return Conditional(_all(runs), launch) if runs else launch

    def _axes(self, loops: Sequence[For]) -> dict[str, tuple[str, int]]:
        """Returns the axis and the number of threads for loops over blocks, by their iterators."""
        roles = {loop.iterator: role for loop in loops if (role := self.role(loop)) is not None}
        if roles:
            axes: dict[str, tuple[str, int]] = {}
            for iterator, role in roles.items():
                if role.block and role.block not in {axis for axis, _ in axes.values()}:
                    both = role.thread == role.block
                    if both and role.registers > 1:
                        raise Unlaunchable(f"register tiles along {role.block} need tiles of blocks")
                    axes[iterator] = role.block, role.threads if both else 1
            return axes
        several = [*loops[: len(AXES) - 1], loops[-1]] if len(loops) > len(AXES) else loops
        shape = _SHAPES[len(several) - 1]
        return {
            loop.iterator: (axis, threads if isinstance(loop.step, IntegerConstant) else 1)
            for loop, axis, threads in zip(reversed(several), AXES, shape, strict=False)
        }

    def _chain(self, loop: For) -> tuple[list[For], list[_Span]]:
        """Returns the loop and the loops directly inside that blocks may share, with the values of their iterators."""
        loops: list[For] = []
        spans: list[_Span] = []
        ranges: dict[str, tuple[Integer, Integer]] = {}
        node: Node = loop
        while True:
            match node:
                case Conditional(_, then, None):
                    node = then
                    continue
                case Let(iterator, _, value, body):
                    low, high = (extreme(value, ranges, largest=largest) for largest in (False, True))
                    if low is not None and high is not None:
                        ranges[iterator] = low, high
                        node = body
                        continue
                case For() if self._is_of_blocks(node) and (span := self._span(node, ranges)) is not None:
                    loops.append(node)
                    spans.append(span)
                    ranges[node.iterator] = span.low, _less(span.high)
                    node = node.body
                    continue
            return loops, spans

    def _is_of_blocks(self, loop: For) -> bool:
        role = self.role(loop)
        return self.is_parallel(loop) if role is None else bool(role.block)

    def _span(self, loop: For, ranges: Ranges) -> _Span | None:
        """Returns the values of an iterator for all values of the loops around; None where they have no form."""
        low, bound = extreme(loop.first, ranges, largest=False), extreme(loop.bound, ranges, largest=True)
        if low is None or bound is None or any(name in ranges for name in names_in(loop.step)):
            return None
        varies = any(name in ranges for name in names_in(loop.first))
        if varies and loop.step != IntegerConstant(1):
            # Iterations would not be at multiples of the step from the smallest first one.
            return None
        more = IntegerConstant(loop.comparison == "<=")
        return _Span(low, simplified(IntegerOperation("+", (bound, more))))

    # --- blocks -----------------------------------------------------------------------------------------------------

    def _of_block(self, node: Node, modes: Mapping[str, Blocks], block: "_Extents", around: tuple[str, ...]) -> Node:
        """Returns what the threads of a block do, and adds the threads along further axes to `block`."""
        if not self._has_threads(node) and not packs(node):
            return node
        covered = {mode.axis: SharedAxis(name, mode) for name, mode in modes.items() if mode.threads > 1}
        part = _BlockPart(self, covered, frozenset(modes))
        for loop in _loops(node):
            role = self.role(loop)
            if role is not None and role.thread and role.thread not in part.covered:
                block.set(role.thread, IntegerConstant(role.threads))
                part.axes[role.thread] = role.threads
                part.has_registers |= role.registers > 1
        return part.converted(node, (*around, *(name for name, mode in modes.items() if mode.threads == 1)))

    def _has_threads(self, node: Node) -> bool:
        """Returns True if there are loops inside that the threads of a block share."""
        return any((role := self.role(loop)) is not None and role.thread for loop in _loops(node))


@dataclass(slots=True)
class _BlockPart:
    """Rewrites what one block does. `covered`: the loops over blocks whose iterations threads share as well; `blocks`:
    all loops over blocks; `axes`: the numbers of threads along the other axes. With registers, threads compute several
    values of the loops `jams` at once, which are given by axes, as far as they have the same values everywhere.
    """

    owner: Launches
    covered: Mapping[str, SharedAxis]
    blocks: frozenset[str]
    axes: dict[str, int] = field(default_factory=dict)
    has_registers: bool = False
    jams: dict[str, set[JammedLoop]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def converted(self, node: Node, around: tuple[str, ...]) -> Node:
        """Returns a node that all threads of the block execute; the loops `around` have one iteration meanwhile."""
        if isinstance(node, For) and self._axis(node, {}):
            converted = self._of_threads(node, {}, around)
            return Jam(self._jam, self._single_of).of(node) if self.has_registers else converted
        if isinstance(node, Pack):
            return self._packed(node, around)
        if not self.owner._has_threads(node) and not packs(node):
            return self._single(node, {})
        if isinstance(node, Block):
            return Block(tuple(self._with_barriers([self.converted(child, around) for child in in_row(node)], around)))
        children = [self.converted(child, _inside(node, around)) for child in inside(node)]
        if isinstance(node, For) and self._meet(_after_barriers(children[0]), _before_barriers(children[0]), around):
            children = [Block((self._barrier(), children[0]))]
        converted = with_inside(node, children)
        return self._kept(node, converted) if isinstance(node, For) and self.blocks.issuperset(around) else converted

    # --- registers --------------------------------------------------------------------------------------------------

    def _jam(self, loop: For) -> JammedLoop | None:
        """Returns a loop that threads share as one of several values for each of them."""
        axis, role = self._axis(loop, {}), self.owner.role(loop)
        if not axis or role is None:
            return None
        threads, count = self.axes[axis], role.registers
        if not _is_once(loop, role, threads * count):
            size = f"a tile of {role.size:,}" if role.size else "an unknown number of"
            raise Unlaunchable(f"{threads} threads along {axis} with {count} values each share {size} values")
        first = IntegerName(role.origin) if role.origin else loop.first
        lane, counter = self._name(f"thread_{axis}"), self._name(f"part_{axis}")
        jam = JammedLoop(
            loop=loop, axis=axis, first=first, threads=threads, count=count, lane=lane, counter=counter,
            size=role.size if role.origin else 0,
        )  # fmt: skip
        self.jams.setdefault(axis, set()).add(replace(jam, loop=replace(loop, body=Block(()), bound=first)))
        return jam

    def _name(self, stem: str) -> str:
        if stem not in self.names:
            self.names[stem] = self.owner.new_name(stem)
        return self.names[stem]

    def _single_of(self, node: Node, loops: Sequence[JammedLoop]) -> Node:
        return self._single(node, {loop.axis for loop in loops})

    def _kept(self, loop: For, found: Node) -> Node:
        """Returns a loop of a block with the cells of its threads in registers, where each of them has the same ones in
        all iterations.
        """
        if not self.jams or any(len(loops) > 1 for loops in self.jams.values()):
            return found
        loops = [one for axis in reversed(AXES) for one in self.jams.get(axis, ())]
        if any(not set(names_in(one.first)).isdisjoint(_iterators(loop)) for one in loops):
            # Each iteration has other cells.
            return found
        own = list(calls(loop))
        here = Counter(call.name for call in own)
        outside = {name for name, count in self.owner.counts.items() if count > here[name]}
        cell = self.owner.kept(own, outside, [one.loop.iterator for one in loops])
        if cell is None:
            return found
        several = [one for one in loops if one.count > 1]
        return Keep(
            counters=tuple(one.counter for one in several),
            counts=tuple(one.count for one in several),
            store=stored(cell.instance, cell.test, loops),
            body=found,
        )

    # --- barriers ---------------------------------------------------------------------------------------------------

    def _packed(self, node: Pack, around: tuple[str, ...]) -> Node:
        """Returns a tile with buffers that all threads fill, and that are whole before one of them goes on."""
        body = self.converted(node.body, around)
        is_shared = self._shared_buffers(replace(node, body=Block(()))) or self.covered
        if is_shared and not _begins_with_barrier(body):
            body = Block((self._barrier(), body))
        return replace(node, body=body, threads=self._fillers)

    @property
    def _fillers(self) -> tuple[tuple[str, int], ...]:
        """Returns the threads that fill buffers."""
        return tuple((axis, self.axes[axis]) for axis in AXES if self.axes.get(axis, 1) > 1)

    def _shared_buffers(self, node: Node) -> set[str]:
        """Returns the buffers filled inside that other threads read than those that fill them."""
        threads = self._fillers
        return {name for name in packs(node) if threads and not self.owner.fills_own((name,), threads)}

    def _with_barriers(self, nodes: Sequence[Node], around: tuple[str, ...]) -> Iterator[Node]:
        running: list[Node] = []
        for node in nodes:
            first = _before_barriers(node)
            if any(self._meet(one, first, around) for one in running):
                yield self._barrier()
                running = []
            yield node
            running.append(_after_barriers(node))

    def _barrier(self) -> Barrier:
        if self.covered:
            axis = next(iter(self.covered))
            shared = f"a loop that they share with those of all blocks, along {axis}"
            raise Unlaunchable(f"the threads of a block would wait for each other in {shared}")
        return Barrier(SyncScope.BLOCK)

    def _axis(self, loop: For, around: Mapping[str, SharedAxis]) -> str:
        role = self.owner.role(loop)
        return role.thread if role is not None and role.thread in self.axes and role.thread not in around else ""

    def _of_threads(self, node: Node, shared: Mapping[str, SharedAxis], around: tuple[str, ...]) -> Node:
        """Returns a node that threads execute apart from each other along the `shared` axes."""
        if isinstance(node, Pack):
            raise Unlaunchable("values would be packed inside of a loop that the threads of a block share")
        if isinstance(node, For) and (axis := self._axis(node, shared)):
            role = self.owner.role(node)
            assert role is not None
            first = IntegerName(role.origin) if role.origin else node.first
            mode = Threads(axis, first, self.axes[axis], _is_once(node, role, self.axes[axis]))
            within = {**shared, axis: SharedAxis(node.iterator, mode)}
            return replace(node, mode=mode, body=self._of_threads(node.body, within, around))
        if not any(self._axis(loop, shared) for loop in _loops(node)):
            return self._single(node, shared)
        children = [self._of_threads(child, shared, around) for child in inside(node)]
        groups = [_shared(child, {**self.covered, **shared}) for child in children]
        pairs = ((group, other) for position, group in enumerate(groups) for other in groups[position:])
        if (isinstance(node, For) or len(groups) > 1) and any(self.owner.meet(*pair, around) for pair in pairs):
            raise Unlaunchable("the threads of a block would wait for each other inside of a loop that they share")
        return with_inside(node, children)

    def _single(self, node: Node, around: Collection[str]) -> Node:
        """Returns a node that one thread executes along each of the other axes."""
        if next(calls(node), None) is None:
            return node
        for axis, threads in self.axes.items():
            if axis not in around:
                node = one_thread(node, axis, threads, self.owner.new_name(f"thread_{axis}"))
        return node

    def _meet(self, one: Node, other: Node, around: tuple[str, ...]) -> bool:
        if not self._shared_buffers(one).isdisjoint(self._shared_buffers(other)):
            # The threads that fill a buffer again are others than those that read it.
            return True
        return self.owner.meet(_shared(one, self.covered), _shared(other, self.covered), around)


def one_thread(node: Node, axis: str, threads: int, name: str) -> For:
    """Returns a node that the first of the threads along an axis executes."""
    zero, one = IntegerConstant(0), IntegerConstant(1)
    return For(
        iterator=name, dimension=-1, first=zero, comparison="<", bound=one, step=one, body=node,
        mode=Threads(axis, zero, threads, is_once=True),
    )  # fmt: skip


def _iterators(node: Node) -> Iterator[str]:
    """Yields the names that loops inside give to values."""
    if isinstance(node, For | Let):
        yield node.iterator
    for child in inside(node):
        yield from _iterators(child)


def _inside(node: Node, around: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the loops around what is inside a node, which has the loops `around`."""
    return (*around, node.iterator) if isinstance(node, For | Let) else around


def _begins_with_barrier(node: Node) -> bool:
    match node:
        case For(body=Block((Barrier(), *_))):
            return True
        case For(body=For() as inner):
            return _begins_with_barrier(inner)
    return False


def _before_barriers(node: Node) -> Node:
    """Returns the part of a node that threads may execute before a barrier inside. All threads of a block execute the
    same barriers, so that the rest comes after all that is executed before the node.
    """
    if isinstance(node, Block):
        return Block(tuple(_before_barriers(child) for child in takewhile(_is_no_barrier, in_row(node))))
    return with_inside(node, list(map(_before_barriers, inside(node)))) if isinstance(node, _CONTROL) else node


def _after_barriers(node: Node) -> Node:
    """Returns the part of a node that threads may execute after the last barrier inside. Values that are packed are
    read inside of their node, which is kept whole.
    """
    if isinstance(node, Block):
        last = list(takewhile(_is_no_barrier, reversed(list(in_row(node)))))
        return Block(tuple(map(_after_barriers, reversed(last))))
    return with_inside(node, list(map(_after_barriers, inside(node)))) if isinstance(node, _CONTROL) else node


_CONTROL = (For, Let, Conditional)


def _is_no_barrier(node: Node) -> bool:
    return not isinstance(node, Barrier)


def _is_once(loop: For, role: LaunchRole, threads: int) -> bool:
    if role.origin:
        return 0 < role.size <= threads
    width = simplified(IntegerOperation("-", (loop.bound, loop.first)))
    return isinstance(width, IntegerConstant) and width.value + (loop.comparison == "<=") <= threads


def _shared(node: Node, around: Mapping[str, SharedAxis]) -> Shared:
    """Returns the instances inside, with the loops that threads share around them."""
    match node:
        case Instance(name):
            return [(name, around)]
        case For(iterator, dimension, mode=Threads() as mode):
            around = {**around, mode.axis: SharedAxis(mode.point or iterator, mode, dimension < 0)}
    return [one for child in inside(node) for one in _shared(child, around)]


def _loops(node: Node) -> Iterator[For]:
    """Yields the loops inside that threads may share, as `Launches._has_shared` has it."""
    if isinstance(node, Merge | Allocate):
        return
    if isinstance(node, For):
        yield node
    for child in inside(node):
        yield from _loops(child)


@dataclass(slots=True)
class _Extents:
    """Numbers of blocks, or of threads, along the axes."""

    sizes: list[Integer] = field(default_factory=list)

    def set(self, axis: str, size: Integer) -> None:
        position = AXES.index(axis)
        self.sizes += [IntegerConstant(1)] * (position + 1 - len(self.sizes))
        self.sizes[position] = size

    def padded(self, count: int) -> tuple[Integer, ...]:
        return (*self.sizes, *[IntegerConstant(1)] * (count - len(self.sizes)))


def _less(value: Integer) -> Integer:
    return simplified(IntegerOperation("-", (value, IntegerConstant(1))))


def _quotient(span: _Span, step: Integer, threads: int) -> Integer:
    """Returns the number of blocks for the iterations."""
    width = IntegerOperation("-", (span.high, span.low))
    if isinstance(step, IntegerConstant):
        unit = step.value * threads
        if unit == 1:
            return simplified(width)
        total = IntegerOperation("+", (width, IntegerConstant(unit - 1)))
        return IntegerOperation("quotient", (simplified(total), IntegerConstant(unit)))
    total = IntegerOperation("+", (width, IntegerOperation("-", (step, IntegerConstant(1)))))
    return IntegerOperation("quotient", (simplified(total), step))


def _with_modes(node: Node, modes: Mapping[str, Blocks], inner: Callable[[Node], Node]) -> Node:
    """Returns the tree with the modes of the outermost loops over these iterators, and `inner` of what is inside."""
    if not modes:
        return inner(node)
    if isinstance(node, For) and node.iterator in modes:
        rest = {name: mode for name, mode in modes.items() if name != node.iterator}
        return replace(node, mode=modes[node.iterator], body=_with_modes(node.body, rest, inner))
    return with_inside(node, [_with_modes(child, modes, inner) for child in inside(node)])


def _all(tests: Sequence[Integer]) -> Integer:
    return tests[0] if len(tests) == 1 else IntegerOperation("and", tuple(tests))


def _together(nodes: Sequence[Node]) -> Iterator[Node]:
    if nodes:
        yield _alone(nodes[0] if len(nodes) == 1 else Block(tuple(nodes)))


def _alone(node: Node) -> Node:
    """Returns the kernel of one thread for a tree that has statements."""
    return Launch((), (), _with_buffers(node)) if next(calls(node), None) is not None else node


def _without_buffers(node: Node) -> Node:
    """Returns the loops without memory for buffers; kernels have their own."""
    if isinstance(node, Allocate):
        return _without_buffers(node.body)
    return with_inside(node, [_without_buffers(child) for child in inside(node)])


def _with_buffers(node: Node) -> Node:
    """Returns the body of a kernel with the memory of a block for the buffers that are filled inside."""
    buffers = packs(node)
    return Allocate(Scratch(SyncScope.BLOCK, buffers=buffers, space=AddressSpace.SHARED), node) if buffers else node
