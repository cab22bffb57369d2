"""Evaluation: one store for each variable of each call, filled on demand.

Values are first computed in a good order by plain functions, as far as possible; missing values are then computed by
generators that yield the values that they need. `system_text` writes both from the same expression. Locals on which no
output depends are never computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import CodeType
from typing import cast

import numpy as np

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import RUN_TIME, UNBOUNDED
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.expression import Facts
from alphaz.model.input_values import checked_inputs, checked_parameters, variable_box
from alphaz.model.interpreter.arithmetic import NAMES, Stop
from alphaz.model.interpreter.demand_driven import Computation, Point, Store, Value, compute
from alphaz.model.interpreter.evaluation_order import reading_order
from alphaz.model.interpreter.expressions_in_python import EvaluationContext, StoreCells
from alphaz.model.interpreter.externals import external_functions, not_executable
from alphaz.model.interpreter.operators_in_python import type_name
from alphaz.model.interpreter.system_in_python import SystemWriter
from alphaz.model.program import Program, System, UseEquation
from alphaz.model.types import SCALAR_TYPES
from alphaz.poly import Affine, Domain, Unbounded
from alphaz.poly.algorithms.bounds import Box, box_of

# Most missing values in the first pass over a variable before it is left to demand.
_PATIENCE = 256
# Deepest nesting of calls of systems.
_DEEPEST_CALL = 10_000


def evaluate(
    program: Program,
    facts: Facts,
    system: str,
    parameters: Mapping[str, int],
    inputs: Mapping[str, object],
    externals: Mapping[str, Callable[..., object]] | None = None,
) -> dict[str, np.ndarray]:
    """Returns the outputs of a system of a checked program.

    `inputs` and the result are arrays over the bounding box of the variable's domain (0-dimensional for scalars), of
    the variable's type; points of the box outside the domain are 0. `externals` are Python functions of numbers. Raises
    Rejected: INPUT_DATA for parameters and inputs that do not fit, CYCLE for a value that depends on itself, RUN_TIME
    for an undefined value (division by zero), a missing external function, or a `while` system."""
    chosen = program.system(system)
    values = checked_parameters(chosen, parameters)
    arrays = checked_inputs(chosen, values, inputs)
    evaluation = _Evaluation(program, facts, external_functions(program, chosen, externals or {}))
    call = evaluation.call(chosen, values, "", 0)
    for name, array in arrays.items():
        call.stores[name].data[:] = array.ravel().tolist()
    with working_at(chosen.span, f"which values the outputs of `{chosen.name}` have"):
        evaluation.fill_in_order(call)
        return {v.name: _output(call.stores[v.name], call.boxes[v.name]) for v in chosen.outputs}


def _output(store: Store, box: Box) -> np.ndarray:
    """Every point of an output, computed, as an array."""

    def demanded(offset: int, point: Point) -> bool:
        compute(store, offset, point)
        return False

    _fill(store, demanded)
    array = np.array([0 if value is None else value for value in store.data], dtype=store.variable.type.numpy)
    return array.reshape(box.shape)


def _fill(store: Store, miss: Callable[[int, Point], bool]) -> None:
    assert store.fill is not None
    store.fill(store.fast or _never, miss)


def _never(*point: int) -> None:
    return None


@dataclass(slots=True, eq=False)
class _Call:
    """One call of a system: its stores, and the calls that it makes, by use equation and point of the extension."""

    system: System
    parameters: dict[str, int]
    level: int
    boxes: dict[str, Box]
    stores: dict[str, Store]
    functions: Mapping[str, Callable[..., Value | None]] = field(default_factory=dict)
    generators: Mapping[str, Callable[..., Computation]] = field(default_factory=dict)
    calls: dict[tuple[int, Point], "_Call"] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Evaluation:
    program: Program
    facts: Facts
    functions: list[Callable[..., Value]]

    def call(self, system: System, parameters: dict[str, int], where: str, level: int) -> _Call:
        """Returns a call with empty stores; its inputs are set later."""
        boxes = {v.name: variable_box(v, parameters) for v in system.variables}
        parameter_values = tuple(parameters.items())
        stores = {
            v.name: Store(v, parameter_values, _room(v.name, boxes[v.name], system), where) for v in system.variables
        }
        call = _Call(system=system, parameters=parameters, level=level, boxes=boxes, stores=stores)
        call.functions = cast(Mapping[str, Callable[..., Value | None]], self._functions(call, asks=False))
        inputs = {v.name for v in system.inputs}
        for number, (name, store) in enumerate(stores.items()):
            for role in ("fast", "fill", "has", "offset"):
                setattr(store, role, call.functions.get(f"{role}{number}"))
            store.slow = None if name in inputs else partial(self._computation, call, f"slow{number}")
        return call

    def _functions(self, call: _Call, asks: bool) -> object:
        """Returns the functions of a system by name, which give values; if it `asks`, generators."""
        names: dict[str, Callable[..., object]] = {}
        code = _compiled(self.program, self.facts, call.system, tuple(call.parameters.items()), asks)
        exec(code, _GLOBALS, names)  # noqa: S102 - text that we wrote, of numbers and our own names
        return names["make"](list(call.stores.values()), self.functions, partial(self._callee, call))

    def _computation(self, call: _Call, name: str, *point: int) -> Computation:
        """Returns the generator that computes the value at a point."""
        if not call.generators:
            call.generators = cast(Mapping[str, Callable[..., Computation]], self._functions(call, asks=True))
        return call.generators[name](*point)

    # --- calls of systems ---------------------------------------------------------------------------------------

    def _callee(self, caller: _Call, position: int, point: Point, output: str) -> Store:
        """The store of an output of the call that use equation `position` makes for a point of its extension."""
        if (position, point) not in caller.calls:
            caller.calls[position, point] = self._begin(caller, position, point)
        return caller.calls[position, point].stores[output]

    def _begin(self, caller: _Call, index: int, point: Point) -> _Call:
        use = caller.system.equations[index]
        assert isinstance(use, UseEquation)
        system = self.program.system(use.system)
        here = {**caller.parameters, **dict(zip(use.extension.space.names, point, strict=True))}
        parameters = {n: a.at(here) for n, a in zip(system.parameters, use.parameters, strict=True)}
        sizes = ", ".join(f"{n}={v}" for n, v in parameters.items())
        if system.loop is not None:
            raise Rejected(not_executable(system))
        if not system.context.contains(parameters):
            message = f"`{system.name}` is called with {sizes}, which is outside its context"
            raise Rejected(Diagnostic(RUN_TIME, message, Label(use.span)))
        if caller.level >= _DEEPEST_CALL:
            message = f"calls of `{system.name}` nest deeper than {_DEEPEST_CALL}"
            raise Rejected(Diagnostic(RUN_TIME, message, Label(use.span), help="the recursion should end"))
        call = self.call(system, parameters, f" in the call {system.name}({sizes})", caller.level + 1)
        for position, variable in enumerate(system.inputs):
            store = call.stores[variable.name]
            store.fast = partial(caller.functions[f"fast_{index}_{position}"], *point)
            store.slow = partial(self._computation, caller, f"slow_{index}_{position}", *point)
        self.fill_in_order(call)
        return call

    def fill_in_order(self, call: _Call) -> None:
        """Computes values without demand, each variable after those that it reads. Errors are left to demand."""
        for name in reading_order(call.system):
            missed = 0

            def missing(offset: int, point: Point) -> bool:
                nonlocal missed
                missed += 1
                return missed > _PATIENCE

            store = call.stores[name]
            if store.fast is not None:
                _fill(store, missing)


_GLOBALS: dict[str, object] = {
    **NAMES,
    **{type_name(t): t for t in SCALAR_TYPES.values()},
    "Stop": Stop,
    "inf": float("inf"),
    "nan": float("nan"),
}


@lru_cache(maxsize=512)
def _compiled(
    program: Program, facts: Facts, system: System, sizes: tuple[tuple[str, int], ...], asks: bool
) -> CodeType:
    """Returns the code of a system at given parameters, which serves all calls and all inputs."""
    parameters = dict(sizes)
    around = EvaluationContext(
        facts=facts,
        parameters={name: Affine(constant=value) for name, value in sizes},
        cells={
            v.name: StoreCells(position, v.type, variable_box(v, parameters))
            for position, v in enumerate(system.variables)
        },
        externals={e.name: (position, e) for position, e in enumerate(program.externals)},
        pieces=Domain.pieces,
        bounds=partial(_bounds, parameters, system),
    )
    try:
        text = SystemWriter(program, system, parameters, around).text(asks)
        return compile(text, f"<{system.name}>", "exec")
    except (SyntaxError, RecursionError, MemoryError):
        raise Rejected(
            Diagnostic(
                RUN_TIME, f"an expression of `{system.name}` nests too deep for the interpreter", Label(system.span)
            )
        ) from None


def _bounds(parameters: Mapping[str, int], system: System, domain: Domain, needed: Domain) -> Box:
    """The box around a reduction's body; if that is unbounded, around the part that is needed."""
    for candidate in (domain, needed):
        try:
            return box_of(candidate, parameters)
        except Unbounded:
            continue
    raise Rejected(
        Diagnostic(UNBOUNDED, f"a reduction of `{system.name}` runs over infinitely many points", Label(system.span))
    )


def _room(name: str, box: Box, system: System) -> list[Value | None]:
    try:
        return [None] * box.size
    except (MemoryError, OverflowError):
        message = f"`{name}` does not fit into memory: {box.size} values"
        raise Rejected(Diagnostic(RUN_TIME, message, Label(system.variable(name).span))) from None
