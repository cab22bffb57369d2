"""Schedules as trees of bands, plain data; and isl's scheduler, with its options as arguments.

Verdoolaege and Janssens, "Scheduling for PPCG" (2017): rows with small distances along proximity, zero ones along
coincidence if possible, none negative along validity. isl returns a schedule even if an operation depends on itself,
and it has no witness if there is no schedule: results must be verified."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.space import Space
from alphaz.poly.relation import Relation


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of the schedule of these statements."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BandNode:
    """A band. Rows, outermost first; each gives every statement a component of its date. `coincident`: for each row,
    whether dependent operations have the same value in it. `bounds`: for each row, if known, an affine upper bound
    in the parameters of all dependence distances (Pluto's u . n + w)."""

    statements: tuple[str, ...]
    rows: tuple[Mapping[str, Affine], ...]
    coincident: tuple[bool, ...]
    below: "Tree"
    bounds: tuple[Affine | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A sequence of subtrees."""

    parts: tuple["Tree", ...]

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.statements)


Tree = Leaf | BandNode | SequenceNode


def bands(tree: Tree) -> Iterator[BandNode]:
    """Yields all bands, outermost first."""
    if isinstance(tree, BandNode):
        yield tree
        yield from bands(tree.below)
    elif isinstance(tree, SequenceNode):
        for part in tree.parts:
            yield from bands(part)


class NoSchedule(Exception):
    """isl finds no schedule, or one that is not affine."""


@dataclass(frozen=True, slots=True)
class DependenceEdge:
    """For each pair of the relation: an operation of `source` comes before one of `target`."""

    source: str
    target: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class SchedulerOptions:
    """The options of isl, with its names."""

    algorithm: int = 0
    maximize_coincidence: int = 1
    outer_coincidence: int = 0
    serialize_sccs: int = 0
    whole_component: int = 0

    def items(self) -> Iterator[tuple[str, int]]:
        for name in self.__slots__:
            yield name, getattr(self, name)


ISL, FEAUTRIER = 0, 1
_NO_PARAMETERS = isl.Space.params_alloc(CONTEXT, 0)


def isl_schedule(
    domains: Mapping[str, Domain],
    validity: Iterable[DependenceEdge],
    coincidence: Iterable[DependenceEdge],
    proximity: Iterable[DependenceEdge],
    options: SchedulerOptions,
) -> Tree:
    """Returns a schedule of the operations of these domains. Raises NoSchedule, and OutOfBudget inside a budget."""
    numbers = {name: f"S{position}" for position, name in enumerate(domains)}
    points = isl.UnionSet.empty(_NO_PARAMETERS)
    for name, domain in domains.items():
        points = points.union(isl.UnionSet.from_set(domain.set.set_tuple_name(numbers[name])))
    asked = isl.ScheduleConstraints.on_domain(points)
    asked = asked.set_validity(_union(validity, numbers))
    asked = asked.set_coincidence(_union(coincidence, numbers))
    asked = asked.set_proximity(_union(proximity, numbers))
    spaces = {numbers[name]: (name, domain.space) for name, domain in domains.items()}
    with scheduler_options(options):
        try:
            root = asked.compute_schedule().get_root()
        except isl.Error as error:
            if "maximal number of operations" in str(error):
                raise
            raise NoSchedule(str(error)) from None
        return _tree(root, spaces)


@contextmanager
def scheduler_options(options: SchedulerOptions) -> Iterator[None]:
    """Sets the options, which are state of isl's context."""
    before = {name: getattr(CONTEXT, f"get_schedule_{name}")() for name, _ in options.items()}
    for name, value in options.items():
        getattr(CONTEXT, f"set_schedule_{name}")(value)
    try:
        yield
    finally:
        for name, value in before.items():
            getattr(CONTEXT, f"set_schedule_{name}")(value)


def _union(edges: Iterable[DependenceEdge], numbers: Mapping[str, str]) -> isl.UnionMap:
    union = isl.UnionMap.empty(_NO_PARAMETERS)
    for edge in edges:
        named = edge.relation.map.set_tuple_name(isl.dim_type.in_, numbers[edge.source])
        named = named.set_tuple_name(isl.dim_type.out, numbers[edge.target])
        union = union.union(isl.UnionMap.from_map(named))
    return union


Spaces = Mapping[str, tuple[str, Space]]


def _tree(node: isl.ScheduleNode, spaces: Spaces) -> Tree:
    # islpy's stubs say that the type is a number.
    kind, kinds = isl.schedule_node_type(node.get_type()), isl.schedule_node_type
    if kind == kinds.leaf:
        return Leaf(tuple(spaces[number][0] for number in _numbers(node.get_domain())))
    if kind == kinds.band:
        return _band(node, spaces)
    if kind in (kinds.sequence, kinds.set):
        return SequenceNode(tuple(_tree(node.child(position), spaces) for position in range(node.n_children())))
    return _tree(node.child(0), spaces)


def _numbers(points: isl.UnionSet) -> list[str]:
    sets = points.get_set_list()
    names = (sets.get_at(position).get_tuple_name() for position in range(sets.n_set()))
    return sorted(names, key=lambda name: int(name[1:]))


def _band(node: isl.ScheduleNode, spaces: Spaces) -> Tree:
    below = _tree(node.child(0), spaces)
    count = node.band_n_member()
    if count == 0:
        return below
    numbers = _numbers(node.get_domain())
    whole = node.band_get_partial_schedule()
    rows = tuple(_row(whole.get_at(position), numbers, spaces) for position in range(count))
    coincident = tuple(bool(node.band_member_get_coincident(position)) for position in range(count))
    return BandNode(tuple(spaces[number][0] for number in numbers), rows, coincident, below)


def _row(row: isl.UnionPwAff, numbers: list[str], spaces: Spaces) -> Mapping[str, Affine]:
    affines: dict[str, Affine] = {}
    parts = row.get_pw_aff_list()
    for position in range(parts.n_pw_aff()):
        part = parts.get_at(position)
        number = part.get_space().get_tuple_name(isl.dim_type.in_)
        if number in numbers:
            name, space = spaces[number]
            affines[name] = _affine(part, space)
    return {spaces[number][0]: affines[spaces[number][0]] for number in numbers}


def _affine(part: isl.PwAff, space: Space) -> Affine:
    pieces: list[isl.Aff] = []
    part.foreach_piece(lambda _, affine: pieces.append(affine))
    if len(pieces) != 1 or pieces[0].dim(isl.dim_type.div):
        raise NoSchedule("the schedule of isl is not affine")
    (affine,) = pieces
    terms = [
        *(
            (n, affine.get_coefficient_val(isl.dim_type.param, position))
            for position, n in enumerate(_parameters(affine, space))
        ),
        *((n, affine.get_coefficient_val(isl.dim_type.in_, position)) for position, n in enumerate(space.names)),
    ]
    constant = affine.get_constant_val()
    if not all(value.is_int() for _, value in (*terms, ("", constant))):
        raise NoSchedule("the schedule of isl has fractions")
    return Affine.of([(name, value.to_python()) for name, value in terms], constant.to_python())


def _parameters(affine: isl.Aff, space: Space) -> tuple[str, ...]:
    """The parameters of the space, in isl's order, which is that of the space."""
    if affine.dim(isl.dim_type.param) != len(space.parameters):
        raise NoSchedule("isl has changed the parameters")
    return space.parameters
