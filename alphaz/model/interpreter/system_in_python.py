"""A whole system at given parameters as Python text: for each variable the functions that compute and list its points.

    fast<n>(z..)          the value at z, or None when it needs one that is not there yet
    slow<n>(z..)          a generator: yields (store, offset, point) for each value that it needs, returns the value
    fill<n>(fast, miss)   computes the missing points in a good order; calls miss(offset, point) where fast gives None,
                          and stops when that returns True
    has<n>(z..)           whether z is in the domain

Numbers are positions of variables in the system; `s<n>` is a store, `d<n>` its list of values. Inputs of a use equation
are computed by `fast_<u>_<n>` and `slow_<u>_<n>`, over the indices of the extension and of the input. Functions that
yield are a text of their own, which most evaluations do not need.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.model.expression import Expression
from alphaz.model.interpreter.evaluation_order import reversed_dimensions
from alphaz.model.interpreter.expressions_in_python import (
    EvaluationContext,
    EvaluationScope,
    StoreCells,
    TextEmitter,
    point_text,
)
from alphaz.model.interpreter.loops_in_python import ScanText, affine_text, holds_text, loops, substitute_piece
from alphaz.model.interpreter.operators_in_python import Code, converted
from alphaz.model.program import Equation, Program, System, UseEquation, Variable
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Domain, Piece


@dataclass(frozen=True, slots=True)
class SystemWriter:
    """Writes the text of one system; `values` are its parameters."""

    program: Program
    system: System
    values: dict[str, int]
    around: EvaluationContext

    def text(self, asks: bool) -> str:
        """Returns the text of a function `make(stores, functions, callee)` that returns the functions by name.

        `asks`: those that yield missing values, otherwise all others."""
        text = ScanText()
        with text.block("def make(stores, functions, callee):"):
            for number in range(len(self.system.variables)):
                text.line(f"s{number} = stores[{number}]; d{number} = s{number}.data")
            for number in range(len(self.program.externals)):
                text.line(f"f{number} = functions[{number}]")
            for variable in () if asks else self.system.variables:
                self._membership(text, variable)
                self._filling(text, variable)
            for position, equation in enumerate(self.system.equations):
                self._equation(text, position, equation, asks)
            text.flush()
            text.line("return locals()")
        return str(text)

    def _equation(self, text: ScanText, index: int, equation: Equation | UseEquation, asks: bool) -> None:
        if isinstance(equation, Equation):
            cells = self.around.cells[equation.variable]
            names = _names(len(equation.indices))
            scope = EvaluationScope(equation.indices, tuple(Affine.name(n) for n in names))
            self._function(text, str(cells.number), names, equation.expression, scope, cells.type, asks)
            return
        callee = self.program.system(equation.system)
        for position, (variable, expression) in enumerate(zip(callee.inputs, equation.inputs, strict=True)):
            indices = (*equation.extension.space.names, *variable.domain.space.names)
            names = _names(len(indices))
            scope = EvaluationScope(indices, tuple(Affine.name(n) for n in names))
            self._function(text, f"_{index}_{position}", names, expression, scope, variable.type, asks)
        for variable, name in zip(callee.outputs, equation.outputs, strict=True) if asks else ():
            self._result(text, index, equation, variable, name)

    def _function(
        self,
        text: ScanText,
        suffix: str,
        names: tuple[str, ...],
        body: Expression,
        scope: EvaluationScope,
        type_: ScalarType,
        asks: bool,
    ) -> None:
        with text.block(f"def {'slow' if asks else 'fast'}{suffix}({', '.join(names)}):"):
            if asks:
                text.line("if False: yield")
            code = TextEmitter(self.around, text, asks=asks).value(body, scope)
            text.line(f"return {converted(code, type_).text}")

    def _result(self, text: ScanText, position: int, equation: UseEquation, inner: Variable, name: str) -> None:
        """Writes an output of a call: at (e, z), the value of the callee's output at z in the call of e."""
        cells = self.around.cells[name]
        names = _names(len(cells.box.lower))
        split = equation.extension.space.dimensions
        point = ", ".join(names[split:])
        with text.block(f"def slow{cells.number}({', '.join(names)}):"):
            text.line(f"inside = callee({position}, {_tuple(names[:split])}, {inner.name!r})")
            text.line(f"offset = inside.offset({point})")
            text.line("value = inside.data[offset]")
            text.line(f"if value is None: value = yield inside, offset, {_tuple(names[split:])}")
            text.line(f"return {converted(Code('value', inner.type), cells.type).text}")

    def _membership(self, text: ScanText, variable: Variable) -> None:
        cells = self.around.cells[variable.name]
        names = _names(len(cells.box.lower))
        with text.block(f"def has{cells.number}({', '.join(names)}):"):
            text.line(f"return {holds_text(self._pieces(variable.domain, names))}")
        with text.block(f"def offset{cells.number}({', '.join(names)}):"):
            text.line(f"return {affine_text(cells.offset([Affine.name(n) for n in names]))}")

    def _filling(self, text: ScanText, variable: Variable) -> None:
        cells = self.around.cells[variable.name]
        names = _names(len(cells.box.lower))
        point = [Affine.name(n) for n in names]
        bounds = list(zip(cells.box.lower, cells.box.upper, strict=True))
        with text.block(f"def fill{cells.number}(fast, miss):"):
            down = self._directions(variable)
            with text.inside(loops(text, self._pieces(variable.domain, names), names, bounds, down)):
                text.line(f"offset = {affine_text(cells.offset(point))}")
                with text.block(f"if d{cells.number}[offset] is None:"):
                    self._attempt(text, cells, names, point)

    def _attempt(self, text: ScanText, cells: StoreCells, names: tuple[str, ...], point: Sequence[Affine]) -> None:
        text.line(f"try: value = fast({', '.join(names)})")
        text.line("except Stop: value = None")
        with text.block("if value is not None:"):
            text.line(f"d{cells.number}[offset] = value")
        with text.block(f"elif miss(offset, {point_text(point)}):"):
            text.line("return")

    def _directions(self, variable: Variable) -> list[bool]:
        for equation in self.system.equations:
            if isinstance(equation, Equation) and equation.variable == variable.name:
                return reversed_dimensions(equation, self.around.facts, self.values)
        return [False] * variable.domain.space.dimensions

    def _pieces(self, domain: Domain, names: tuple[str, ...]) -> list[Piece]:
        by_name = dict(zip(domain.space.names, map(Affine.name, names), strict=True))
        values = {**self.around.parameters, **by_name}
        return [substitute_piece(piece, values) for piece in self.around.pieces(domain)]


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"i{position}" for position in range(count))


def _tuple(names: Sequence[str]) -> str:
    return f"({' '.join(name + ',' for name in names)})"
