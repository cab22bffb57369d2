"""The pass that keeps the accumulators of triangles in register tiles in vectors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.codegen.scheduled.statements.independence import IndependenceOracle
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.legality.loops.independence import Iterations, finished, independence
from alphaz.loops.modes import SEQUENTIAL
from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.tree import Conditional, For, Instance, Merge, Node, inside, with_inside
from alphaz.loops.triangles import Triangle, triangle_of, with_constant_steps, with_rows
from alphaz.poly import Affine, Domain, at_least, equal, fresh_names, less
from alphaz.poly.plain.affine import Constraint
from alphaz.poly.plain.integer_expression import IntegerName, IntegerOperation, as_affine, names_in

# Larger triangles would need too many registers, and too much text once they are unrolled.
_MOST_COLUMNS, _MOST_ROWS = 32, 16


@dataclass(frozen=True, slots=True)
class Triangles:
    """Keeps the accumulators of a triangle in a register tile in local variables (`For.kept`), in vectors along its
    columns, where the operations of step k finish column k and accumulate in the columns after it. Rows are computed
    one after the other, as their independence is proved; instances stay. Where the loop is not over all columns of its
    tile, it is the same as before. Source: Goto, van de Geijn, High-performance implementation of the level-3 BLAS,
    TOMS 2008.

    `adds` returns True if an accumulation may begin from zero, `fits` if a loop can be written in this way.
    """

    context: Domain
    actions: Mapping[str, StatementTemplate]
    effects: IndependenceOracle
    adds: Callable[[StatementTemplate], bool]
    fits: Callable[[For], bool]
    name: ClassVar[str] = "triangles"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, LoopPlace(self.context))

    def _marked(self, tree: Node, place: LoopPlace) -> Node:
        if isinstance(tree, Merge):
            return tree
        pairs = zip(inside(tree), place.inside(tree), strict=True)
        node = with_inside(tree, [self._marked(child, here) for child, here in pairs])
        if not isinstance(node, For) or node.mode != SEQUENTIAL or node.kept or node.split is not None:
            return node
        joint = with_rows(node)
        constant = None if joint is None else with_constant_steps(joint)
        if constant is None:
            return node
        tests, loop = constant
        triangle = triangle_of(loop)
        if triangle is None or not self._is_small(triangle):
            return node
        done = replace(loop, kept=(triangle.update.name,))
        # In a tile on the diagonal, a finished value may be an operand of a later column.
        apart = IntegerOperation("<=", (triangle.columns.bound, triangle.rows.first))
        for test in (IntegerOperation("and", tests), IntegerOperation("and", (*tests, apart))):
            (here,) = place.inside(Conditional(test, loop))
            if self._is_proved(triangle, here):
                return self._chosen(test, done, node)
        return node

    def _chosen(self, test: IntegerOperation, done: For, otherwise: For) -> Node:
        """Returns the loop in vectors where the test holds; the given one where it has no form as vectors."""
        if not self.fits(done):
            return otherwise
        return Conditional(test, done, otherwise) if test.operands else done

    def _is_small(self, triangle: Triangle) -> bool:
        return triangle.column_count <= _MOST_COLUMNS and 1 < triangle.row_count <= _MOST_ROWS

    def _is_proved(self, triangle: Triangle, place: LoopPlace) -> bool:
        """Returns True if rows are independent, and nothing but step k accesses the accumulators of column k."""
        update = self.actions[triangle.update.name]
        if update.assigns or update.statement is None or not self.adds(update):
            return False
        calls = (*triangle.finishing, triangle.update)
        points = _TilePoints.of(triangle, place, [self.actions[call.name] for call in calls])
        rows = [self._iterations(call, points, triangle.rows) for call in calls]
        steps = [self._iterations(call, points, triangle.steps) for call in calls]
        column = points.index(update, triangle.update, triangle.columns)
        known_rows, known_steps = ([one for one in some if one is not None] for some in (rows, steps))
        if column is None or len(known_rows) < len(calls) or len(known_steps) < len(calls):
            return False
        where = f"{update.comment}, a triangle"
        *finishing, accumulating = known_steps
        if not self._is_steady(accumulating, triangle):
            return False
        asked = self.effects.asked
        return asked.all_hold(independence(f"{where}, over {triangle.rows.iterator}", known_rows)) and asked.all_hold(
            finished(where, finishing, accumulating, column)
        )

    def _is_steady(self, accumulating: Iterations, triangle: Triangle) -> bool:
        """Returns True if the accumulator of a row and a column is that of one cell in all steps."""
        call, cell = triangle.update, accumulating.effect.target.cell
        pairs = zip(self.actions[call.name].domain.space.names, call.arguments, strict=True)
        moving = {name for name, argument in pairs if triangle.steps.iterator in names_in(argument)}
        return all(moving.isdisjoint(key.value.names) for key in cell)

    def _iterations(self, call: Instance, points: "_TilePoints", loop: For) -> Iterations | None:
        """Returns the instances in the tile, by their iterations of a loop; None where these are unknown."""
        action = self.actions[call.name]
        effect, value = self.effects.of(action), points.index(action, call, loop)
        domain = points.domain(action, call, self.context)
        if effect is None or action.statement is None or action.box is not None or value is None or domain is None:
            return None
        return Iterations(statement=action.statement, effect=effect, points=domain, keys=(), at=value)


@dataclass(frozen=True, slots=True)
class _TilePoints:
    """The points of instances in one tile. `limits` are the constraints on the loops of the triangle, those in
    `columns` for instances with a column. The loops around are parameters, `around` by name.
    """

    triangle: Triangle
    limits: tuple[Constraint, ...]
    columns: tuple[Constraint, ...]
    around: Mapping[str, str]

    @staticmethod
    def of(triangle: Triangle, place: LoopPlace, actions: Sequence[StatementTemplate]) -> "_TilePoints":
        step, row, column = map(Affine.name, _iterators(triangle))
        limits = [at_least(step, triangle.first), less(step, triangle.first + triangle.step_count)]
        limits += [at_least(row, triangle.first_row), less(row, triangle.first_row + triangle.row_count)]
        limits += _known(triangle, place)
        columns = (less(step, column), less(column, triangle.first + triangle.column_count))
        parameters = actions[0].domain.space.parameters
        calls = (*triangle.finishing, triangle.update)
        named = {name for constraint in limits for name in constraint.affine.names}
        named |= {name for call in calls for argument in call.arguments for name in names_in(argument)}
        outer = sorted(named - {*_iterators(triangle), *parameters})
        taken = {*parameters, *(name for action in actions for name in action.domain.space.names)}
        return _TilePoints(
            triangle=triangle,
            limits=tuple(limits),
            columns=columns,
            around=dict(zip(outer, fresh_names(len(outer), "o", taken), strict=True)),
        )

    def domain(self, action: StatementTemplate, call: Instance, context: Domain) -> Domain | None:
        """Returns the points of an instance; None where they are not those of loops."""
        arguments = [as_affine(argument) for argument in call.arguments]
        known = [argument for argument in arguments if argument is not None]
        indices = {loop: index for loop in _iterators(self.triangle) if (index := _index(action, call, loop))}
        if len(known) < len(arguments) or len(indices) < (3 if call is self.triangle.update else 2):
            return None
        names = {**self.around, **indices}
        limits = (*self.limits, *(self.columns if call is self.triangle.update else ()))
        constraints = [replace(limit, affine=limit.affine.rename(names)) for limit in limits]
        constraints += [
            equal(Affine.name(name), argument.rename(names))
            for name, argument in zip(action.domain.space.names, known, strict=True)
        ]
        domain = action.domain.in_context(context).with_parameters(tuple(self.around.values()))
        return domain & Domain.where(domain.space, constraints)

    def index(self, action: StatementTemplate, call: Instance, loop: For) -> Affine | None:
        """Returns the index of an instance that is the iterator of a loop."""
        name = _index(action, call, loop.iterator)
        return None if name is None else Affine.name(name)


def _index(action: StatementTemplate, call: Instance, iterator: str) -> str | None:
    pairs = zip(action.domain.space.names, call.arguments, strict=True)
    return next((name for name, argument in pairs if argument == IntegerName(iterator)), None)


def _iterators(triangle: Triangle) -> tuple[str, str, str]:
    return triangle.steps.iterator, triangle.rows.iterator, triangle.columns.iterator


def _known(triangle: Triangle, place: LoopPlace) -> Iterator[Constraint]:
    """Yields the constraints that hold at the place, between the values that bound the triangle."""
    own = {*_iterators(triangle)}
    if len({*place.names}) < len(place.names) or not own.isdisjoint(place.names):
        return
    of_tile = {*triangle.first.names, *triangle.first_row.names, *place.context.space.parameters}
    for condition in place.conditions:
        if len(condition) == 1:
            yield from (one for one in condition[0] if of_tile.issuperset(one.affine.names))
