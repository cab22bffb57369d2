"""Functions that move points of variables between arrays of a rank and the buffer of a message, or between arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.scheduled.memory.rank_storage import PlaceTests
from alphaz.codegen.scheduled.memory.storage import StoragePlace
from alphaz.codegen.scheduled.message_receivers import PlaceBox, receives
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Domain

# The arguments of the function that moves values, besides arrays: its direction (0: it counts) and the buffer.
DIRECTION, BUFFER, PLACE = "direction", "buffer", "at"


@dataclass(frozen=True, slots=True, eq=False)
class MovedPoints:
    """Points of a variable that are moved between a buffer and their place; those with `readers` only to receivers that
    own one of them. Received points are written to the ghosts of a place.
    """

    variable: Variable
    points: Domain
    place: StoragePlace
    readers: Sequence[PlaceBox] = ()

    @property
    def arrays(self) -> tuple[FlatArray, ...]:
        return (self.place.array,) if self.place.ghost is None else (self.place.array, self.place.ghost.array)


@dataclass(frozen=True, slots=True, eq=False)
class PointMover:
    """Makes the functions of a system, with its parameters in C and the tests of the places of a rank."""

    system: System
    tests: PlaceTests
    c_parameters: dict[str, Affine]

    def numbers(self, code: Sequence[c.Statement]) -> tuple[c.Parameter, ...]:
        """Returns the parameters that the code uses."""
        used = c.names_used(code)
        numbers = [c.Parameter(c.INT64, identifier(p)) for p in self.system.parameters]
        return tuple(p for p in numbers if p.name in used)

    def moving(self, function: str, sets: Sequence[MovedPoints], names: Identifiers) -> c.Function:
        """Returns a function that moves the points of the sets between a buffer and arrays, and returns their bytes."""
        body: list[c.Statement] = [c.Declare(c.INT64, PLACE, c.ZERO)]
        for moved in sets:
            if not moved.points.is_empty():
                body.append(c.Block(self._moves(moved, names.copy())))
        body.append(c.Return(c.Name(PLACE)))
        fixed = (c.Parameter(c.INT, DIRECTION), c.Parameter(c.Pointer(c.Scalar("unsigned char")), BUFFER))
        return self._function(c.INT64, function, [array for moved in sets for array in moved.arrays], fixed, body)

    def copying(
        self,
        function: str,
        moved: MovedPoints,
        source: StoragePlace,
        index: int,
        names: Identifiers,
    ) -> c.Function:
        """Returns a function that writes received points: the value of each is that of the source at the same indices
        but for the one of this number.
        """
        target = moved.place.ghost or moved.place

        def copy(values: Sequence[Affine]) -> c.Statement:
            rest = [*values[:index], *values[index + 1 :]]
            return c.Assign(target.element(values, self.c_parameters), source.element(rest, self.c_parameters))

        body = self._loops(moved, names.copy(), copy)
        return self._function(c.VOID, function, [target.array, source.array], (), body)

    def _function(
        self,
        type_: c.Type,
        name: str,
        arrays: Sequence[FlatArray],
        fixed: Sequence[c.Parameter],
        body: Sequence[c.Statement],
    ) -> c.Function:
        """Returns a function with the parameters and arrays that its body uses, and the fixed ones."""
        arrays, used = tuple(dict.fromkeys(arrays)), c.names_used(body)
        constants = [d for array in arrays for d in array.constants if d.name in used]
        parameters = tuple(array.parameter for array in arrays if array.name in used)
        silent = [c.Evaluate(c.Cast(c.VOID, c.Name(p.name))) for p in fixed if p.name not in used]
        every = (*self.numbers([*constants, *body]), *parameters, *fixed)
        return c.Function(type_, name, every, (*silent, *constants, *body), "static")

    def _moves(self, moved: MovedPoints, names: Identifiers) -> tuple[c.Statement, ...]:
        """Returns the loops over the points, with a call of `move_element` for each that is received."""

        def move(values: Sequence[Affine]) -> c.Statement:
            element = moved.place.element(values, self.c_parameters)
            pointer: c.Expression = c.Cast(c.Pointer(c.VOID), c.Unary("&", element))
            if moved.place.ghost is not None:
                ghost = moved.place.ghost.element(values, self.c_parameters)
                received = c.Cast(c.Pointer(c.VOID), c.Unary("&", ghost))
                pointer = c.Ternary(c.Binary("<", c.Name(DIRECTION), c.ZERO), received, pointer)
            words = (c.Name(DIRECTION), c.Name(BUFFER), c.Unary("&", c.Name(PLACE)))
            point = tuple(value.substitute(self.c_parameters) for value in values)
            about = c.ValueAnnotation(moved.variable.name, point)
            call = c.Call("move_element", (*words, pointer, c.SizeOf(element)))
            statement: c.Statement = c.Evaluate(call, about)
            if moved.readers:
                known = {**self.c_parameters, **dict(zip(moved.points.space.names, values, strict=True))}
                statement = c.If(receives(moved.readers, self.tests, known), (statement,))
            return statement

        return self._loops(moved, names, move)

    def _loops(
        self, moved: MovedPoints, names: Identifiers, statement: Callable[[Sequence[Affine]], c.Statement]
    ) -> tuple[c.Statement, ...]:
        """Returns the loops over the points, with the statement of each."""
        space = moved.points.space
        iterators = [names.new(identifier(n)) for n in space.names]
        date = tuple(map(Affine.name, space.names))
        tree = readable_scan([Scan(moved.variable.name, moved.points, date)], self.system.context, iterators)
        statements: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, self.c_parameters):
            declared, scope = bind(space.names, arguments, names.copy().new, inline=True)
            statements[call] = with_used(declared, (statement(scope.values),))
        return loops_in_c(tree, self.c_parameters, statements)
