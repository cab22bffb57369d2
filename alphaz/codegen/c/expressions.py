"""Expressions of the program in C, with exactly C's conversions (C11 6.3.1.8): the values are those of the interpreter.

Conversions that may change a value are written as casts, all others are left to C. An operand that has no C expression
(a reduction) becomes statements before the expression; a choice with such a branch becomes an `if`. A division by
zero, or a float that does not fit into an integer type, sets the `int *status` of the surrounding function.

Helpers evaluate comparisons with a constant result, of which compilers warn: a value of a narrow type against a
constant out of its range, a truth value against a number, a value against itself. Programs may contain them, and they
are still evaluated (a division in an operand may fail).
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.helpers import RELATIONS, suffix
from alphaz.codegen.c.integers import affine, bound, integer
from alphaz.codegen.c.names import identifier
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
)  # fmt: skip
from alphaz.model.program import External
from alphaz.model.real_numbers import real_type
from alphaz.model.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONGLONG,
    SCALAR_TYPES,
    ScalarType,
    common_type,
    is_converted_first,
    promoted,
)
from alphaz.model.walk import children
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.algorithms.bounds import guard

_C_TYPES = {type_.c_name: type_ for type_ in SCALAR_TYPES.values()}
_LEAST = {"LONG_MIN": -(1 << 63), "LLONG_MIN": -(1 << 63)}


def compared(
    operator: str, left: c.Expression, right: c.Expression, type_: ScalarType, narrow: tuple[ScalarType, ScalarType]
) -> c.Expression:
    """Returns the comparison of two operands, converted to `type_`, that were of the narrow types."""
    if left == right or _is_decided(operator, left, right, narrow):
        return c.Call(f"{RELATIONS[operator]}_{suffix(type_)}", (left, right))
    return c.Binary(operator, left, right)


def _is_decided(operator: str, left: c.Expression, right: c.Expression, narrow: tuple[ScalarType, ScalarType]) -> bool:
    """Returns True if one operand is a constant, and the result the same for all values of the type of the other."""
    values = _constant(left), _constant(right)
    if (values[0] is None) == (values[1] is None):
        return False
    at = 0 if values[0] is None else 1
    type_, constant = narrow[at], values[1 - at]
    if type_.is_float or constant is None:
        return False
    low, high = _range(type_)
    near = min(max(constant, low), high)
    tried = {low, high, near, max(low, near - 1), min(high, near + 1)}
    return len({_holds(operator, (value, constant) if at == 0 else (constant, value)) for value in tried}) == 1


def _range(type_: ScalarType) -> tuple[int, int]:
    bits = 1 if type_.kind == "bool" else type_.bits
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_.signed else (0, (1 << bits) - 1)


def _holds(operator: str, values: tuple[int, int]) -> bool:
    left, right = values
    relations = {
        "==": left == right, "!=": left != right, "<": left < right, "<=": left <= right, ">": left > right,
        ">=": left >= right,
    }  # fmt: skip
    return relations[operator]


def _constant(expression: c.Expression) -> int | None:
    """Returns the value of an integer constant of literals."""
    match expression:
        case c.Literal("true" | "false"):
            return int(expression.text == "true")
        case c.Literal(text):
            return int(text.rstrip("UL")) if re.fullmatch(r"-?\d+[UL]*", text) else None
        case c.Name(name):
            return _LEAST.get(name)
        case c.Unary("-", operand):
            inside = _constant(operand)
            return None if inside is None else -inside
        case c.Unary("!", operand):
            inside = _constant(operand)
            return None if inside is None else int(not inside)
        case c.Cast(c.Scalar(name), operand) if name in _C_TYPES and not _C_TYPES[name].is_float:
            inside, (low, high) = _constant(operand), _range(_C_TYPES[name])
            return None if inside is None else (inside - low) % (high - low + 1) + low
        case c.Binary(operator, left, right) if operator in RELATIONS or operator in ("&&", "||"):
            values = _constant(left), _constant(right)
            if values[0] is None or values[1] is None:
                return None
            both = values[0], values[1]
            return int(
                _holds(operator, both) if operator in RELATIONS else all(both) if operator == "&&" else any(both)
            )
    return None


# The status pointer of every function whose operations may fail.
STATUS = c.Name("status")

# The helpers that wrap around where C leaves the result undefined.
_WRAPPING = {"+": "sum", "-": "difference", "*": "product"}
_INFINITE: dict[str, c.Expression] = {"min": c.Name("INFINITY"), "max": c.Unary("-", c.Name("INFINITY"))}
_LIMITS = {"char": "SCHAR", "short": "SHRT", "int": "INT", "long": "LONG", "longlong": "LLONG"}
_SUFFIXES = {"unsigned int": "U", "long": "L", "unsigned long": "UL", "longlong": "LL", "unsigned longlong": "ULL"}


@dataclass(frozen=True, slots=True)
class CValue:
    """A C expression and the type of its value. `before`: the type of the code before implicit conversions."""

    code: c.Expression
    type: ScalarType
    before: ScalarType | None = None

    @property
    def narrow(self) -> ScalarType:
        return self.before or self.type


@dataclass(frozen=True, slots=True)
class CScope:
    """The indices in scope, in order, and their values over C identifiers. Functions bind them by position."""

    names: tuple[str, ...]
    values: tuple[Affine, ...]


# --- conversions ------------------------------------------------------------------------------------------------------


def convert(value: CValue, target: ScalarType) -> CValue:
    """Returns the value as C converts it to `target`."""
    source = value.type
    if source == target:
        return value
    if target.kind == "bool":
        return CValue(truth(value), BOOL)
    if _is_silent(value, target):
        return CValue(value.code, target, value.narrow)
    if source.is_float and not target.is_float:
        return CValue(c.Call(f"whole_{suffix(target)}", (value.code, STATUS)), target)
    return CValue(c.Cast(c.scalar(target), value.code), target)


def _is_silent(value: CValue, target: ScalarType) -> bool:
    """Returns True if the conversion changes no value, so that compilers do not warn."""
    source = value.type
    if isinstance(value.code, c.Literal) and value.code.text.isdigit():
        return not target.is_float or int(value.code.text) < 1 << 24
    if source.is_float:
        return target.is_float and source.bits <= target.bits
    if target.is_float:
        return source.kind == "bool" or source.bits < (32 if target == FLOAT else 64)
    if source.signed == target.signed or source.kind == "bool":
        return source.bits <= target.bits
    return not source.signed and source.bits < target.bits


def truth(value: CValue) -> c.Expression:
    """Returns the value as a condition."""
    if value.type.kind == "bool":
        return value.code
    return c.Binary("!=", value.code, c.ZERO)


def literal(value: int | bool | str, type_: ScalarType) -> c.Expression:
    """Returns a literal of the given type."""
    if isinstance(value, bool):
        return c.Literal("true" if value else "false") if type_.kind == "bool" else c.Literal(str(int(value)))
    if isinstance(value, str):
        own = real_type(value)
        return c.Literal(value) if type_ == own else c.Cast(c.scalar(type_), c.Literal(value))
    if type_.kind == "bool":
        return c.Literal("true" if value else "false")
    if type_.signed and value == -(1 << 63):
        return c.Name("LLONG_MIN" if type_ == LONGLONG else "LONG_MIN")
    text = f"{abs(value)}{_SUFFIXES.get(type_.name, '')}"
    return c.Unary("-", c.Literal(text)) if value < 0 else c.Literal(text)


def identity(operator: str, type_: ScalarType, externals: Mapping[str, External]) -> CValue:
    """Returns the neutral element of a reduction operator; for min and max the greatest and the least value of the
    type.
    """
    if operator in externals:
        return convert(_own_identity(externals[operator]), type_)
    if operator in ("min", "max"):
        return CValue(_extreme(operator, type_), type_)
    neutral = 1 if operator in ("*", "and") else 0
    return CValue(literal(bool(neutral) if type_.kind == "bool" else neutral, type_), type_)


def _own_identity(external: External) -> CValue:
    """Returns the neutral element declared by `//@ identity f = ..`; a checked program has it for every operator."""
    text = external.identity
    assert text is not None
    if text.removeprefix("-").isdigit() and not external.type.is_float:
        return CValue(literal(int(text), external.type), external.type)
    if text in ("true", "false"):
        return CValue(c.Literal(text if external.type.kind == "bool" else str(int(text == "true"))), external.type)
    if text.endswith("INFINITY"):
        return CValue(_INFINITE["max" if text.startswith("-") else "min"], external.type)
    return convert(CValue(c.Literal(text if "." in text else f"{text}.0"), DOUBLE), external.type)


def _extreme(operator: str, type_: ScalarType) -> c.Expression:
    if type_.is_float:
        return _INFINITE[operator]
    if type_.kind == "bool":
        return literal(operator == "min", type_)
    word = _LIMITS[type_.name.removeprefix("unsigned ")]
    if type_.signed:
        return c.Name(f"{word}_{'MAX' if operator == 'min' else 'MIN'}")
    return c.Name(f"U{word.replace('SCHAR', 'CHAR')}_MAX") if operator == "min" else literal(0, type_)


# --- operators --------------------------------------------------------------------------------------------------------


def unary(operator: str, operand: CValue) -> CValue:
    """Returns the operation: `-` works in the promoted type; `not` gives 0 or 1."""
    if operator == "not":
        return CValue(c.Unary("!", truth(operand)), BOOL)
    type_ = promoted(operand.type)
    if _may_overflow(type_) and not isinstance(operand.code, c.Literal):
        return CValue(c.Call(f"negative_{suffix(type_)}", (operand.code,)), type_)
    return CValue(c.Unary("-", operand.code), type_)


def binary(operator: str, left: CValue, right: CValue) -> CValue:
    """Returns the operation in the common type, to which both operands are converted."""
    if operator in ("and", "or"):
        return CValue(c.Binary("&&" if operator == "and" else "||", truth(left), truth(right)), BOOL)
    if operator == "nand":
        return CValue(c.Unary("!", c.Binary("&&", truth(left), truth(right))), BOOL)
    if operator == "xor":
        return CValue(compared("!=", truth(left), truth(right), INT, (BOOL, BOOL)), BOOL)
    type_ = common_type(left.type, right.type)
    first, second = convert(left, type_).code, convert(right, type_).code
    if operator in RELATIONS:
        return CValue(compared(operator, first, second, type_, (left.narrow, right.narrow)), BOOL)
    if operator in ("min", "max"):
        return CValue(c.Call(f"{operator}_{suffix(type_)}", (first, second)), type_)
    return CValue(_arithmetic(operator, first, second, type_), type_)


def combiner(operator: str, type_: ScalarType) -> str:
    """Returns the function that combines values by an operator: a helper that wraps around, where C's own operator does
    not; or the operator itself.
    """
    return _wrapping(operator, type_) if operator in _WRAPPING and _may_overflow(type_) else operator


def _wrapping(operator: str, type_: ScalarType) -> str:
    return f"{_WRAPPING[operator]}_{suffix(type_)}"


def _arithmetic(operator: str, left: c.Expression, right: c.Expression, type_: ScalarType) -> c.Expression:
    if operator == "%" and type_.is_float:
        return c.Call("fmodf" if type_ == FLOAT else "fmod", (left, right))
    if operator in _WRAPPING and _may_overflow(type_):
        return c.Call(_wrapping(operator, type_), (left, right))
    if operator in _WRAPPING or type_.is_float or _is_positive(right):
        return c.Binary(operator, left, right)
    return c.Call(f"{'quotient' if operator == '/' else 'remainder'}_{suffix(type_)}", (left, right, STATUS))


def _may_overflow(type_: ScalarType) -> bool:
    """Returns True if there are results that the type cannot hold, which is undefined behaviour in C."""
    return type_.signed and not type_.is_float


def _is_positive(expression: c.Expression) -> bool:
    return isinstance(expression, c.Literal) and expression.text.rstrip("UL") not in ("0", "")


def combine(operator: str, total: CValue, contribution: CValue, externals: Mapping[str, External]) -> CValue:
    """Returns one step of a reduction, in the type of `total`."""
    if operator in externals:
        return convert(call(externals[operator], (total, contribution)), total.type)
    if is_converted_first(operator, total.type, contribution.type):
        contribution = convert(contribution, total.type)
    return convert(binary(operator, total, contribution), total.type)


def begins_with_identity(operator: str, type_: ScalarType, externals: Mapping[str, External]) -> bool:
    """Returns True if a first contribution changes when it is combined with the neutral element (0 + -0 is 0)."""
    return operator in externals or (operator == "+" and type_.is_float)


def first_step(operator: str, type_: ScalarType, contribution: CValue, externals: Mapping[str, External]) -> CValue:
    """Returns the neutral element combined with a contribution: the contribution itself, except for a sum of floats
    (0 + -0 is 0).
    """
    if begins_with_identity(operator, type_, externals):
        return combine(operator, identity(operator, type_, externals), contribution, externals)
    return convert(CValue(truth(contribution), BOOL) if operator in ("and", "or", "xor") else contribution, type_)


def call(external: External, arguments: Sequence[CValue]) -> CValue:
    """Returns the call of an external function, its arguments converted to the declared types."""
    converted = tuple(
        (argument if type_ is None else convert(argument, type_)).code
        for argument, type_ in zip(arguments, external.arguments, strict=True)
    )
    return CValue(c.Call(external.name, converted), external.type)


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lowered:
    """The value of an expression, and the statements that precede its use."""

    value: CValue
    before: tuple[c.Statement, ...] = ()


# Leaves that are lowered before the enclosing expression, by node and scope.
Leaves = Mapping[tuple[Expression, CScope], Lowered]

# A test, or None where no test is needed, and the value.
Choice = tuple[c.Expression | None, Lowered]


@dataclass(frozen=True, slots=True)
class Lowering:
    """Turns expressions into C out of their leaves, which are lowered before: reads and reductions.

    `parameters` gives the values of the system's parameters over C identifiers, `new_name` names for local variables.
    """

    facts: Facts
    externals: Mapping[str, External]
    parameters: Mapping[str, Affine]
    new_name: Callable[[str], str]

    def names(self, names: Sequence[str], scope: CScope) -> dict[str, Affine]:
        """Maps parameters and `names` (by position) to their values."""
        return {**self.parameters, **dict(zip(names, scope.values, strict=True))}

    def image(self, function: AffineFunction, scope: CScope) -> tuple[Affine, ...]:
        values = self.names(function.domain.names, scope)
        return tuple(output.substitute(values) for output in function.outputs)

    def leaves(
        self, node: Expression, scope: CScope, more: Container[Expression] = ()
    ) -> Iterator[tuple[Expression, CScope]]:
        """Yields accesses, indices, reductions and `more`, each in its scope, in the order of evaluation, without those
        in branches that are never reached.
        """
        waiting = [(node, scope)]
        while waiting:
            here, at = waiting.pop()
            match here:
                case _ if isinstance(here, Access | IndexValue | Reduce) or here in more:
                    yield here, at
                case Compose(function, names, body):
                    waiting.append((body, CScope(names, self.image(function, at))))
                case Case():
                    waiting += [(branch, at) for *_, branch in reversed(self._reached(here))]
                case _:
                    waiting += [(child, at) for child in reversed(children(here))]

    def lowered(self, node: Expression, scope: CScope, leaves: Leaves) -> Lowered:
        """Returns the value, in the type that the facts give it."""
        lowered = leaves.get((node, scope)) or self._lowered(node, scope, leaves)
        return Lowered(convert(lowered.value, self.facts.types[node]), lowered.before)

    def _lowered(self, node: Expression, scope: CScope, leaves: Leaves) -> Lowered:
        match node:
            case Constant(value):
                return Lowered(CValue(literal(value, self.facts.types[node]), self.facts.types[node]))
            case Compose(function, names, body):
                return self.lowered(body, CScope(names, self.image(function, scope)), leaves)
            case Restrict(_, body):
                return self.lowered(body, scope, leaves)
            case Case():
                choices = [(test, self.lowered(branch, scope, leaves)) for test, branch in self.branches(node, scope)]
                return self.choice(self.facts.types[node], choices)
            case If():
                return self._if(node, scope, leaves)
            case Unary(operator, operand):
                one = self.lowered(operand, scope, leaves)
                return Lowered(unary(operator, one.value), one.before)
            case Binary():
                return self._spine(node, scope, leaves)
            case Nary(operator, operands):
                first = self.lowered(operands[0], scope, leaves)
                return self._chain(first, [(operator, operand, None) for operand in operands[1:]], scope, leaves)
            case Call(function, arguments):
                lowered_arguments = [self.lowered(argument, scope, leaves) for argument in arguments]
                before = dict.fromkeys(statement for argument in lowered_arguments for statement in argument.before)
                return Lowered(
                    call(self.externals[function], [argument.value for argument in lowered_arguments]), tuple(before)
                )
        raise TypeError(f"{type(node).__name__} is lowered before, or no expression")

    def index(self, node: IndexValue, scope: CScope) -> CValue:
        """Returns the value of an index; its numbers have 64 bits."""
        index, type_ = node.affine.substitute(self.names(scope.names, scope)), self.facts.types[node]
        if index.is_constant:
            return CValue(literal(index.constant, type_), type_)
        return convert(CValue(affine(index), LONGLONG if type_ == LONGLONG else LONG), type_)

    def _spine(self, node: Binary, scope: CScope, leaves: Leaves) -> Lowered:
        """Returns the value of a chain that leans to the left; it may be long, so this uses no recursion."""
        spine: list[Binary] = []
        here: Expression = node
        while isinstance(here, Binary) and (here, scope) not in leaves:
            spine.append(here)
            here = here.left
        steps = [(step.operator, step.right, self.facts.types[step]) for step in reversed(spine)]
        return self._chain(self.lowered(here, scope, leaves), steps, scope, leaves)

    def _chain(
        self,
        first: Lowered,
        steps: Sequence[tuple[str, Expression, ScalarType | None]],
        scope: CScope,
        leaves: Leaves,
    ) -> Lowered:
        """Returns `first` combined by each step's operator with its right operand, in the type of the step. Preceding
        statements occur once.
        """
        value, before = first.value, dict.fromkeys(first.before)
        for operator, operand, type_ in steps:
            right = self.lowered(operand, scope, leaves)
            if right.before and operator in ("and", "or", "nand"):
                name = c.Name(self.new_name("truth"))
                wanted = c.Unary("!", name) if operator == "or" else name
                asked = c.If(wanted, (*right.before, c.Assign(name, truth(right.value))))
                before |= dict.fromkeys((c.Declare(c.BOOL, name.name, truth(value)), asked))
                value = CValue(c.Unary("!", name) if operator == "nand" else name, BOOL)
            else:
                before |= dict.fromkeys(right.before)
                value = binary(operator, value, right.value)
            value = convert(value, type_ or value.type)
        return Lowered(value, tuple(before))

    # --- choices ------------------------------------------------------------------------------------------------

    def _if(self, node: If, scope: CScope, leaves: Leaves) -> Lowered:
        asked, then, otherwise = (self.lowered(child, scope, leaves) for child in children(node))
        chosen = self.choice(self.facts.types[node], [(truth(asked.value), then), (None, otherwise)])
        return Lowered(chosen.value, (*asked.before, *chosen.before))

    def branches(self, node: Case, scope: CScope) -> list[tuple[c.Expression | None, Expression]]:
        """Returns the branches that are reached, with their tests; None where no test is needed."""
        return [
            (None if domain is known else self.test(domain, known, scope), branch)
            for domain, known, branch in self._reached(node)
        ]

    def _reached(self, node: Case) -> list[tuple[Domain, Domain, Expression]]:
        """Returns the branches that are reached, each with its domain and the domain that earlier branches leave."""
        whole = known = self.facts.context_domain[node]
        reached: list[tuple[Domain, Domain, Expression]] = []
        for branch in node.branches:
            domain = self.facts.expression_domain[branch]
            if (domain & known).is_empty():
                continue
            reached.append((domain, known, branch))
            known = (known - domain).simplify()
        return reached or [(whole, whole, node.branches[0])]

    def test(self, domain: Domain, known: Domain, scope: CScope) -> c.Expression | None:
        """Returns the test of membership in `domain` inside `known`."""
        test = guard(domain, known)
        return None if test is None else integer(bound(test, self.names(domain.space.names, scope)))

    def choice(self, type_: ScalarType, choices: Sequence[Choice]) -> Lowered:
        """Returns the first choice whose test holds; the last one has no test, or needs none."""
        reached = [position for position, (test, _) in enumerate(choices) if test is None]
        *first, (_, last) = choices[: reached[0] + 1] if reached else choices
        if not any(lowered.before for _, lowered in (*first, (None, last))):
            code = convert(last.value, type_).code
            for test, lowered in reversed(first):
                assert test is not None
                code = c.Ternary(test, convert(lowered.value, type_).code, code)
            return Lowered(CValue(code, type_))
        name = c.Name(self.new_name("chosen"))
        chain = _assigned(name, type_, last)
        for test, lowered in reversed(first):
            assert test is not None
            chain = (c.If(test, _assigned(name, type_, lowered), chain),)
        return Lowered(CValue(name, type_), (c.Declare(c.scalar(type_), name.name), *chain))


def _assigned(name: c.Name, type_: ScalarType, found: Lowered) -> tuple[c.Statement, ...]:
    return (*found.before, c.Assign(name, convert(found.value, type_).code))


def parameter_values(parameters: Sequence[str]) -> dict[str, Affine]:
    """Returns each parameter as its C identifier."""
    return {name: Affine.name(identifier(name)) for name in parameters}


__all__ = [
    "STATUS",
    "CScope",
    "CValue",
    "Lowered",
    "Lowering",
    "binary",
    "call",
    "combine",
    "convert",
    "first_step",
    "identity",
    "literal",
    "parameter_values",
    "truth",
    "unary",
]
