"""Guarded reductions, and groups of iterations of an innermost loop for which they select the same branch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.analysis.facts.data_guarded_reductions import GuardedReduction, guarded_of
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.loops.tree import For, Instance, Let, Node, inside, is_innermost
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.expression import Compose, Facts, Reduce
from alphaz.model.walk import children, reads
from alphaz.poly import Affine, AffineFunction, Domain, Space, fresh_names
from alphaz.poly.plain.affine import at_least, less
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, as_affine, substitute


@dataclass(frozen=True, slots=True)
class GuardedReductions:
    """The guarded reductions of a system. Without `wanted`, every reduction visits all of its points."""

    facts: Facts
    context: Domain
    wanted: bool
    _known: dict[Reduce, GuardedReduction | None] = field(default_factory=dict, repr=False)

    def of(self, node: Reduce) -> GuardedReduction | None:
        """Returns the values that a reduction compares with, if it selects points by a comparison."""
        if not self.wanted:
            return None
        if node not in self._known:
            self._known[node] = guarded_of(node, self.facts, self.context)
        return self._known[node]


Point = tuple[Affine, ...]
GuardedOf = Callable[[Reduce], GuardedReduction | None]


@dataclass(frozen=True, slots=True)
class GroupSearch:
    """A guarded reduction in a loop: `point` has the indices of its result, over the names of the loops."""

    guarded: GuardedReduction
    names: tuple[str, ...]
    point: Point

    def results(self, domain: Domain, space: Space) -> Domain:
        """Returns the iterations whose result is in a set over the indices of results and the values."""
        return _iterations(domain, (*self.point, *map(Affine.name, self.names)), space)


@dataclass(frozen=True, slots=True)
class IterationGroup:
    """Iterations of the loop; for each guarded reduction, whether a point is selected, and whether
    others contribute.
    """

    iterations: Domain
    answers: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """A reduction that selects in a loop, of an action there: `point` has the indices of its result, if affine."""

    action: StatementTemplate
    guarded: GuardedReduction
    point: Point | None


def selections_in(loop: For, actions: Mapping[str, StatementTemplate], guarded_of: GuardedOf) -> list[Selection]:
    """Returns the selections of the statements of a loop."""
    called = _called_templates(loop, actions)
    return [
        Selection(action, reduction, point)
        for action, point in called
        for reduction in _guarded_reductions(action, guarded_of)
    ]


def can_be_split(
    loop: For, selections: Sequence[Selection], actions: Mapping[str, StatementTemplate], mapping: ResolvedMapping
) -> bool:
    """Returns True if it is a sequential innermost loop in which none of the compared values changes."""
    if not is_innermost(loop) or loop.is_parallel or loop.step != IntegerConstant(1):
        return False
    inside_loop = [action for action, _ in _called_templates(loop, actions)]
    return all(_is_steady(loop, selection.point, selection.guarded, inside_loop, mapping) for selection in selections)


def groups_of(
    loop: For,
    actions: Mapping[str, StatementTemplate],
    context: Domain,
    found: Sequence[GroupSearch],
    first: Affine,
    end: Affine,
    never: Callable[[Domain], bool],
) -> tuple[list[IterationGroup], Domain]:
    """Returns the groups, and the constraints that hold in the loop. `first` and `end` are its limits. `never` proves
    that a set of iterations is empty.
    """
    called = _called_templates(loop, actions)
    parameters, points = context.space.parameters, [point for _, point in called if point is not None]
    loops = {name for values in (*points, (first, end)) for value in values for name in value.names}
    more = (*sorted(loops - {loop.iterator, *parameters}), *(name for selection in found for name in selection.names))
    space, own = Space((*parameters, *more), (loop.iterator,)), Affine.name(loop.iterator)
    last = less(own, end) if loop.comparison == "<" else at_least(end, own)
    iterations = Domain.where(space, [at_least(own, first), last])
    around = iterations
    for action, point in called:
        around &= iterations if point is None else _iterations(action.domain.in_context(context), point, space)
    return _groups(iterations, around, found, never), around.parameters()


def _called_templates(
    loop: For, actions: Mapping[str, StatementTemplate]
) -> list[tuple[StatementTemplate, Point | None]]:
    return [(actions[name], point) for name, point in _calls(loop.body, {})]


def _calls(node: Node, values: Mapping[str, Integer]) -> Iterator[tuple[str, tuple[Affine, ...] | None]]:
    """Yields the statements inside with their points, where these are affine."""
    match node:
        case Let(iterator, _, value, body):
            yield from _calls(body, {**values, iterator: substitute(value, values)})
        case Instance(name, arguments):
            point = [as_affine(substitute(argument, values)) for argument in arguments]
            known = tuple(value for value in point if value is not None)
            yield name, known if len(known) == len(point) else None
        case _:
            for child in inside(node):
                yield from _calls(child, values)


def _guarded_reductions(action: StatementTemplate, guarded_of: GuardedOf) -> Iterator[GuardedReduction]:
    """Yields the reductions whose results have the indices of the statement."""
    waiting = [] if action.expression is None else [action.expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Reduce) and (guarded := guarded_of(node)) is not None:
            yield guarded
        elif not isinstance(node, Reduce | Compose):
            waiting.extend(children(node))


def _is_steady(
    loop: For,
    point: tuple[Affine, ...] | None,
    guarded: GuardedReduction,
    actions: Sequence[StatementTemplate],
    mapping: ResolvedMapping,
) -> bool:
    """Returns True if no statement in the loop changes the values that the reduction compares with."""
    if point is None or any(point[at].coefficient(loop.iterator) for at in guarded.needed):
        return False
    if any(action.box is not None or action.expression is None or action.statement is None for action in actions):
        return False
    cells, written = mapping.cells, {action.statement.variable for action in actions if action.statement is not None}
    compared = frozenset[str]().union(*map(reads, guarded.values))
    return not {cells[name].space for name in compared} & {cells[name].space for name in written}


def _iterations(domain: Domain, point: tuple[Affine, ...], space: Space) -> Domain:
    """Returns the iterations of the loop whose point is in the domain."""
    more = space.parameters[len(domain.space.parameters) :]
    names = fresh_names(domain.space.dimensions, "z", (*space.parameters, *space.names))
    return domain.renamed(names).with_parameters(more).preimage(AffineFunction(space, point))


def _groups(
    iterations: Domain, around: Domain, found: Sequence[GroupSearch], never: Callable[[Domain], bool]
) -> list[IterationGroup]:
    groups = [IterationGroup(iterations)]
    for selection in found:
        for asked in (selection.guarded.selected, selection.guarded.others):
            holds = selection.results(asked, iterations.space).gist(around)
            parts = [
                IterationGroup(part, (*group.answers, answer))
                for group in groups
                for part, answer in ((group.iterations & holds, True), (group.iterations - holds, False))
            ]
            groups = [part for part in parts if not never(part.iterations & around)]
    return groups
