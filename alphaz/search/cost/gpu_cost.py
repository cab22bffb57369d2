"""The estimated time of CUDA code on a GPU, from the model of its text: what warps access, and what moves.

A warp is sampled for each access: the distinct segments of 32 bytes that its lanes access, and, in shared memory, the
passes that its banks need. Bytes from memory and from the cache of all processors are those of the boxes around what a
launch, and a block, access.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, prod
from random import Random

from alphaz.c.tree import AddressSpace
from alphaz.machine import Gpu
from alphaz.poly import Affine, Constraint, Domain, Piece, at_least, equal, less
from alphaz.poly.algorithms.bounds import extremes
from alphaz.poly.algorithms.counting import count
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelArray, KernelLoop, KernelStatement, LoopKind, ThreadTeam
from alphaz.scop.lane_exchanges import LANES
from alphaz.scop.value_tree import OperationValue, Tree

SEGMENT = 32
"""Bytes of a segment of memory."""
_BANKS, _BANK = 32, 4
# Bytes that a processor reads from its own memory in a cycle.
_PASS = 128
# Measured on an H100: seconds of a launch, and of an operation of one thread by the memory that it accesses.
_LAUNCH = 4.7e-6
_WAITS = {
    AddressSpace.GLOBAL: 20e-9,
    AddressSpace.SHARED: 12e-9,
    AddressSpace.CONSTANT: 4e-9,
    AddressSpace.REGISTER: 4e-9,
}
# The part of the stated rate of memory that a copy reaches.
_COPY = 0.88
# The part of the cache that the arrays of successive launches may take to stay there.
_STAYS = 0.6
# Iterations of a loop that is unrolled.
_UNROLLED = 16
# Points of a box that are tried, and the most threads of a block.
_SAMPLE, _MOST_THREADS = 400, 1024
# Registers of a thread, apart from its own arrays.
_REGISTERS = 32


@dataclass(frozen=True, slots=True, eq=False)
class WarpAccess:
    """An access of a kernel. In global memory `ratio` is the number of segments of a warp by the least possible one; in
    shared memory that of passes. `units` are segments, or passes, in one launch.
    """

    array: str
    space: AddressSpace
    line: int
    is_write: bool
    of_warp: float
    ratio: float
    units: float


@dataclass(frozen=True, slots=True, eq=False)
class KernelCost:
    """A kernel, in one of its `launches`. `resident`: its blocks that a processor has at a time. The seconds are those
    of one launch, `limit` names the largest of them.
    """

    line: int
    launches: float
    blocks: int
    block: tuple[int, ...]
    shared: int
    resident: int
    occupancy: float
    memory: float
    cache: float
    accesses: tuple[WarpAccess, ...]
    parts: Mapping[str, float]

    @property
    def threads(self) -> int:
        return prod(self.block)

    @property
    def limit(self) -> str:
        return max(self.parts, key=lambda name: self.parts[name])

    @property
    def seconds(self) -> float:
        """Returns the seconds of all launches."""
        return self.launches * (_LAUNCH + self.parts[self.limit])


@dataclass(frozen=True, slots=True, eq=False)
class GpuCost:
    """The kernels of a function in the order of its text."""

    gpu: Gpu
    kernels: tuple[KernelCost, ...]

    @property
    def seconds(self) -> float:
        return sum(kernel.seconds for kernel in self.kernels)

    @property
    def memory(self) -> float:
        """Returns the bytes from and to memory."""
        return sum(kernel.launches * kernel.memory for kernel in self.kernels)


def gpu_cost(kernel: CKernel, parameters: Mapping[str, int], gpu: Gpu) -> GpuCost | None:
    """Returns the cost for these values of all parameters; None without kernels."""
    values = {name: parameters[name] for name in kernel.parameters}
    teams: dict[int, list[_Executed]] = {}
    for statement in kernel.statements:
        if statement.block is not None:
            domain = statement.domain.fixed(values)
            if not domain.is_empty():
                teams.setdefault(id(statement.block), []).append(_Executed(statement, statement.block, domain, values))
    parts = [_KernelModel(statements, gpu) for statements in teams.values()]
    whole = sum({name: size for part in parts for name, size in part.sizes().items()}.values())
    costs = [part.cost(whole <= _STAYS * gpu.cache) for part in parts]
    return GpuCost(gpu, tuple(costs)) if costs else None


def space_of(array: KernelArray) -> AddressSpace:
    """Returns the memory of an array on the GPU. Arguments, and arrays of the host part, are in global memory; other
    numbers of the host are passed by value, in constant memory.
    """
    if array.space is not AddressSpace.HOST:
        return array.space
    return AddressSpace.GLOBAL if array.is_argument or array.extents else AddressSpace.CONSTANT


@dataclass(slots=True, eq=False)
class _Executed:
    """A statement of a kernel with its instances for given parameters."""

    statement: KernelStatement
    team: ThreadTeam
    domain: Domain
    values: Mapping[str, int]
    _samples: list[dict[str, int]] | None = None
    _number: float | None = None

    @property
    def loops(self) -> list[KernelLoop]:
        return [part for part in self.statement.date if isinstance(part, KernelLoop)]

    def named(self, *kinds: LoopKind) -> tuple[str, ...]:
        return tuple(loop.iterator for loop in self.loops if loop.kind in kinds)

    @property
    def grid(self) -> tuple[str, ...]:
        return self.named(LoopKind.GRID)

    @property
    def threads(self) -> tuple[str, ...]:
        return self.named(LoopKind.BLOCK, LoopKind.WARP)

    @property
    def host(self) -> tuple[str, ...]:
        """Returns the loops of the host around the launch."""
        iterators: list[str] = []
        for part in self.statement.date[: self.team.depth]:
            if isinstance(part, KernelLoop):
                if part.kind is not LoopKind.SEQUENTIAL:
                    break
                iterators.append(part.iterator)
        return tuple(iterators)

    @property
    def number(self) -> float:
        """Returns the number of instances, of all launches."""
        if self._number is None:
            stride = prod(loop.stride for loop in self.loops)
            self._number = _number(self.domain.onto([loop.iterator for loop in self.loops]), self.values, stride)
        return self._number

    def within(self, names: Sequence[str]) -> Domain:
        """Returns the instances in an iteration in the middle of each of these loops."""
        domain = self.domain
        strides = {loop.iterator: loop.stride for loop in self.loops}
        for name in names:
            low, high = domain.least(name), domain.greatest(name)
            if low is None or high is None:
                continue
            for value in dict.fromkeys(((low + high) // 2, low, high)):
                part = _where(domain, name, value, strides[name])
                if not part.is_empty():
                    domain = part
                    break
        return domain

    @property
    def lanes(self) -> list[dict[str, int]]:
        """Returns an instance of each thread of a block in the middle, which execute it together."""
        if self._samples is None:
            names = self.statement.iterators
            domain = self.within([loop.iterator for loop in self.loops if loop.iterator not in self.threads])
            points = islice(domain.points(self.values), _MOST_THREADS)
            self._samples = [{**self.values, **dict(zip(names, point, strict=True))} for point in points]
        return self._samples


def _where(domain: Domain, name: str, value: int, stride: int) -> Domain:
    """Returns the part in one iteration: threads may begin a loop at different values below its stride."""
    here = Affine.name(name)
    bounds = (
        [equal(here, value)] if stride == 1 else [at_least(here, value), less(here, Affine(constant=value + stride))]
    )
    return domain & Domain.where(domain.space, bounds)


def _number(domain: Domain, values: Mapping[str, int], stride: int = 1) -> float:
    """Returns the number of points; if it has no formula, the part of the box around them that a sample is in, whose
    dimensions have this product of strides."""
    number = count(domain, domain.parameters(), is_short=False)
    if number is not None:
        return number.at(values)
    names, random, inside = domain.space.names, Random(1), 0
    ends = [extremes(domain, Affine.name(name)) or (0, 0) for name in names]
    pieces = [_dense(piece) for piece in domain.pieces()]
    for _ in range(_SAMPLE):
        drawn = (random.randint(*pair) for pair in ends)
        point = {**values, **dict(zip(names, drawn, strict=True))}
        inside += any(all(constraint.holds(point) for constraint in piece) for piece in pieces)
    return max(1.0, inside / _SAMPLE / stride * prod(high - low + 1 for low, high in ends))


def _dense(piece: Piece) -> list[Constraint]:
    """Returns the constraints without quotients."""
    floors = {floor.name for floor in piece.floors}
    return [constraint for constraint in piece.constraints if floors.isdisjoint(constraint.affine.names)]


def _width(domain: Domain, value: Affine) -> int:
    """Returns the number of integers between the least and the greatest value."""
    ends = extremes(domain, value)
    return 1 if ends is None else ends[1] - ends[0] + 1


@dataclass(slots=True, eq=False)
class _KernelModel:
    """The statements of a kernel."""

    statements: Sequence[_Executed]
    gpu: Gpu
    _launch: dict[str, int] | None = None

    def cost(self, stays: bool) -> KernelCost:
        """Returns the cost; if the arrays `stay` in the cache, memory is not accessed."""
        gpu, block, shared = self.gpu, self._block(), self._shared()
        threads = prod(block)
        launches = max(_launches(statement) for statement in self.statements)
        blocks = max(self._blocks(statement) for statement in self.statements)
        resident = self._resident(threads, shared)
        accesses = tuple(access for statement in self.statements for access in _accesses(statement, launches))
        memory = float(sum(self.sizes().values()))
        cache = max(memory, sum(self._sizes(lambda one: (*one.host, *one.grid)).values()) * float(blocks))
        running = min(blocks * threads, gpu.processors * resident * threads)
        busy = min(1.0, blocks / gpu.processors)
        shares = ceil(blocks / (gpu.processors * resident)) * gpu.processors * resident / blocks
        tail = shares if blocks > gpu.processors * resident else 1.0
        passes = sum(one.units * (SEGMENT / _PASS if one.space is AddressSpace.GLOBAL else 1) for one in accesses)
        doubles, floats = self._operations(launches)
        waits = sum(_wait(statement) * statement.number for statement in self.statements) / launches / running
        parts = {
            "memory": 0.0 if stays else memory / (gpu.bytes * _COPY),
            "the cache": cache / gpu.cache_bytes,
            "accesses of warps": passes / (gpu.processors * gpu.clock) / busy * tail,
            "arithmetic": (doubles / gpu.doubles + floats / gpu.floats) / busy * tail,
            "waiting": waits,
        }
        line = min(statement.statement.span.position[0] for statement in self.statements)
        return KernelCost(
            line=line,
            launches=launches,
            blocks=blocks,
            block=block,
            shared=shared,
            resident=resident,
            occupancy=min(1.0, resident * threads / gpu.threads),
            memory=memory,
            cache=cache,
            accesses=accesses,
            parts=parts,
        )

    def sizes(self) -> dict[str, int]:
        """Returns the bytes of each array in global memory that a launch in the middle accesses."""
        if self._launch is None:
            self._launch = self._sizes(lambda one: one.host)
        return self._launch

    def _sizes(self, fixed: Callable[[_Executed], Sequence[str]]) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for statement in self.statements:
            domain = statement.within(fixed(statement))
            for access in (statement.statement.target, *statement.statement.reads):
                if space_of(access.array) is AddressSpace.GLOBAL:
                    widths = [_width(domain, subscript) for subscript in _own(access)]
                    points = prod(widths[:-1]) * _padded(widths[-1], access) if widths else SEGMENT
                    size = min(points, int(statement.number) * SEGMENT)
                    sizes[access.array.name] = max(sizes.get(access.array.name, 0), size)
        return sizes

    def _block(self) -> tuple[int, ...]:
        """Returns the threads of a block along x, y and z."""
        sizes: dict[int, int] = {}
        for statement in self.statements:
            for name in statement.threads:
                most = statement.domain.greatest(name) or 0
                sizes[_axis(name)] = max(sizes.get(_axis(name), 1), most + 1)
        return tuple(sizes.get(axis, 1) for axis in range(max(sizes, default=0) + 1))

    def _blocks(self, one: _Executed) -> int:
        domain = one.within(one.host)
        return prod(_width(domain, Affine.name(name)) for name in one.grid)

    def _shared(self) -> int:
        arrays = {
            access.array
            for statement in self.statements
            for access in (statement.statement.target, *statement.statement.reads)
            if space_of(access.array) is AddressSpace.SHARED
        }
        return sum(_elements(array) * _bytes(array) for array in arrays)

    def _resident(self, threads: int, shared: int) -> int:
        gpu = self.gpu
        own = {
            access.array
            for statement in self.statements
            for access in (statement.statement.target, *statement.statement.reads)
            if space_of(access.array) is AddressSpace.REGISTER
        }
        registers = _REGISTERS + sum(_elements(array) * max(1, _bytes(array) // 4) for array in own)
        limits = [gpu.blocks, gpu.threads // threads, gpu.registers // (min(registers, 255) * threads)]
        if shared:
            limits.append(gpu.shared // (shared + 1024))
        return max(1, min(limits))

    def _operations(self, launches: float) -> tuple[float, float]:
        """Returns the floating-point operations of a launch in double, and in other types."""
        doubles = floats = 0.0
        for statement in self.statements:
            for operation in _operations_in(statement.statement.value):
                if operation.type.kind == "float" and operation.type.bits == 64:
                    doubles += statement.number / launches
                else:
                    floats += statement.number / launches
        return doubles, floats


def _launches(one: _Executed) -> float:
    return max(1.0, _number(one.domain.onto(one.host), one.values)) if one.host else 1.0


def _wait(one: _Executed) -> float:
    """Returns the seconds until a thread has done an instance, while others wait with it: unrolled ones overlap."""
    inner = [part for part in one.statement.date[one.team.depth :] if isinstance(part, KernelLoop)]
    widths = [_width(one.domain, Affine.name(loop.iterator)) for loop in inner if loop.stride == 1]
    unrolled = prod(width for width in widths if width <= _UNROLLED)
    accesses = (one.statement.target, *one.statement.reads)
    waits = (_WAITS[space_of(access.array)] / _reuse(one, access) for access in accesses)
    return max(_WAITS[AddressSpace.REGISTER] / unrolled, *waits)


def _operations_in(tree: Tree) -> Iterator[OperationValue]:
    if isinstance(tree, OperationValue):
        yield tree
        for operand in tree.operands:
            yield from _operations_in(operand)


# --- accesses ---------------------------------------------------------------------------------------------------------


def _accesses(one: _Executed, launches: float) -> Iterator[WarpAccess]:
    """Yields the accesses of a statement to global and shared memory, each cell once."""
    seen: set[tuple[str, tuple[Affine, ...], bool]] = set()
    for access in (one.statement.target, *one.statement.reads):
        space, is_write = space_of(access.array), access is one.statement.target
        key = access.array.name, access.subscripts, is_write
        if space not in (AddressSpace.GLOBAL, AddressSpace.SHARED) or key in seen:
            continue
        seen.add(key)
        warps = list(_warps(one, access))
        measure = _segments if space is AddressSpace.GLOBAL else _passes
        units, least, lanes = (sum(values) for values in zip(*(measure(*warp) for warp in warps), strict=True))
        yield WarpAccess(
            array=access.array.label,
            space=space,
            line=access.span.position[0],
            is_write=is_write,
            of_warp=units / len(warps),
            ratio=units / least,
            units=units * one.number / launches / lanes / _reuse(one, access),
        )


def _reuse(one: _Executed, access: ArrayAccess) -> float:
    """Returns the number of instances of a thread for which a value stays in a register: those of unrolled loops, and
    of innermost loops in which the cell is not written.
    """
    names = {name for subscript in access.subscripts for name in subscript.names}
    inner = [part for part in one.statement.date[one.team.depth :] if isinstance(part, KernelLoop)]
    is_innermost, factor = access.array is not one.statement.target.array, 1.0
    for loop in reversed(inner):
        width = _width(one.domain, Affine.name(loop.iterator))
        is_innermost = is_innermost and loop.iterator not in names
        if loop.iterator not in names and (is_innermost or width <= _UNROLLED):
            factor *= max(1.0, width / loop.stride)
    return factor


def _warps(one: _Executed, access: ArrayAccess) -> Iterator[tuple[list[int], int]]:
    """Yields the addresses of the lanes of each warp of a block, and the bytes of an element."""
    sizes = {name: (one.domain.greatest(name) or 0) + 1 for name in one.threads}
    ordered = sorted(one.threads, key=_axis)
    width = _bytes(access.array)
    strides = _strides(access, one.values)
    warps: dict[int, list[int]] = {}
    for lane in one.lanes:
        number, factor = 0, 1
        for name in ordered:
            number += lane[name] * factor
            factor *= sizes[name]
        pairs = zip(_own(access), strides, strict=True)
        address = sum(subscript.at(lane) * stride for subscript, stride in pairs) * width
        warps.setdefault(number // LANES, []).append(address)
    for addresses in warps.values():
        yield addresses, width


def _segments(addresses: Sequence[int], width: int) -> tuple[int, int, int]:
    """Returns the segments of a warp, the least possible number, and the lanes."""
    segments = {(address + byte) // SEGMENT for address in addresses for byte in (0, width - 1)}
    least = ceil(len(set(addresses)) * width / SEGMENT)
    return len(segments), least, len(addresses)


def _passes(addresses: Sequence[int], width: int) -> tuple[int, int, int]:
    """Returns the passes that the banks of shared memory need, the least possible number, and the lanes. Lanes are
    served together as far as they have elements in all banks."""
    together = max(1, LANES * _BANK // width)
    number = least = 0
    for position in range(0, len(addresses), together):
        words = {
            (address + byte) // _BANK
            for address in addresses[position : position + together]
            for byte in range(0, width, _BANK)
        }
        banks: dict[int, int] = {}
        for word in words:
            banks[word % _BANKS] = banks.get(word % _BANKS, 0) + 1
        number += max(banks.values())
        least += 1
    return number, least, len(addresses)


def _own(access: ArrayAccess) -> tuple[Affine, ...]:
    """Returns the subscripts of the text."""
    return access.subscripts[len(access.array.prefix) :]


def _strides(access: ArrayAccess, values: Mapping[str, int]) -> list[int]:
    """Returns the distance of neighbours along each subscript, in elements."""
    strides, stride = list[int](), 1
    for extent in reversed(access.array.extents[1:]):
        strides.append(stride)
        stride *= 1 if extent is None else int(extent.at(values))
    return [*strides, stride][::-1] if access.array.extents else []


def _padded(width: int, access: ArrayAccess) -> int:
    """Returns the bytes of the segments of so many adjacent elements."""
    return ceil(width * _bytes(access.array) / SEGMENT) * SEGMENT


def _elements(array: KernelArray) -> int:
    return prod(int(extent.at({})) for extent in array.extents if extent is not None)


def _bytes(array: KernelArray) -> int:
    return array.type.bytes


def _axis(name: str) -> int:
    """Returns 0 for `threadIdx.x`, and for `threadIdx.x_2`; lanes are the fastest."""
    axis = name.rpartition(".")[2][:1]
    return "xyz".index(axis) if axis in "xyz" else 0
