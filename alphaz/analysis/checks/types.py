"""The C type of every expression.

* Literals: an integer is int if it fits, else long; a real is double; an index value is long (indices have 64 bits). *
+ - * / and unary -: C's integer promotions and usual arithmetic conversions (C11 6.3.1); / and % are C's, and % has no
meaning for floating types. min and max work in the common type; of two equal types it is that type, unpromoted. *
Relational and logical operators give bool. Logical operators and conditions take bool or any integer (not zero is true,
as in C); a floating one is an error. and, or, xor, nand are logical, never bitwise. * if and case: the common type of
their branches. * A reduction accumulates in its own type. Where its value becomes the value of the equation as it is
(directly or through restricts, branches of a case or if, and compositions), that is the type of the equation's
variable: it then makes no difference whether the accumulator is the variable itself. Elsewhere it is the type of the
body, promoted for + and *, unpromoted for min and max; bool for and, or, xor; the result type for a function. * A
function has its declared result type; its arguments are converted to the declared types.

A conversion warns (AZ206) where it takes a floating value to an integer, or a value that is no literal and no index to
fewer bits, or to a signed type of as many bits from an unsigned one. A product of narrow types is an int, and so are a
sum and a difference of two that are no literals and no indices, and a reduction by + or *. It also warns where a signed
value that may be negative becomes unsigned (not as an operand of + - *, whose results are the same modulo 2^bits), and
where an unsigned value that would be negative without a limit of bits, as that of -u, becomes wider or floating."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.analysis.checks.sign_inference import Signs
from alphaz.analysis.elaboration_findings import Findings
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.rules import LOSSY, TYPE
from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Case,
    Compose,
    Constant,
    Expression,
    If,
    IndexValue,
    Nary,
    Reduce,
    Restrict,
    Unary,
)  # fmt: skip
from alphaz.model.program import External, Variable
from alphaz.model.real_numbers import real_type
from alphaz.model.types import BOOL, INT, LONG, ScalarType, common_type, promoted
from alphaz.model.walk import children
from alphaz.poly import Domain

LOGICAL = frozenset({"and", "or", "xor", "nand", "not"})
RELATIONAL = frozenset({"==", "!=", "<", "<=", ">", ">="})
EXTREMES = frozenset({"min", "max"})
_MODULAR = frozenset({"+", "-", "*"})


@dataclass(frozen=True, slots=True, eq=False)
class Typing:
    """Types the expressions of one system. `types` is complete for every expression that was given to `expect`.

    `needs` has the domains on which expressions are needed, where they are known. `sources` has the type from which the
    value comes, without literals and indices: None if there is nothing else."""

    variables: Mapping[str, Variable]
    externals: Mapping[str, External]
    needs: Mapping[Expression, Domain]
    findings: Findings
    types: dict[Expression, ScalarType] = field(default_factory=dict)
    sources: dict[Expression, ScalarType | None] = field(default_factory=dict)

    def expect(self, root: Expression, target_type: ScalarType, where: Span, what: str) -> None:
        """Types an expression whose value is converted to `target_type`; `what` names the object that has that type."""
        self._type(root, target_type)
        self._convert(root, target_type, what, Label(where, f"declared `{target_type}`"))

    def condition(self, root: Expression) -> None:
        """Types an expression that must be a condition."""
        self._type(root, None)
        self._truth(root, "a condition")

    # --- conversions --------------------------------------------------------------------------------------------

    def _convert(self, node: Expression, target_type: ScalarType, what: str, declared: Label) -> None:
        lost = _narrowed_type(self.types[node], self.sources[node], target_type)
        if lost is not None:
            message = f"a value of type {lost} is converted to {target_type}, the type of {what}"
            self.findings.report(LOSSY, message, node.span, f"{lost}", related=(declared,))
        elif self._loses_sign(node, target_type):
            self._report_sign(node, target_type, what, declared)

    def _loses_sign(self, node: Expression, target_type: ScalarType) -> bool:
        """Returns True if the value may be negative, and the conversion, or an operation before it, makes it
        positive."""
        own_type = self.types[node]
        if own_type.is_float or target_type.kind == "bool":
            return False
        if own_type.signed:
            is_lost = not target_type.signed
        else:
            is_lost = target_type.is_float or target_type.bits > own_type.bits
        return is_lost and Signs(self.types, self.needs).may_be_negative(node)

    def _report_sign(self, node: Expression, target_type: ScalarType, what: str, *related: Label) -> None:
        own_type = self.types[node]
        value = f"a value of type {own_type} that may be negative"
        if not own_type.signed:
            value = f"a value that may be negative wraps around in {own_type}, and"
        message = f"{value} is converted to {target_type}, the type of {what}"
        self.findings.report(LOSSY, message, node.span, f"{own_type}", related=related)

    def _truth(self, node: Expression, what: str) -> None:
        if self.types[node].is_float:
            self.findings.report(
                TYPE,
                f"{what} must be a bool or an integer, not {self.types[node]}",
                node.span,
                f"{self.types[node]}",
                help_="compare the value with something: `x != 0.0`",
            )

    # --- bottom-up, with the accumulator's type on the way down -------------------------------------------------

    def _type(self, node: Expression, target_type: ScalarType | None) -> ScalarType:
        """The type of a node. `target_type` is the type of the equation's variable if the value of the node becomes its
        value."""
        own_type, source = self._typed(node, target_type)
        self.types[node], self.sources[node] = own_type, source
        return own_type

    def _typed(self, node: Expression, target_type: ScalarType | None) -> tuple[ScalarType, ScalarType | None]:
        match node:
            case Constant():
                return _literal(node.value), None
            case IndexValue():
                return LONG, None
            case Access():
                type_ = self.variables[node.variable].type
                return type_, type_
            case Restrict() | Compose():
                return self._type(node.body, target_type), self.sources[node.body]
            case Case():
                return self._joined(node.branches, target_type)
            case If():
                self._type(node.condition, None)
                self._truth(node.condition, "a condition")
                return self._joined((node.then, node.otherwise), target_type)
            case Call():
                return self._call(node)
            case Reduce():
                return self._reduction(node, target_type)
        return self._operation(node)

    def _joined(
        self, parts: tuple[Expression, ...], target_type: ScalarType | None
    ) -> tuple[ScalarType, ScalarType | None]:
        types = [self._type(part, target_type) for part in parts]
        self._keep_signs(parts, _common(types), "the other value")
        return _common(types), _common_source([self.sources[part] for part in parts])

    def _call(self, node: Call) -> tuple[ScalarType, ScalarType | None]:
        external = self.externals[node.function]
        for argument, target_type in zip(node.arguments, external.arguments, strict=True):
            self._type(argument, None)
            if target_type is not None:
                declared = Label(external.span, "declared here")
                self._convert(argument, target_type, f"an argument of `{external.name}`", declared)
        return external.type, external.type

    def _reduction(self, node: Reduce, target_type: ScalarType | None) -> tuple[ScalarType, ScalarType | None]:
        body = self._type(node.body, None)
        source = self.sources[node.body]
        if node.operator in LOGICAL:
            self._truth(node.body, f"what `{node.operator}` combines")
            return (BOOL if target_type is None else target_type), BOOL
        if node.operator in self.externals and node.operator not in ("+", "*", *EXTREMES):
            result = self.externals[node.operator].type
            return (result if target_type is None else target_type), result
        if target_type is not None:
            return self._accumulated(node, target_type)
        return (body, source) if node.operator in EXTREMES else (promoted(body), _of_many(body, source))

    def _accumulated(self, node: Reduce, target_type: ScalarType) -> tuple[ScalarType, ScalarType | None]:
        """The accumulator has the type of the variable: a conversion loses values at every step."""
        body_type = self.types[node.body]
        source = self.sources[node.body]
        if node.operator not in EXTREMES:
            source = _of_many(body_type, source)
        lost = _narrowed_type(body_type, source, target_type)
        if lost is not None:
            self.findings.report(
                LOSSY,
                f"a value of type {lost} is accumulated in a variable of type {target_type}",
                node.body.span,
                f"{lost}",
                help_=f"declare the variable with type {lost}, or convert on purpose in an equation of its own",
            )
        elif self._loses_sign(node.body, target_type):
            self._report_sign(node.body, target_type, "the reduction")
        return target_type, target_type

    def _operation(self, node: Expression) -> tuple[ScalarType, ScalarType | None]:
        operands = children(node)
        types = [self._type(operand, None) for operand in operands]
        operator = node.operator if isinstance(node, Unary | Binary | Nary) else ""
        source = _common_source([self.sources[operand] for operand in operands])
        if operator in LOGICAL:
            for operand in operands:
                self._truth(operand, f"an operand of `{operator}`")
            return BOOL, BOOL
        result = promoted(types[0]) if len(types) == 1 else _arithmetic(types)
        self._keep_signs(operands, result, f"the operands of `{operator}`", is_modular=operator in _MODULAR)
        if operator in RELATIONAL:
            return BOOL, BOOL
        if operator in EXTREMES:
            return _common(types), source
        if operator == "%" and result.is_float:
            self._no_remainder(node, operands, types)
        sourced = sum(self.sources[operand] is not None for operand in operands)
        if source is not None and (operator == "*" or (operator in ("+", "-") and sourced > 1)):
            source = promoted(source)
        return result, source

    def _keep_signs(
        self, operands: tuple[Expression, ...], common: ScalarType, what: str, *, is_modular: bool = False
    ) -> None:
        """Reports operands that lose their sign in the common type; a modular operation may have signed ones."""
        for operand in operands:
            if not (is_modular and self.types[operand].signed) and self._loses_sign(operand, common):
                self._report_sign(operand, common, what)

    def _no_remainder(self, node: Expression, operands: tuple[Expression, ...], types: list[ScalarType]) -> None:
        culprits = [(o, t) for o, t in zip(operands, types, strict=True) if t.is_float]
        self.findings.report(
            TYPE,
            f"`%` has no meaning for {culprits[0][1]}",
            node.span,
            "the remainder of a floating value",
            related=tuple(Label(o.span, f"{t}") for o, t in culprits),
            help_="both operands of `%` must be integers",
        )


def _literal(value: int | bool | str) -> ScalarType:
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, str):
        return real_type(value)
    return INT if -(2**31) <= value < 2**31 else LONG


def _arithmetic(types: list[ScalarType]) -> ScalarType:
    result = types[0]
    for type_ in types[1:]:
        result = common_type(result, type_)
    return result


def _narrowed_type(type_: ScalarType, source: ScalarType | None, target_type: ScalarType) -> ScalarType | None:
    """The type that a message names if a conversion to `target_type` may lose a value, else None."""
    if type_.is_float and not target_type.is_float:
        return type_
    if source is None or target_type.kind == "bool":
        return None
    return source if source.is_float == target_type.is_float and is_wider(source, target_type) else None


def is_wider(source: ScalarType, target_type: ScalarType) -> bool:
    """Returns True if the source, of two types that are both floating or not, has greater values than the target."""
    if source.bits == target_type.bits:
        return target_type.signed and not source.signed
    return source.bits > target_type.bits


def _of_many(type_: ScalarType, source: ScalarType | None) -> ScalarType | None:
    """The source type of a sum or a product of many values of the type; int for integer literals and indices."""
    if source is None:
        return None if type_.is_float else INT
    return promoted(source)


def _common(types: list[ScalarType]) -> ScalarType:
    """The type itself if all are equal, else C's common type."""
    return types[0] if all(t == types[0] for t in types) else _arithmetic(types)


def _common_source(types: list[ScalarType | None]) -> ScalarType | None:
    scalar_types = [t for t in types if t is not None]
    return _common(scalar_types) if scalar_types else None
