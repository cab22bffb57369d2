"""Overlapped tiles: groups of steps are cut into tiles that compute all points they need, also those of other tiles.

With e(z) the component of the dates along which steps are counted, and p(z) the components after it, tile (g,b) keeps
the points of the box  s g <= e(z) < s (g+1),  t b <= p(z) < t (b+1)  that are read elsewhere. It computes all points of
its group from which these follow:

    V_tile[g,b,z] = E      V_kept[g,z] = the one b whose box has z: E      V[z] = the one g and b: E

where E is the right-hand side of V, whose reads are those of V_tile in the group, of V_kept in the groups before, and
of V beyond a constant number of groups. V_tile has exactly the points that are needed, up to a convex hull: the least
set that has the operands of kept points and of its own points in the group. "The one": a product, since 1 * x is x.

Source: S. Krishnamoorthy et al., Effective automatic parallelization of stencil computations (PLDI 2007)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from alphaz.analysis.depth import deep
from alphaz.analysis.facts.dependences import Dependence, dependences
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import (
    DimensionKind,
    KeptOnce,
    KindSetting,
    MemoryMap,
    PrivateMemory,
    SpaceTimeMap,
    TargetMapping,
)
from alphaz.model.expression import Access, Case, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, System, Variable
from alphaz.model.types import BOOL
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, at_least, equal, less
from alphaz.transform.engine.checked_rewrite import declared_domain, with_program, without_context
from alphaz.transform.engine.edit import fresh, replace_nodes, with_equation, with_system, with_variable
from alphaz.transform.engine.mapping_changes import with_mapping
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_equation, find_system, find_variable, names_of, refusal
from alphaz.transform.normal.simplify import in_short

_FARTHEST = 8
"""The number of groups before its own that a tile reads from the memory between groups."""


_MOST_STEPS = 1024
"""The number of steps of a tile, whose points are derived step by step."""


_MOST_PIECES = 6
"""The number of pieces of a set of points beyond which the points of a step are enlarged to a box."""


_MOST_BOXES = 4
"""How often the boxes around the points of a tile are enlarged before its points are taken as they are."""


@dataclass(frozen=True, slots=True)
class TileShape:
    """Tiles of `steps` values of a dimension of the dates below a prefix, and of `sizes` values of those after it that
    are not constant."""

    prefix: tuple[int, ...]
    dimension: int
    steps: int
    sizes: tuple[int, ...]

    @property
    def position(self) -> int:
        """Returns the dimension of the steps, counted from 0."""
        return len(self.prefix) + self.dimension


def overlap(design: Design, system: str, variables: Sequence[str], shape: TileShape, span: Span = NOWHERE) -> Design:
    """Compute variables in overlapped tiles.

    *Rewrites*: each variable V into `V_tile`, the values of a tile; `V_kept`, those that tiles of later groups read;
    and V, those that others read. The dates of all variables get dimensions for the group and for the tile before that
    of the steps; dimensions of tiles are parallel, and `V_tile` has private memory.

    *Checks*: the variables have equations and dates of their points below the prefix, which others do not have; the
    dates have as many dimensions after that of the steps as there are sizes; a tile needs a bounded number of
    points."""
    home = find_system(design.program, system, span)
    if shape.steps > _MOST_STEPS:
        message = f"a tile has {shape.steps:,} steps, and at most {_MOST_STEPS:,} are supported"
        raise refusal(message, span, help="choose fewer steps")
    with deep():
        tiles = _Tiles.of(design, home, tuple(variables), shape, span)
        changed = tiles.rewritten()
        program = with_system(design.program, system, changed)
        mapping = tiles.mapping(design.mapping(system))
        new_design = with_program(design, program, with_mapping(design.mappings, system, mapping))
        return in_short(new_design, system, tiles.equations)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A variable of the tiles. `steps` and `places` are the components of its dates that are cut."""

    variable: Variable
    equation: Equation
    date: AffineFunction
    steps: Affine
    places: tuple[Affine, ...]

    @property
    def name(self) -> str:
        return self.variable.name

    @property
    def names(self) -> tuple[str, ...]:
        return self.equation.indices

    @property
    def domain(self) -> Domain:
        return self.variable.domain.renamed(self.names)

    def steps_of(self, point: Sequence[Affine]) -> Affine:
        return self.steps.substitute(dict(zip(self.names, point, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """The points of a part: those that tiles compute for themselves, over the tile and the indices; those kept for
    later groups, over the group and the indices; and those that others read."""

    tile: Domain
    flow: Domain
    out: Domain


@dataclass(frozen=True, slots=True, eq=False)
class _Tiles:
    """Overlapped tiles of some variables of a system. `group` and `tiles` are the names of their numbers, `names` those
    of new variables."""

    home: System
    parts: Mapping[str, _Part]
    shape: TileShape
    span: Span
    group: str
    tiles: tuple[str, ...]
    names: Mapping[str, tuple[str, str]]
    inner: tuple[Dependence, ...]
    outer: tuple[Dependence, ...]
    points: Mapping[str, _Points] = field(default_factory=dict)
    groups_back: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(design: Design, home: System, variables: tuple[str, ...], shape: TileShape, span: Span) -> "_Tiles":
        parts = _parts(design, home, variables, shape, span)
        reads = dependences(home, design.checked.facts)
        produced = [d for d in reads if d.producer in parts]
        used_names = {*home.parameters, *names_of(design.program, home)}
        used_names |= {name for d in reads for name in d.domain.space.names}
        used_names |= {name for part in parts.values() for name in (*part.names, *part.variable.domain.space.names)}
        group, *tiles = _fresh_names(("g", *(f"b{position}" for position in range(len(shape.sizes)))), used_names)
        new = {name: _fresh_names((f"{name}_tile", f"{name}_kept"), used_names) for name in variables}
        start = _Tiles(
            home=home,
            parts=parts,
            shape=shape,
            span=span,
            group=group,
            tiles=tuple(tiles),
            names={name: (tile, kept) for name, (tile, kept) in new.items()},
            inner=tuple(d for d in produced if d.consumer in parts),
            outer=tuple(d for d in produced if d.consumer not in parts),
        )
        start = replace(start, groups_back={name: start._groups_back(name) for name in parts})
        kept = {name: start._kept(part) for name, part in parts.items()}
        tile = start._needed({name: start._keeping(parts[name], points) for name, points in kept.items()})
        points = {name: replace(kept[name], tile=tile[name]) for name in parts}
        return replace(start, points=points)

    # --- sets ---------------------------------------------------------------------------------------------------

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.group, *self.tiles)

    def _in_group(self, steps: Affine, group: Affine) -> tuple[Constraint, ...]:
        offset = steps - group * self.shape.steps
        return at_least(offset, 0), at_least(Affine(constant=self.shape.steps - 1), offset)

    def _in_box(self, part: _Part) -> Iterator[Constraint]:
        for place, size, tile in zip(part.places, self.shape.sizes, self.tiles, strict=True):
            offset = place - Affine.name(tile) * size
            yield at_least(offset, 0)
            yield at_least(Affine(constant=size - 1), offset)

    def _is_empty(self, domain: Domain) -> bool:
        return domain.in_context(self.home.context).is_empty()

    def _values(self, domain: Domain, value: Affine) -> tuple[int | None, int | None]:
        """Returns the least and the greatest value of an expression on a set that has points."""
        there = domain.in_context(self.home.context).image(AffineFunction(domain.space, (value,)), ("value",))
        return there.least("value"), there.greatest("value")

    def _between_groups(self, read: Dependence) -> tuple[Domain, Affine]:
        """Returns the points of a read with the group of the value, and how many groups later its reader is."""
        later = f"{self.group}'"
        space = read.domain.space.with_names((self.group, later, *read.domain.space.names))
        value = self.parts[read.producer].steps_of(read.function.outputs)
        reader = self.parts[read.consumer].steps_of(read.projection.outputs)
        own, other = Affine.name(self.group), Affine.name(later)
        groups = Domain.where(space, [*self._in_group(value, own), *self._in_group(reader, other)])
        return read.domain.embedded(space) & groups, other - own

    def _groups_back(self, name: str) -> int:
        """Returns the number of groups for which values of a variable are kept."""
        back = 0
        for read in (d for d in self.inner if d.producer == name):
            points, distance = self._between_groups(read)
            if not self._is_empty(points):
                _, most = self._values(points, distance)
                back = max(back, most if most is not None and most <= _FARTHEST else 0)
        return back

    def _kept(self, part: _Part) -> _Points:
        space = part.domain.space
        out = part.domain if part.variable.kind is Kind.OUTPUT else Domain.empty(space)
        for read in (d for d in self.outer if d.producer == part.name):
            out |= read.domain.image(read.function, part.names)
        flow = Domain.empty(space.with_names((self.group, *part.names)))
        for read in (d for d in self.inner if d.producer == part.name):
            points, distance = self._between_groups(read)
            here = AffineFunction(points.space, (Affine.name(self.group), *read.function.outputs))
            back = self.groups_back[part.name]
            near = Domain.where(points.space, [at_least(distance, 1), at_least(Affine(constant=back), distance)])
            flow |= (points & near).image(here, flow.space.names)
            far = Domain.where(points.space, [at_least(distance, back + 1)], [at_least(-distance, 1)])
            out |= (points & far).image(here, flow.space.names).onto(part.names)
        tile = Domain.empty(space.with_names((*self.numbers, *part.names)))
        return _Points(tile, flow.simplify(), out.simplify())

    def _keeping(self, part: _Part, points: _Points) -> Domain:
        """Returns the instances whose values are kept."""
        space = part.domain.space.with_names((*self.numbers, *part.names))
        group = Domain.where(space, [*self._in_group(part.steps, Affine.name(self.group)), *self._in_box(part)])
        return group & (points.flow.embedded(space) | points.out.embedded(space))

    def _needed(self, kept: Mapping[str, Domain]) -> dict[str, Domain]:
        """Returns the instances in the group of a tile from which those that it keeps follow. Raises Rejected."""
        needed = self._closure(kept, _MOST_PIECES) or self._closure(kept)
        if needed is not None:
            return self._around(kept, needed)
        raise refusal(
            f"a tile would need more and more points of {', '.join(map('`{}`'.format, sorted(kept)))} in one step",
            self.span,
            notes=("values of a step that depend on each other have no bounded halo",),
            help="skew the dates and use setTiling with wavefronts instead",
        )

    def _closure(self, kept: Mapping[str, Domain], most_pieces: int | None = None) -> dict[str, Domain] | None:
        """Returns instances that have the operands of kept ones and of their own; None where a bounded number of rounds
        finds none.

        They are the least ones, except that sets of more than `most_pieces` pieces are enlarged to a box in each step:
        the time for exact sets grows with the power of the number of steps."""
        needed = {name: Domain.empty(domain.space) for name, domain in kept.items()}
        waiting = dict(kept)
        for _ in range(self.shape.steps * len(kept) + 2):
            operands = {name: self._in_steps(kept, self._operands(name, waiting), name, most_pieces) for name in kept}
            waiting = {name: new for name, new in operands.items() if not new.is_subset(needed[name])}
            if not waiting:
                return needed
            more = {name: (needed[name] | new).simplify() for name, new in waiting.items()}
            needed |= {name: self._in_steps(kept, new, name, most_pieces) for name, new in more.items()}
        return None

    def _in_steps(self, kept: Mapping[str, Domain], instances: Domain, name: str, most_pieces: int | None) -> Domain:
        """Returns a box around the instances of a part in each step of a group, where they have too many pieces."""
        if most_pieces is None or instances.piece_count <= most_pieces:
            return instances
        part, boxes = self.parts[name], Domain.empty(instances.space)
        offset = part.steps - Affine.name(self.group) * self.shape.steps
        for step in range(self.shape.steps):
            here = instances & Domain.where(instances.space, [equal(offset, step)])
            boxes |= self._box(part, kept[name], here)
        return boxes.simplify()

    def _operands(self, name: str, instances: Mapping[str, Domain]) -> Domain:
        part = self.parts[name]
        operands = Domain.empty(part.domain.space.with_names((*self.numbers, *part.names)))
        numbers = tuple(map(Affine.name, self.numbers))
        for read in self.inner:
            if read.producer != name or read.consumer not in instances:
                continue
            space = read.domain.space.with_names((*self.numbers, *read.domain.space.names))
            readers = instances[read.consumer].preimage(AffineFunction(space, (*numbers, *read.projection.outputs)))
            in_group = self._in_group(part.steps_of(read.function.outputs), numbers[0])
            points = readers & read.domain.embedded(space) & Domain.where(space, in_group)
            operands |= points.image(AffineFunction(space, (*numbers, *read.function.outputs)), operands.space.names)
        return operands.in_context(self.home.context).simplify()

    def _around(self, kept: Mapping[str, Domain], needed: dict[str, Domain]) -> dict[str, Domain]:
        """Returns all points of boxes around these, which need fewer tests, if tiles can compute all of them."""
        whole = needed
        for _ in range(_MOST_BOXES):
            whole = {name: self._box(part, kept[name], whole[name]) for name, part in self.parts.items()}
            operands = {n: self._operands(n, {m: whole[m] | kept[m] for m in kept}) for n in kept}
            if all(domain.is_subset(whole[name]) for name, domain in operands.items()):
                return whole
            whole = {name: whole[name] | domain for name, domain in operands.items()}
        return needed

    def _box(self, part: _Part, kept: Domain, instances: Domain) -> Domain:
        """Returns the points of the part whose distances from the box of a tile are those of some instances, with
        bounds that are linear in the steps of the group."""
        if self._is_empty(instances):
            return instances
        space, offset = instances.space, part.steps - Affine.name(self.group) * self.shape.steps
        steps = instances.onto([name for name in space.names if name in {self.group, *part.steps.names}]).hull()
        tiles = (kept | instances).onto(self.numbers).hull()
        box = part.domain.in_context(self.home.context).embedded(space) & steps.embedded(space) & tiles.embedded(space)
        sides = []
        for tile, place, size in zip(self.tiles, part.places, self.shape.sizes, strict=True):
            distance = place - Affine.name(tile) * size
            pairs = instances.image(AffineFunction(space, (offset, distance)), ("step", "distance"))
            for sign in (1, -1):
                line = _line_below(pairs, self.shape.steps, sign)
                if line is not None:
                    sides.append(at_least(distance * sign, offset * line[0] + line[1]))
        return (box & Domain.where(space, sides)).simplify()

    # --- the program --------------------------------------------------------------------------------------------

    def rewritten(self) -> System:
        """Returns the system with the variables of the tiles."""
        system = self.home
        for part in self.parts.values():
            new = [*self._of_part(part)]
            system = with_variable(system, system.variable(part.name), *(variable for variable, _ in new))
            system = with_equation(system, part.equation, *(equation for _, equation in new))
        return system

    @property
    def equations(self) -> list[str]:
        """Returns the names of the variables of the tiles."""
        return [variable.name for part in self.parts.values() for variable, _ in self._of_part(part)]

    def _of_part(self, part: _Part) -> Iterator[tuple[Variable, Equation]]:
        points, (tile, kept) = self.points[part.name], self.names[part.name]
        if not self._is_empty(points.tile):
            indices = (*self.numbers, *part.names)
            local = replace(part.variable, name=tile, kind=Kind.LOCAL, domain=declared_domain(points.tile, self.home))
            expression = self._expression(part, points.tile)
            yield local, replace(part.equation, variable=tile, indices=indices, expression=expression)
        if not self._is_empty(points.flow):
            local = replace(part.variable, name=kept, kind=Kind.LOCAL, domain=declared_domain(points.flow, self.home))
            yield local, self._selected(part, kept, points.flow, self.tiles)
        if part.variable.kind is Kind.OUTPUT or not self._is_empty(points.out):
            is_output = part.variable.kind is Kind.OUTPUT
            out = part.variable if is_output else replace(part.variable, domain=declared_domain(points.out, self.home))
            yield out, self._selected(part, part.name, points.out, self.numbers)

    def _selected(self, part: _Part, name: str, points: Domain, numbers: tuple[str, ...]) -> Equation:
        """Returns the equation of the values of the one tile that has them in its box."""
        indices = points.space.names
        space = self.home.space((*indices, *numbers))
        one = Domain.where(space, [*self._in_group(part.steps, Affine.name(self.group)), *self._in_box(part)])
        body = Restrict(one, self._expression(part, one & points.embedded(space)), span=part.equation.span)
        projection = AffineFunction(space, tuple(map(Affine.name, indices)))
        operator = "and" if part.variable.type == BOOL else "*"
        selected = Reduce(operator, projection, body, span=part.equation.span)
        return replace(part.equation, variable=name, indices=indices, expression=selected)

    def _expression(self, part: _Part, points: Domain) -> Expression:
        """Returns the right-hand side of the part at these points, which begin with or end with numbers of tiles."""
        space = points.space
        own = AffineFunction(space, tuple(map(Affine.name, part.names)))

        def within(some: Domain) -> Expression:
            def change(node: Expression) -> Expression | None:
                is_part = isinstance(node, Access) and node.variable in self.parts
                return self._read(node, some) if isinstance(node, Access) and is_part else None

            return replace_nodes(push_function(part.equation.expression, own, part.names), change)

        offset = part.steps - Affine.name(self.group) * self.shape.steps
        limits = pairwise([0, *self._distances(part), self.shape.steps])
        groups = (
            points & Domain.where(space, [at_least(offset, low), less(offset, Affine(constant=end))])
            for low, end in limits
        )
        some_steps = [some for some in groups if not self._is_empty(some)]
        if len(some_steps) == 1:
            return within(some_steps[0])
        branches = (
            Restrict(without_context(some, self.home).gist(points), within(some), span=part.equation.span)
            for some in some_steps
        )
        return Case(tuple(branches), span=part.equation.span)

    def _distances(self, part: _Part) -> list[int]:
        """Returns the constant numbers of steps after which values are read inside of a group: operations of the first
        steps read all of their operands from earlier groups."""
        reads = (read for read in self.inner if read.consumer == part.name)
        found = {
            part.steps_of(read.projection.outputs) - self.parts[read.producer].steps_of(read.function.outputs)
            for read in reads
        }
        return sorted(d.constant for d in found if d.is_constant and 0 < d.constant < self.shape.steps)

    def _read(self, node: Access, instances: Domain) -> Expression:
        """Returns the value of the tile, of an earlier group, or of the variable itself, for some instances."""
        space, part, points = node.function.domain, self.parts[node.variable], self.points[node.variable]
        if not {*self.numbers} <= {*space.names}:
            raise refusal(
                f"`{part.name}` is read in a reduction whose projection changes its indices",
                node.span,
                help="NormalizeReduction makes this reduction a variable of its own",
            )
        tile, kept = self.names[part.name]
        steps, group = part.steps_of(node.function.outputs), Affine.name(self.group)
        back = 0 if self._is_empty(points.flow) else self.groups_back[part.name]
        branches: list[Restrict] = []

        def add(variable: str, outputs: Sequence[Affine], *where: Sequence[Constraint]) -> None:
            value, there = (
                Access(variable, AffineFunction(space, tuple(outputs)), span=node.span),
                Domain.where(space, *where),
            )
            if not self._is_empty(instances.embedded(space) & there):
                branches.append(Restrict(there, value, span=node.span))

        if not self._is_empty(points.tile):
            add(tile, (*map(Affine.name, self.numbers), *node.function.outputs), self._in_group(steps, group))
        for distance in range(1, back + 1):
            earlier = group - distance
            add(kept, (earlier, *node.function.outputs), self._in_group(steps, earlier))
        if not self._is_empty(points.out):
            first, end = (group - back) * self.shape.steps, (group + 1) * self.shape.steps
            add(part.name, node.function.outputs, [less(steps, first)], [at_least(steps, end)])
        if len(branches) == 1:
            return branches[0].body
        return Case(tuple(branches), span=node.span)

    # --- the mapping --------------------------------------------------------------------------------------------

    def mapping(self, mapping: TargetMapping) -> TargetMapping:
        """Returns the mapping with the dates, kinds and cells of the tiles."""
        left = {name for name in self.parts if name in self.equations}
        dates = [new for entry in mapping.space_time for new in self._dates(entry)]
        memory = [entry for entry in mapping.memory if entry.variable not in self.parts or entry.variable in left]
        numbers = range(self.shape.dimension + 1, self.shape.dimension + 1 + len(self.tiles))
        parallel = KindSetting(None, self.shape.prefix, tuple(numbers), DimensionKind.PARALLEL, span=self.span)
        new_names = {*self.equations}
        kept = [KeptOnce(kept, span=self.span) for _, kept in self.names.values() if kept in new_names]
        kept += [KeptOnce(name, span=self.span) for name in self.parts if name in left]
        depth = self.shape.position + 1 + len(self.tiles)
        private = [PrivateMemory(tile, depth, span=self.span) for tile, _ in self.names.values() if tile in new_names]
        memory += [entry for part in self.parts.values() for entry in self._cells(part) if entry.variable in new_names]
        return replace(
            mapping,
            space_time=tuple(entry for entry in dates if entry.variable not in self._gone(new_names)),
            kinds=(*mapping.kinds, parallel),
            memory=tuple(memory),
            private=(*mapping.private, *private),
            kept=(*mapping.kept, *kept),
        )

    def _gone(self, new_names: set[str]) -> set[str]:
        every = {*self.parts, *(name for names in self.names.values() for name in names)}
        return every - new_names

    def _dates(self, entry: SpaceTimeMap) -> Iterator[SpaceTimeMap]:
        if entry.variable not in self.parts:
            init = entry.init and self._inserted(entry.init, entry.init.domain, ())
            yield replace(entry, function=self._inserted(entry.function, entry.function.domain, ()), init=init)
            return
        part, (tile, kept) = self.parts[entry.variable], self.names[entry.variable]
        for name, names in (
            (tile, (*self.numbers, *part.names)),
            (kept, (self.group, *part.names, *self.tiles)),
            (part.name, (*part.names, *self.numbers)),
        ):
            function = self._inserted(part.date, self.home.space(names), tuple(map(Affine.name, self.numbers)))
            yield replace(entry, variable=name, function=function)

    def _inserted(self, date: AffineFunction, space: Space, numbers: tuple[Affine, ...]) -> AffineFunction:
        """Returns the dates with these numbers, or zeros, before the dimension of the steps."""
        index = self.shape.position
        more = numbers or (Affine(),) * len(self.numbers)
        return AffineFunction(space, (*date.outputs[:index], *more, *date.outputs[index:]))

    def _cells(self, part: _Part) -> Iterator[MemoryMap]:
        """Yields the memory maps of the values of a tile, and of those between groups."""
        points, (tile, kept) = self.points[part.name], self.names[part.name]
        if not self._is_empty(points.tile):
            shifted = zip(part.places, self.tiles, self.shape.sizes, strict=True)
            places = (place - Affine.name(number) * size for place, number, size in shifted)
            space = self.home.space((*self.numbers, *part.names))
            yield _memory(
                tile, space, ((part.steps, self._lifetime(part)), *((place, 0) for place in places)), self.span
            )
        if not self._is_empty(points.flow):
            group = Affine.name(self.group)
            low, high = self._values(points.flow, part.steps - group * self.shape.steps)
            assert low is not None
            assert high is not None
            cells = ((group, self.groups_back[part.name] + 1), (part.steps, high - low + 1))
            space = self.home.space((self.group, *part.names))
            yield _memory(kept, space, (*cells, *((place, 0) for place in part.places)), self.span)

    def _lifetime(self, part: _Part) -> int:
        """Returns the number of steps whose values of a part are in use at a time."""
        longest = 0
        for read in (d for d in self.inner if d.producer == part.name):
            points, distance = self._between_groups(read)
            near = points & Domain.where(points.space, [at_least(-distance, 0), at_least(distance, 0)])
            if not self._is_empty(near):
                reader = self.parts[read.consumer].steps_of(read.projection.outputs)
                _, most = self._values(near, reader - part.steps_of(read.function.outputs))
                longest = max(longest, most or 0)
        return longest + 1


def _memory(name: str, space: Space, components: Sequence[tuple[Affine, int]], span: Span) -> MemoryMap:
    """Returns the memory map with these components and factors, without those that are always 0."""
    used = [(value, factor) for value, factor in components if factor != 1]
    function = AffineFunction(space, tuple(value for value, _ in used))
    return MemoryMap(name, name, function, tuple(factor for _, factor in used), span=span)


def _line_below(pairs: Domain, steps: int, sign: int) -> tuple[int, int] | None:
    """Returns the slope and the value at 0 of a line that is below the distances (times `sign`) of all steps."""
    least: dict[int, int] = {}
    for step in range(steps):
        here = pairs & Domain.where(pairs.space, [equal(Affine.name("step"), step)])
        value = here.least("distance") if sign > 0 else here.greatest("distance")
        if value is not None:
            least[step] = sign * value
        elif not here.is_empty():
            return None
    first, last = min(least), max(least)
    slope = (least[last] - least[first]) // max(1, last - first)
    return slope, min(value - slope * step for step, value in least.items())


def _fresh_names(stems: Sequence[str], used_names: set[str]) -> tuple[str, ...]:
    """Returns new names, which are used from now on."""
    names: list[str] = []
    for stem in stems:
        names.append(fresh(stem, used_names))
        used_names.add(names[-1])
    return tuple(names)


# --- checks ----------------------------------------------------------------------------------------------------------


def _parts(design: Design, home: System, variables: Sequence[str], shape: TileShape, span: Span) -> dict[str, _Part]:
    """Returns the variables with their dates. Raises Rejected where they do not fit the tiles."""
    mapping = design.mapping(home.name)
    _require_alone(home, mapping, variables, shape, span)
    dates: dict[str, AffineFunction] = {}
    for name in variables:
        variable, equation = find_variable(home, name, span), find_equation(home, name, span)
        entry = mapping.space_time_of(name)
        if entry is None or len(entry.function.domain.names) != len(equation.indices):
            raise refusal(
                f"the points of `{name}` have no dates", span, secondary=(Label(variable.span, "declared here"),),
                help=f"give `{name}` a space-time map of its points first",
            )  # fmt: skip
        dates[name] = entry.function.renamed(equation.indices)
        if not _is_below(dates[name], shape.prefix) or shape.position >= len(dates[name].outputs):
            raise refusal(
                f"the dates of `{name}` have no dimension {shape.dimension} below the given ordering dimensions",
                span,
                secondary=(Label(entry.span, "mapped here"),),
                help="name the constants of the leading dimensions, then the dimension of the steps, counted from 0",
            )
    return _cut(home, dates, shape, span)


def _cut(home: System, dates: Mapping[str, AffineFunction], shape: TileShape, span: Span) -> dict[str, _Part]:
    later = {name: date.outputs[shape.position + 1 :] for name, date in dates.items()}
    length = max(map(len, later.values()))
    cut = [index for index in range(length) if not all(outputs[index].is_constant for outputs in later.values())]
    if len(cut) != len(shape.sizes):
        numbers = ", ".join(str(at + shape.dimension + 1) for at in cut)
        raise refusal(
            f"{len(shape.sizes)} tile sizes are given for {len(cut)} dimensions after that of the steps",
            span,
            help=f"write one size for each of the dimensions {numbers}" if cut else "choose another dimension",
        )
    return {
        name: _Part(
            variable=home.variable(name),
            equation=find_equation(home, name, span),
            date=date,
            steps=date.outputs[shape.position],
            places=tuple(later[name][at] for at in cut),
        )
        for name, date in dates.items()
    }


def _require_alone(
    home: System, mapping: TargetMapping, variables: Sequence[str], shape: TileShape, span: Span
) -> None:
    """Raises Rejected where other statements have dates among those of the tiles, or the mapping has more than dates
    and cells."""
    if home.loop is not None:
        raise refusal(f"{home.name} has a loop", span, help="only systems without a loop have overlapped tiles")
    for entry in mapping.space_time:
        if entry.variable not in variables and _is_below(entry.function, shape.prefix):
            raise refusal(
                f"`{entry.variable}` has dates in the nest of the tiles, and is not among their variables",
                entry.span,
                secondary=(Label(span, "the tiles"),),
                help="name it too, or put an ordering dimension before all dates that keeps it apart",
            )
    others = [
        *(kind for kind in mapping.kinds if kind.kind is not DimensionKind.ORDERING),
        *(order for order in mapping.ordering if {order.before, order.after} & {*variables}),
        *mapping.tiling, *mapping.registers, *mapping.packing, *mapping.launches, *mapping.distribution,
        *mapping.argument_dates, *mapping.formats, *mapping.private, *mapping.ghosts,
    ]  # fmt: skip
    if others:
        raise refusal(
            "the dates get dimensions for the tiles, and this command counts them without",
            others[0].span,
            secondary=(Label(span, "the tiles"),),
            help="write it after setOverlap; order statements by a constant dimension of their dates",
        )


def _is_below(date: AffineFunction, prefix: Sequence[int]) -> bool:
    leading = zip(date.outputs, prefix, strict=False)
    return len(date.outputs) >= len(prefix) and all(o.is_constant and o.constant == p for o, p in leading)
