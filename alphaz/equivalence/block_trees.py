"""Trees of reductions by the threads of a block, as loops: `for (s = 128; s > 0; s /= 2) if (t < s) w[t] += w[t + s];`
with a barrier in each iteration leaves in w[0] the sum of all cells.

Kernels without data races have one result, whatever the order of their threads: it is that of the order in which all
threads execute a statement before any executes the next one. In this order the statements of a tree are executed by
integers, with a name for the content of each cell at the start, and what they leave in a cell is a reduction of a set
of such contents, or not. The kernel that is returned computes these reductions in loops, and leaves unknown values in
all other cells of the arrays.

It has the values of the kernel if that has no races (C6), and all threads reach its barriers (C7). These obligations,
and those of bounds, remain those of the kernel.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, count

from alphaz.equivalence.operators import identity_value
from alphaz.poly import Affine, Domain, Space, at_least, equal
from alphaz.scop.c_model import (
    ArrayAccess,
    CKernel,
    Date,
    KernelArray,
    KernelLoop,
    KernelStatement,
    LoopKind,
    ThreadTeam,
)
from alphaz.scop.index_polynomials import Condition, affine, holds
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree

_OPERATORS = ("+", "*", "min", "max")
_IDENTITIES = {"+": Fraction(0), "*": Fraction(1)}
_IDEMPOTENT = frozenset({"min", "max"})
_MOST_EXECUTED = 100_000
# Not a C identifier, as further names behind it.
_TITLE = "tree'"

# An array with the subscripts as far as they are equal in the whole tree, and the rest of the subscripts.
_Place = tuple[str, tuple[Affine, ...]]
_Cell = tuple[_Place, tuple[int, ...]]


class _NoTree(Exception):
    """The statements are no tree, or one of a form that is not supported."""


@dataclass(frozen=True, slots=True)
class _Content:
    """The contents of a cell: the reduction of a set of first contents, or a literal; something else for two None."""

    operator: str = ""
    leaves: frozenset[_Cell] | None = None
    literal: Fraction | str | None = None


_OTHER = _Content()


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A statement of a tree, with the values of the names of the threads in each of its instances."""

    statement: KernelStatement
    inner: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    outer: frozenset[Condition]

    def cell(self, access: ArrayAccess, values: Mapping[str, int]) -> _Cell:
        outer, own = [], []
        for subscript in access.subscripts:
            outer.append(Affine.of((name, factor) for name, factor in subscript.terms if name not in values))
            inner = (values[name] * factor for name, factor in subscript.terms if name in values)
            own.append(sum(inner, subscript.constant))
        return (access.array.name, tuple(outer)), tuple(own)


@dataclass(slots=True)
class _Region:
    """Steps in their order, and what they have left in cells. `arrays` are those that they access, by place."""

    steps: Sequence[_Step]
    contents: dict[_Cell, _Content] = field(default_factory=dict)
    written: dict[_Cell, None] = field(default_factory=dict)
    arrays: dict[str, tuple[KernelArray, _Place]] = field(default_factory=dict)
    is_tree: bool = False

    def execute(self) -> None:
        for step in self.steps:
            for point in step.points:
                values = dict(zip(step.inner, point, strict=True))
                target = self._known(step, step.statement.target, values)
                reads = [self._known(step, read, values) for read in step.statement.reads]
                content = self._value(step.statement.value, reads, target)
                self.contents[target] = content
                self.written[target] = None

    def _known(self, step: _Step, access: ArrayAccess, values: Mapping[str, int]) -> _Cell:
        cell = step.cell(access, values)
        _, place = self.arrays.setdefault(access.array.name, (access.array, cell[0]))
        if place != cell[0]:
            raise _NoTree
        return cell

    def _value(self, tree: Tree, reads: Sequence[_Cell], target: _Cell) -> _Content:
        match tree:
            case ReadValue(number):
                cell = reads[number]
                return self.contents.get(cell) or _Content("", frozenset((cell,)))
            case LiteralValue(value):
                return _Content(literal=value)
            case OperationValue(operator, (left, right)) if operator in _OPERATORS:
                one, other = (self._value(operand, reads, target) for operand in (left, right))
                self.is_tree |= all(len(content.leaves or ()) > 1 for content in (one, other))
                return _combined(operator, one, other)
        return _OTHER


def _combined(operator: str, one: _Content, other: _Content) -> _Content:
    for left, right in ((one, other), (other, one)):
        if left.literal is not None and left.literal == _IDENTITIES.get(operator):
            return right
    if one.leaves is None or other.leaves is None or {one.operator, other.operator} - {"", operator}:
        return _OTHER
    if operator not in _IDEMPOTENT and one.leaves & other.leaves:
        return _OTHER
    return _Content(operator, one.leaves | other.leaves)


def with_trees_as_loops(kernel: CKernel) -> CKernel | None:
    """Returns a kernel of the same values, if it has no data races, in which loops compute the results of trees; None
    if there are no trees."""
    if kernel.collected:
        return None
    teams = {id(statement.block): statement.block for statement in kernel.statements if statement.block is not None}
    names, arrays = count(1), dict(kernel.arrays)
    changed: dict[int, list[KernelStatement]] = {}
    for team in teams.values():
        own = [statement for statement in kernel.statements if statement.block is team]
        replaced: dict[int, list[KernelStatement]] = {}
        shared = {array.name for other in kernel.statements if other.block is not team for array in _arrays(other)}
        for run in _runs(own, shared):
            try:
                region = _region(run)
                if region is None:
                    continue
                inside = {id(step.statement) for step in region.steps}
                others = [statement for statement in own if id(statement) not in inside]
                loops = _loops(region, others, f"{_TITLE}.{next(names)}", arrays)
            except _NoTree:
                continue
            first, *rest = [step.statement for step in region.steps]
            replaced[id(first)] = loops
            replaced |= {id(statement): [] for statement in rest}
        if replaced or team.exchanges:
            changed |= _together(own, replaced, team)
    if not changed:
        return None
    statements = [new for statement in kernel.statements for new in changed.get(id(statement), [statement])]
    named = tuple(replace(statement, name=f"S{position}") for position, statement in enumerate(statements))
    return replace(kernel, statements=named, arrays=arrays)


def has_trees(kernel: CKernel) -> bool:
    """Returns True if loops compute the results of trees."""
    return any(name.startswith(_TITLE) for name in kernel.arrays)


def _together(
    own: Sequence[KernelStatement], replaced: Mapping[int, list[KernelStatement]], team: ThreadTeam
) -> dict[int, list[KernelStatement]]:
    """Returns the statements of a launch where all threads of a block execute a statement before any executes the
    next one."""
    changed = {id(statement): replaced.get(id(statement), [statement]) for statement in own}
    barriers: dict[Date, set[int]] = {}
    for statement in chain.from_iterable(changed.values()):
        for index in range(team.depth, len(statement.date)):
            position = statement.date[index]
            if isinstance(position, int):
                barriers.setdefault(statement.date[:index], set()).add(position)
    block = ThreadTeam(team.depth, barriers)
    return {key: [replace(statement, block=block) for statement in group] for key, group in changed.items()}


# --- the statements of a tree -----------------------------------------------------------------------------------------


def _runs(statements: Sequence[KernelStatement], shared: Collection[str]) -> Iterator[list[_Step]]:
    """Yields statements that follow each other in one block, with instances that depend on the threads alone, and work
    on arrays of the kernel only, not on the `shared`."""
    for around in dict.fromkeys(_around(statement) for statement in statements):
        inside = [statement for statement in statements if statement.date[: len(around)] == around]
        if not any(_around(statement) == around and _is_combining(statement.value) for statement in inside):
            continue
        inside.sort(key=lambda statement: _positions(statement, len(around)))
        run: list[_Step] = []
        for statement in inside:
            is_inside = _around(statement) == around and _is_local(statement, shared)
            step = _step(statement) if is_inside else None
            if step is None or (run and step.outer != run[0].outer):
                yield run
                run = []
            run += [] if step is None else [step]
        yield run


def _is_behind(statement: KernelStatement, other: KernelStatement) -> bool:
    """Returns True if a statement is behind another one in the text."""
    for one, there in zip(statement.date, other.date, strict=False):
        if isinstance(one, int) and isinstance(there, int) and one != there:
            return one > there
    return False


def _around(statement: KernelStatement) -> Date:
    """Returns the date up to the innermost loop."""
    last = max((position for position, part in enumerate(statement.date) if isinstance(part, KernelLoop)), default=-1)
    return statement.date[: last + 1]


def _positions(statement: KernelStatement, position: int) -> tuple[int, ...]:
    positions = []
    for part in statement.date[position:]:
        if isinstance(part, KernelLoop):
            break
        positions.append(part)
    return tuple(positions)


def _is_local(statement: KernelStatement, shared: Collection[str]) -> bool:
    arrays = _arrays(statement)
    is_alone = statement.write.is_plain and statement.annotation is None and not statement.is_there
    return is_alone and not any(
        array.is_argument or array.is_stale or array.packed or array.name in shared for array in arrays
    )


def _is_combining(tree: Tree) -> bool:
    """Returns True if a value combines two or more cells, and nothing else."""
    match tree:
        case OperationValue(operator, operands) if operator in _OPERATORS:
            return all(isinstance(operand, ReadValue) or _is_combining(operand) for operand in operands)
    return False


def _region(run: Sequence[_Step]) -> _Region | None:
    """Returns the tree in a run, from its first combination to its last one, with copies around; None if there is
    none."""
    combining = [position for position, step in enumerate(run) if _is_combining(step.statement.value)]
    if not combining:
        return None
    first, last = combining[0], combining[-1]
    while first > 0 and isinstance(run[first - 1].statement.value, ReadValue):
        first -= 1
    while last + 1 < len(run) and isinstance(run[last + 1].statement.value, ReadValue):
        last += 1
    steps = run[first : last + 1]
    if len({array.type for step in steps for array in _arrays(step.statement)}) > 1:
        raise _NoTree
    if sum(len(step.points) for step in steps) > _MOST_EXECUTED:
        raise _NoTree
    region = _Region(steps)
    region.execute()
    return region if region.is_tree else None


def _arrays(statement: KernelStatement) -> list[KernelArray]:
    return [statement.target.array, *(read.array for read in statement.reads)]


def _step(statement: KernelStatement) -> _Step | None:
    """Returns a statement with its instances; None if these do not depend on the threads alone."""
    loops = [part for part in statement.date if isinstance(part, KernelLoop)]
    threads = {loop.iterator for loop in loops if loop.kind.is_of_threads}
    fixed = {*statement.space.parameters, *(loop.iterator for loop in loops)} - threads
    inner, outer = _inner(statement, threads, fixed), set[Condition]()
    names = tuple(name for name in statement.iterators if name in inner)
    domain = Domain.universe(Space((), names))
    for condition in statement.conditions:
        used = _names(condition)
        if not used and holds(condition, {}):
            continue
        if not used & inner:
            outer.add(condition)
        elif used <= inner:
            domain = domain & Domain.where(domain.space, *condition)
        else:
            return None
    if not domain.is_bounded():
        return None
    return _Step(statement, names, tuple(domain.points({})), frozenset(outer))


def _names(condition: Condition) -> set[str]:
    return {name for case in condition for constraint in case for name in constraint.affine.names}


def _inner(statement: KernelStatement, threads: set[str], fixed: set[str]) -> set[str]:
    """Returns the threads' iterators, and the existentials that depend on them."""
    inner, size = set(threads), 0
    while len(inner) > size:
        size = len(inner)
        for condition in statement.conditions:
            if (used := _names(condition)) & inner:
                inner |= used - fixed
    return inner


# --- loops ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Progression:
    """Points `first + i * step + ..`, for each i below a count."""

    first: tuple[int, ...]
    loops: tuple[tuple[int, tuple[int, ...]], ...]


def _progression(points: Sequence[tuple[int, ...]]) -> _Progression:
    """Returns the points as nested arithmetic progressions, in their order."""
    first = points[0]
    if len(points) == 1:
        return _Progression(first, ())
    step = _difference(points[1], first)
    length = next(
        (position for position in range(2, len(points)) if _difference(points[position], points[position - 1]) != step),
        len(points),
    )
    groups = [points[position : position + length] for position in range(0, len(points), length)]
    steps = [_times(step, position) for position in range(length)]
    if any([_difference(one, group[0]) for one in group] != steps for group in groups):
        raise _NoTree
    outer = _progression([group[0] for group in groups])
    return _Progression(outer.first, (*outer.loops, (length, step)))


def _difference(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _times(step: tuple[int, ...], factor: int) -> tuple[int, ...]:
    return tuple(part * factor for part in step)


@dataclass(frozen=True, slots=True)
class _Results:
    """Cells of one array that hold reductions of cells of another one: `cells` has the subscripts of the results, with
    those of their first members; `members` has those of members, from the first one on."""

    operator: str
    target: str
    source: str
    cells: _Progression
    members: _Progression


def _results(region: _Region, readers: Sequence[KernelStatement]) -> list[_Results]:
    """Returns what is left in the cells that others may read, as far as it is a reduction."""
    wanted, whole = _read_cells(region, readers)
    by_array: dict[tuple[str, str, str], list[_Cell]] = {}
    for cell in region.written:
        content = region.contents[cell]
        if content.leaves and (cell in wanted or cell[0][0] in whole):
            sources = {place[0] for place, _ in content.leaves}
            if len(sources) != 1:
                raise _NoTree
            by_array.setdefault((cell[0][0], min(sources), content.operator), []).append(cell)
    if not by_array or len({target for target, _, _ in by_array}) < len(by_array):
        raise _NoTree
    lane_results = []
    for (target, source, operator), cells in by_array.items():
        members = {cell: sorted(own for _, own in region.contents[cell].leaves or ()) for cell in sorted(cells)}
        # Lanes without a result have parts of it.
        most = max(map(len, members.values()))
        members = {cell: own for cell, own in members.items() if len(own) == most}
        shapes = {_progression([_difference(one, own[0]) for one in own]) for own in members.values()}
        if len(shapes) != 1:
            raise _NoTree
        places = _progression([(*cell[1], *own[0]) for cell, own in members.items()])
        lane_results.append(
            _Results(operator=operator or "+", target=target, source=source, cells=places, members=shapes.pop())
        )
    return lane_results


def _read_cells(region: _Region, readers: Sequence[KernelStatement]) -> tuple[set[_Cell], set[str]]:
    """Returns the cells of the arrays of a tree that statements behind it may read, and the arrays of which they may
    read any cell."""
    read_cells, whole = set[_Cell](), set[str]()
    for statement in readers:
        reads = [read for read in statement.reads if read.array.name in region.arrays]
        step = _step(replace(statement, conditions=_of_threads(statement))) if reads else None
        for read in reads:
            _, place = region.arrays[read.array.name]
            points = () if step is None else step.points
            cells = {step.cell(read, dict(zip(step.inner, point, strict=True))) for point in points if step is not None}
            if step is None or any(cell[0] != place for cell in cells):
                whole.add(read.array.name)
            read_cells |= cells
    return read_cells, whole


def _of_threads(statement: KernelStatement) -> tuple[Condition, ...]:
    """Returns the conditions on the threads alone: more instances may fulfil these."""
    loops = [part for part in statement.date if isinstance(part, KernelLoop)]
    threads = {loop.iterator for loop in loops if loop.kind.is_of_threads}
    fixed = {*statement.space.parameters, *(loop.iterator for loop in loops)} - threads
    return tuple(c for c in statement.conditions if not _names(c) & fixed)


def _loops(
    region: _Region, others: Sequence[KernelStatement], title: str, arrays: dict[str, KernelArray]
) -> list[KernelStatement]:
    """Returns the statements that leave the results of a tree in its arrays, and unknown values in their other cells.
    New arrays are added to `arrays`."""
    last = region.steps[-1].statement
    results = _results(region, [statement for statement in others if _is_behind(statement, last)])
    used = {array.name for statement in others for array in _arrays(statement)}
    writing = _Writing(region, title)
    for result in results:
        writing.reduce(result)
    for name in dict.fromkeys(place[0] for place, _ in region.written):
        if name in used:
            writing.forget(name)
    writing.store(results)
    arrays |= writing.arrays
    return writing.statements


@dataclass(slots=True)
class _Writing:
    """The statements of the first thread that do what a tree does."""

    region: _Region
    title: str
    statements: list[KernelStatement] = field(default_factory=list)
    arrays: dict[str, KernelArray] = field(default_factory=dict)
    places: "Iterator[int]" = field(default_factory=count)

    @property
    def _first(self) -> _Step:
        return self.region.steps[0]

    def _names(self) -> tuple[str, ...]:
        """Returns the iterators around the tree, and those of the threads."""
        step = self._first
        loops = {part.iterator for part in step.statement.date if isinstance(part, KernelLoop)}
        return tuple(name for name in step.statement.iterators if name not in step.inner or name in loops)

    def reduce(self, result: _Results) -> None:
        """Adds loops that compute the results in scalars."""
        of_cells, of_members = self._loops(result.cells, "cell"), self._loops(result.members, "member")
        sources, _ = self._sides(result, of_cells)
        own = self._scalar(result, of_cells)
        first = tuple(source + step for source, step in zip(sources, result.members.first, strict=True))
        member = self._at(result.source, _moved(first, of_members, result.members))
        type_ = own.array.type
        identity = identity_value(result.operator, type_)
        if identity is None:
            raise _NoTree
        self._add(own, (), identity, of_cells)
        operands = (ReadValue(0, type_), ReadValue(1, type_))
        self._add(own, (own, member), OperationValue(result.operator, operands, type_), (*of_cells, *of_members))

    def forget(self, name: str) -> None:
        """Adds loops that leave unknown values in all cells of an array."""
        array, _ = self.region.arrays[name]
        cells = [own for (at, own) in self.region.written if at[0] == name]
        box = [(min(axis), max(axis)) for axis in zip(*cells, strict=True)]
        for position, extent in enumerate(array.extents, len(array.prefix)):
            length = None if extent is None else affine(extent)
            if length is None or not length.is_constant:
                raise _NoTree
            box[position] = (min(0, box[position][0]), max(length.constant - 1, box[position][1]))
        spread = _Progression(
            tuple(low for low, _ in box),
            tuple(
                (high - low + 1, _unit(position, len(box))) for position, (low, high) in enumerate(box) if high > low
            ),
        )
        loops = self._loops(spread, "other")
        subscripts = _moved(tuple(Affine(constant=one) for one in spread.first), loops, spread)
        names = (*self._names(), *(loop.iterator for loop, _ in loops))
        unknown = KernelArray(f"{self.title}.{name}.unknown", array.type, (), array.span, prefix=names, is_stale=True)
        self.arrays[unknown.name] = unknown
        read = ArrayAccess(unknown, tuple(map(Affine.name, names)), array.span)
        self._add(self._at(name, subscripts), (read,), ReadValue(0, array.type), loops)

    def store(self, results: Sequence[_Results]) -> None:
        """Adds copies of the results to their cells."""
        for result in results:
            loops = self._loops(result.cells, "cell")
            _, targets = self._sides(result, loops)
            own = self._scalar(result, loops)
            self._add(self._at(result.target, targets), (own,), ReadValue(0, own.array.type), loops)

    def _sides(
        self, result: _Results, loops: "Sequence[tuple[KernelLoop, int]]"
    ) -> tuple[tuple[Affine, ...], tuple[Affine, ...]]:
        """Returns the subscripts of the first member of a result, and those of the result."""
        both = _moved(tuple(Affine(constant=one) for one in result.cells.first), loops, result.cells)
        size = len(self.region.arrays[result.target][1][1])
        return both[size:], both[:size]

    def _scalar(self, result: _Results, loops: "Sequence[tuple[KernelLoop, int]]") -> ArrayAccess:
        array, _ = self.region.arrays[result.target]
        names = (*self._names(), *(loop.iterator for loop, _ in loops))
        name = f"{self.title}.{result.target}"
        own = self.arrays.setdefault(name, KernelArray(name, array.type, (), array.span, prefix=names))
        return ArrayAccess(own, tuple(map(Affine.name, names)), array.span)

    def _at(self, name: str, own: Sequence[Affine]) -> ArrayAccess:
        array, (_, around) = self.region.arrays[name]
        return ArrayAccess(array, tuple(a + b for a, b in zip(around, own, strict=True)), array.span)

    def _loops(self, progression: _Progression, stem: str) -> tuple[tuple[KernelLoop, int], ...]:
        span = self._first.statement.span
        return tuple(
            (KernelLoop(f"{self.title}.{stem}.{position}", 1, LoopKind.SEQUENTIAL, span), length)
            for position, (length, _) in enumerate(progression.loops)
        )

    def _add(
        self, target: ArrayAccess, reads: tuple[ArrayAccess, ...], value: Tree,
        loops: "Sequence[tuple[KernelLoop, int]]",
    ) -> None:  # fmt: skip
        step, names = self._first, self._names()
        conditions = [c for c in step.statement.conditions if c in step.outer]
        conditions += [((equal(Affine.name(name), 0),),) for name in names if name in step.inner]
        date: list[int | KernelLoop] = [*step.statement.date, next(self.places)]
        for loop, length in loops:
            at = Affine.name(loop.iterator)
            conditions.append(((at_least(at, 0), at_least(at * -1, 1 - length)),))
            date += [loop, 0]
        iterators = (*names, *(loop.iterator for loop, _ in loops))
        domain = Domain.universe(step.statement.space.with_names(iterators))
        for condition in conditions:
            domain = domain & Domain.where(domain.space, *condition)
        self.statements.append(
            replace(
                step.statement,
                iterators=iterators,
                conditions=tuple(conditions),
                domain=domain.simplify(),
                date=tuple(date),
                target=target,
                reads=reads,
                value=value,
            )
        )


def _moved(
    first: tuple[Affine, ...], loops: "Sequence[tuple[KernelLoop, int]]", progression: _Progression
) -> tuple[Affine, ...]:
    """Returns the point of an iteration of the loops over a progression."""
    point = first
    for (loop, _), (_, step) in zip(loops, progression.loops, strict=True):
        point = tuple(one + Affine.name(loop.iterator) * part for one, part in zip(point, step, strict=True))
    return point


def _unit(position: int, size: int) -> tuple[int, ...]:
    return tuple(int(position == other) for other in range(size))
