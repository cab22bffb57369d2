"""Expressions as Python text: each node becomes statements that leave its value in an expression without side effects.

Evaluation is lazy as in the denotation: of a case or an if only the selected branch is evaluated, and `and`, `or`,
`nand` stop at the first operand that decides. Source: C11 6.5 for the operators; a reduction starts from the identity
and combines the points of the body in lexicographic order.

Traversals are generators that yield the children that they need to a driver, so that the depth of expressions is not
limited by Python's recursion limit."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Case,
    Compose,
    Constant,
    Expression,
    Facts,
    If,
    IndexValue,
    Nary,
    Reduce,
    Restrict,
    Unary,
)
from alphaz.model.interpreter.loops_in_python import ScanText, affine_text, holds_text, loops, substitute_piece
from alphaz.model.interpreter.operators_in_python import Code, binary, constant, converted, identity, truth, unary
from alphaz.model.program import External
from alphaz.model.types import BOOL, ScalarType, is_converted_first
from alphaz.poly import Affine, AffineFunction, Domain, Piece, equal
from alphaz.poly.algorithms.bounds import Box

# Beyond this nesting a value gets a name: Python's own parser counts parentheses.
_DEEP = 12
# Cases of more branches are tested one after the other, because Python nests each `elif` in the one before.
_LONG = 50


@dataclass(frozen=True, slots=True)
class EvaluationScope:
    """The indices in scope, in order, and their values as affine expressions of Python names."""

    names: tuple[str, ...]
    values: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class StoreCells:
    """Access to a variable in generated text: the number of its store, its type, and its box."""

    number: int
    type: ScalarType
    box: Box

    def offset(self, point: Sequence[Affine]) -> Affine:
        """Returns the flat position of a point."""
        total = Affine()
        for at, low, stride in zip(point, self.box.lower, self.box.strides, strict=True):
            total += (at - low) * stride
        return total


@dataclass(frozen=True, slots=True)
class EvaluationContext:
    """The environment of a system's text. `pieces` gives the constraints of a domain, `bounds` its box."""

    facts: Facts
    parameters: Mapping[str, Affine]
    cells: Mapping[str, StoreCells]
    externals: Mapping[str, tuple[int, External]]
    pieces: Callable[[Domain], tuple[Piece, ...]]
    bounds: Callable[[Domain, Domain], Box]


Emission = Generator[tuple[Expression, EvaluationScope], Code, Code]


class TextEmitter:
    """Writes the statements of one expression. `asks`: a generator yields missing values, and continues with them; a
    plain function returns None, and the value is computed on demand."""

    def __init__(self, around: EvaluationContext, text: ScanText, *, asks: bool) -> None:
        self._around = around
        self._text = text
        self._asks = asks

    def value(self, node: Expression, scope: EvaluationScope) -> Code:
        """Writes the statements; returns the value in the type that the facts give it."""
        waiting = [self._start(node, scope)]
        answer: Code | None = None
        while waiting:
            try:
                child, inner = waiting[-1].send(answer)  # type: ignore[arg-type]
            except StopIteration as done:
                waiting.pop()
                answer = self._shallow(done.value)
            else:
                waiting.append(self._start(child, inner))
                answer = None
        assert answer is not None
        return answer

    def _start(self, node: Expression, scope: EvaluationScope) -> Emission:
        is_leaf = isinstance(node, Constant | IndexValue | Access)
        if not is_leaf and self._text.is_deep(len(node.projection.domain.names) if isinstance(node, Reduce) else 0):
            return (yield from self._apart(node, scope))
        code = yield from self._emission(node, scope)
        return converted(code, self._around.facts.types[node])

    def _apart(self, node: Expression, scope: EvaluationScope) -> Emission:
        """The value by a separate function: Python limits the nesting of text."""
        outside, self._text = self._text, self._text.part()
        name, function = outside.fresh(), outside.fresh("part")
        known = ", ".join(sorted({name for value in scope.values for name in value.names}))
        with self._text.inside([f"def {function}({known}):"]):
            if self._asks:
                self._text.line("if False: yield")
            self._text.line(f"return {(yield from self._start(node, scope)).text}")
        self._text = outside
        if self._asks:
            self._text.line(f"{name} = yield from {function}({known})")
        else:
            self._text.line(f"{name} = {function}({known})")
            self._text.line(f"if {name} is None: return None")
        return Code(name, self._around.facts.types[node])

    def _emission(self, node: Expression, scope: EvaluationScope) -> Emission:
        match node:
            case Constant() | IndexValue() | Access():
                return self._leaf(node, scope)
            case Compose():
                return (yield node.body, EvaluationScope(node.names, self._image(node.function, scope)))
            case Restrict():
                return (yield node.body, scope)
            case Unary():
                return unary(node.operator, (yield node.operand, scope))
            case Binary():
                return (yield from self._chain(node.operator, (node.left, node.right), scope))
            case Nary():
                return (yield from self._chain(node.operator, node.operands, scope))
            case Case():
                return (yield from self._case(node, scope))
            case If():
                return (yield from self._if(node, scope))
            case Call():
                return (yield from self._call(node, scope))
            case Reduce():
                return (yield from self._reduce(node, scope))
        raise TypeError(f"{type(node).__name__} is no expression")

    # --- leaves -------------------------------------------------------------------------------------------------

    def _leaf(self, node: Constant | IndexValue | Access, scope: EvaluationScope) -> Code:
        match node:
            case Constant():
                return constant(node.value, self._around.facts.types[node])
            case IndexValue():
                return self._index_value(node, scope)
            case Access():
                return self._access(node, scope)

    def _index_value(self, node: IndexValue, scope: EvaluationScope) -> Code:
        value = node.affine.substitute(self._bound(scope.names, scope))
        if value.is_constant:
            return constant(value.constant, self._around.facts.types[node])
        return converted(Code(affine_text(value), _UNLIMITED), self._around.facts.types[node])

    def _access(self, node: Access, scope: EvaluationScope) -> Code:
        cells = self._around.cells[node.variable]
        point = self._image(node.function, scope)
        offset = affine_text(cells.offset(point))
        name = self._text.fresh()
        self._text.line(f"{name} = d{cells.number}[{offset}]")
        asked = f"{name} = yield s{cells.number}, {offset}, {point_text(point)}" if self._asks else "return None"
        self._text.line(f"if {name} is None: {asked}")
        return Code(name, cells.type)

    # --- operators ----------------------------------------------------------------------------------------------

    def _chain(self, operator: str, operands: Sequence[Expression], scope: EvaluationScope) -> Emission:
        """Left to right: `min(a, b, c)` is `(a min b) min c`."""
        result = yield operands[0], scope
        for operand in operands[1:]:
            if operator in ("and", "or", "nand"):
                result = yield from self._lazy(operator, result, operand, scope)
            else:
                result = self._operate(operator, result, (yield operand, scope))
        return result

    def _operate(self, operator: str, left: Code, right: Code) -> Code:
        if operator in ("min", "max"):
            left, right = self._named(left), self._named(right)
        return self._shallow(binary(operator, left, right))

    def _lazy(self, operator: str, left: Code, right: Expression, scope: EvaluationScope) -> Emission:
        name = self._text.fresh()
        self._text.line(f"{name} = {truth(left)}")
        with self._text.block(f"if {'not ' if operator == 'or' else ''}{name}:"):
            self._text.line(f"{name} = {truth((yield right, scope))}")
        return Code(f"(not {name})" if operator == "nand" else name, BOOL)

    def _call(self, node: Call, scope: EvaluationScope) -> Emission:
        number, external = self._around.externals[node.function]
        arguments = []
        for argument, type_ in zip(node.arguments, external.arguments, strict=True):
            code = yield argument, scope
            arguments.append(code if type_ is None else converted(code, type_))
        return self._named(Code(f"f{number}({', '.join(a.text for a in arguments)})", external.type))

    # --- choices ------------------------------------------------------------------------------------------------

    def _case(self, node: Case, scope: EvaluationScope) -> Emission:
        type_ = self._around.facts.types[node]
        name = self._text.fresh()
        if is_long := len(node.branches) > _LONG:
            self._text.line(f"{name} = None")
        for position, branch in enumerate(node.branches):
            test = holds_text(self._pieces(self._around.facts.expression_domain[branch], scope))
            head = f"if {name} is None and ({test}):" if is_long else f"if {test}:"
            with self._text.block(head if is_long or position == 0 else f"el{head}"):
                self._text.line(f"{name} = {converted((yield branch, scope), type_).text}")
        with self._text.block(f"if {name} is None:" if is_long else "else:"):
            self._text.line('raise Stop("no branch of the case is defined there")')
        return Code(name, type_)

    def _if(self, node: If, scope: EvaluationScope) -> Emission:
        type_ = self._around.facts.types[node]
        name = self._text.fresh()
        condition = truth((yield node.condition, scope))
        with self._text.block(f"if {condition}:"):
            self._text.line(f"{name} = {converted((yield node.then, scope), type_).text}")
        with self._text.block("else:"):
            self._text.line(f"{name} = {converted((yield node.otherwise, scope), type_).text}")
        return Code(name, type_)

    # --- reductions ---------------------------------------------------------------------------------------------

    def _reduce(self, node: Reduce, scope: EvaluationScope) -> Emission:
        type_ = self._around.facts.types[node]
        names = tuple(self._text.fresh("x") for _ in node.projection.domain.names)
        inner = EvaluationScope(node.projection.domain.names, tuple(Affine.name(n) for n in names))
        total = self._text.fresh()
        self._text.line(f"{total} = {self._identity(node, type_).text}")
        with self._text.inside(self._body_loops(node, scope, inner, names)):
            body = yield node.body, inner
            self._text.line(f"{total} = {converted(self._combine(node, Code(total, type_), body), type_).text}")
        return Code(total, type_)

    def _body_loops(
        self, node: Reduce, scope: EvaluationScope, inner: EvaluationScope, names: tuple[str, ...]
    ) -> list[str]:
        """Heads of loops over the points z' of the body with projection(z') = z."""
        facts = self._around.facts
        domain = facts.expression_domain[node.body]
        landing = tuple(
            equal(there, here) for there, here in zip(self._image(node.projection, inner), scope.values, strict=True)
        )
        pieces = [Piece((*landing, *p.constraints), p.floors) for p in self._pieces(domain, inner)]
        box = self._around.bounds(domain, facts.context_domain[node.body])
        bounds = list(zip(box.lower, box.upper, strict=True))
        return loops(self._text, pieces, names, bounds, [False] * len(names))

    def _identity(self, node: Reduce, type_: ScalarType) -> Code:
        if node.operator not in self._around.externals:
            return identity(node.operator, type_)
        _, external = self._around.externals[node.operator]
        return converted(external_identity(external), type_)

    def _combine(self, node: Reduce, total: Code, body: Code) -> Code:
        if node.operator in ("and", "or"):
            return Code(f"({truth(total)} {node.operator} {truth(body)})", BOOL)
        if node.operator not in self._around.externals:
            is_first = is_converted_first(node.operator, total.type, body.type)
            same = converted(body, total.type) if is_first else body
            return self._operate(node.operator, total, same)
        number, external = self._around.externals[node.operator]
        types = external.arguments
        operands = [c if t is None else converted(c, t) for c, t in zip((total, body), types, strict=True)]
        return Code(f"f{number}({', '.join(o.text for o in operands)})", external.type)

    # --- helpers ------------------------------------------------------------------------------------------------

    def _bound(self, names: tuple[str, ...], scope: EvaluationScope) -> dict[str, Affine]:
        """Names to values, by position: names of indices in a function may differ from those of the scope."""
        return {**self._around.parameters, **dict(zip(names, scope.values, strict=True))}

    def _image(self, function: AffineFunction, scope: EvaluationScope) -> tuple[Affine, ...]:
        values = self._bound(function.domain.names, scope)
        return tuple(output.substitute(values) for output in function.outputs)

    def _pieces(self, domain: Domain, scope: EvaluationScope) -> list[Piece]:
        values = self._bound(domain.space.names, scope)
        return [substitute_piece(piece, values) for piece in self._around.pieces(domain)]

    def _named(self, code: Code) -> Code:
        """The value under a name, for text that uses it twice or must not evaluate it twice."""
        if code.text.isidentifier():
            return code
        name = self._text.fresh()
        self._text.line(f"{name} = {code.text}")
        return Code(name, code.type)

    def _shallow(self, code: Code) -> Code:
        return code if code.depth < _DEEP else self._named(code)


# An index is a mathematical integer until it is converted to the type of its expression.
_UNLIMITED = ScalarType(name="longlong", c_name="", numpy="", kind="int", bits=1 << 10)


def point_text(point: Sequence[Affine]) -> str:
    """A Python tuple."""
    return f"({' '.join(affine_text(a) + ',' for a in point)})"


def external_identity(external: External) -> Code:
    """Returns the declared identity, which is C text: a number, `true`, `false`, `INFINITY` or its negation.

    Analysis ensures that an operator has one."""
    text = (external.identity or "").strip()
    if text in ("true", "false"):
        return Code(text.capitalize(), BOOL)
    if text in ("INFINITY", "-INFINITY"):
        return constant(text.replace("INFINITY", "inf"), external.type)
    if text.removeprefix("-").isdigit():
        return constant(text if external.type.is_float else int(text), external.type)
    return constant(text, external.type)
