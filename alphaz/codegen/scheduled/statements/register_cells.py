"""Cells that threads of a GPU keep in registers during a loop: accumulators of several iterations at once."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.legality.loops.independence import CellAccess, Effect
from alphaz.loops.passes.launches import KeptCell
from alphaz.loops.tree import Instance
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.expression import Access
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.algorithms.bounds import guard
from alphaz.poly.algorithms.smallest import as_context
from alphaz.poly.plain.integer_expression import IntegerName, as_affine

Cell = tuple[Affine, ...]

_MAKING = (Role.INIT, Role.VALUE)
"""The roles of statements that write a cell whatever is in it."""


@dataclass(frozen=True, slots=True)
class CellSearch:
    """Finds the cell of an iteration in a nest. `effect` returns the effect of an action, None if it is unknown."""

    mapping: ResolvedMapping
    storage: Storage
    actions: Mapping[str, StatementTemplate]
    effect: Callable[[StatementTemplate, Statement], Effect | None]

    def kept(self, instances: Sequence[Instance], outside: Collection[str], points: Collection[str]) -> KeptCell | None:
        """Returns the cell of the first accumulation that has one; None if there is none. Statements with instances
        `outside` are given by their names.
        """
        bodies = (call for call in instances if self._role(call) is Role.BODY)
        cells = (self._kept_in(call, instances, outside, points) for call in bodies)
        return next((cell for cell in cells if cell is not None), None)

    def _role(self, call: Instance) -> Role | None:
        statement = self.actions[call.name].statement
        return None if statement is None else statement.role

    def _kept_in(
        self, body: Instance, instances: Sequence[Instance], outside: Collection[str], points: Collection[str]
    ) -> KeptCell | None:
        statement = self.actions[body.name].statement
        assert statement is not None
        array = self._array(statement.variable)
        if any(self._array(packed.variable) == array for packed in self.mapping.packed):
            # Buffers are filled from memory.
            return None
        there = [call for call in instances if array in map(self._array, self._variables(call))]
        accesses = [access for call in there for access in self._accesses(call, array)]
        cells = {cell for _, cell in accesses}
        if len(cells) != 1 or None in cells or not self._is_written_first(there, array, outside):
            return None
        cell = next(cell for cell in cells if cell is not None)
        if not self._is_of_points(cell, points) or any(key.modulus for access, _ in accesses for key in access.cell):
            return None
        return self._covering(there, array, cell)

    def _array(self, variable: str) -> str:
        return self.storage.places[variable].array.name

    def _variables(self, call: Instance) -> Iterator[str]:
        action = self.actions[call.name]
        if action.statement is not None:
            yield action.statement.variable
        if action.expression is not None:
            yield from (node.variable for node in walk(action.expression) if isinstance(node, Access))

    def _accesses(self, call: Instance, array: str) -> Iterator[tuple[CellAccess, Cell | None]]:
        """Yields the accesses of an instance to an array, with their cells over iterators; None for unknown cells."""
        action = self.actions[call.name]
        assert action.statement is not None
        effect = self.effect(action, action.statement)
        if effect is None:
            yield CellAccess("", (), ""), None
            return
        places = {self.mapping.cells[name].space: self._array(name) for name in self._variables(call)}
        values = dict(zip(action.domain.space.names, map(as_affine, call.arguments), strict=True))
        for access in (effect.target, *effect.reads):
            if places[access.space] == array:
                yield access, _cell(access, values)

    def _is_written_first(self, there: Sequence[Instance], array: str, outside: Collection[str]) -> bool:
        """Returns True if each value that these instances read from the array is written by one of them."""
        variables = {name for call in there for name in self._variables(call) if self._array(name) == array}
        return all(self._is_whole(name, there, outside) for name in variables)

    def _is_whole(self, variable: str, there: Sequence[Instance], outside: Collection[str]) -> bool:
        """Returns True if all values of a variable are made by these instances alone."""
        own = {name: action.statement for name, action in self.actions.items() if action.statement is not None}
        if any(statement.variable == variable and name in outside for name, statement in own.items()):
            return False
        context = self.mapping.system.context
        whole = self.mapping.system.variable(variable).domain.in_context(context)
        written = Domain.empty(whole.space)
        for call in there:
            statement = own.get(call.name)
            if statement is not None and statement.variable == variable and statement.role in _MAKING:
                domain = self.actions[call.name].domain
                target = AffineFunction(domain.space, statement.target.renamed(domain.space.names).outputs)
                written = written | domain.image(target, whole.space.names)
        return whole.is_subset(written)

    def _is_of_points(self, cell: Cell, points: Collection[str]) -> bool:
        """Returns True if each point has a cell of its own."""
        known = {*points, *self.mapping.system.parameters}
        return all(known.issuperset(value.names) for value in cell) and all(
            any(set(value.names).intersection(points) == {point} for value in cell) for point in points
        )

    def _covering(self, there: Sequence[Instance], array: str, cell: Cell) -> KeptCell | None:
        """Returns an instance that writes whatever cells these instances write."""
        writers = [call for call in there if self._written_array(call) == array]
        images = [self._image(call) for call in writers]
        every = reduce(Domain.__or__, images)
        used = {name for value in cell for name in value.names}
        # The last one: its value is mostly the one that is left.
        for call, image in reversed([*zip(writers, images, strict=True)]):
            names = [argument.name for argument in call.arguments if isinstance(argument, IntegerName)]
            is_plain = len({*names}) == len(call.arguments)
            if is_plain and used.issuperset(names) and every.is_subset(image):
                known = self.mapping.system.context.with_parameters(names)
                return KeptCell(call, guard(as_context(self.actions[call.name].domain, names), known))
        return None

    def _written_array(self, call: Instance) -> str:
        statement = self.actions[call.name].statement
        assert statement is not None
        return self._array(statement.variable)

    def _image(self, call: Instance) -> Domain:
        """Returns the cells that the instances of a statement write."""
        action = self.actions[call.name]
        assert action.statement is not None
        effect = self.effect(action, action.statement)
        assert effect is not None
        domain = action.domain.in_context(self.mapping.system.context)
        outputs = tuple(key.value for key in effect.target.cell)
        return domain.image(
            AffineFunction(domain.space, outputs), tuple(f"at{position}" for position in range(len(outputs)))
        )


def _cell(access: CellAccess, values: Mapping[str, Affine | None]) -> Cell | None:
    known = {name: value for name, value in values.items() if value is not None}
    needed = {name for key in access.cell for name in key.value.names if name in values}
    if needed - known.keys():
        return None
    return tuple(key.value.substitute(known) for key in access.cell)
