"""Types of variables that are declared with `auto`: those of their initial values."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import DEDUCED_TYPE
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.diagnostics import Source
from alphaz.model.types import BOOL, DOUBLE, FLOAT, INT, ScalarType, common_type, promoted
from alphaz.scop.tree_queries import scalar_type
from alphaz.scop.unsupported import outside, span_of

_UNSIGNED = c.Scalar("unsigned int")
_BOOL = c.Scalar("bool")
_BUILT_IN = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
_INTEGER = re.compile(r"0|[1-9]\d*")
_REAL = re.compile(r"(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?(f|F)?")


def with_deduced_types(source: Source, file: c.File) -> c.File:
    """Returns the file with the type of each `auto`. Raises Rejected (AZ832) where it does not follow from names that
    have one type in their function."""
    if not any(map(_is_deduced, (node.type for node in nodes(file.items, c.Declare)))):
        return file
    outer = _Types({one.name: one.type for one in file.items if isinstance(one, c.Declare)})
    outer.results = _results(file)
    items = (_resolved(source, item, outer) if isinstance(item, c.Function) else item for item in file.items)
    return replace(file, items=tuple(items))


def _results(file: c.File) -> Mapping[str, c.Type]:
    """Returns the types that functions return, of those whose name has one type."""
    found: dict[str, set[c.Type]] = {}
    for item in file.items:
        if isinstance(item, c.Function):
            found.setdefault(item.name, set()).add(item.type)
    return {name: types.pop() for name, types in found.items() if len(types) == 1}


def _resolved(source: Source, function: c.Function, outer: "_Types") -> c.Function:
    known = replace(
        outer, types={**outer.types, **{parameter.name: parameter.type for parameter in function.parameters}}
    )
    names = {parameter.name for parameter in function.parameters} | outer.types.keys()

    def change(part: Part) -> Part | None:
        if not isinstance(part, c.Declare):
            return None
        declared = part.type
        if _is_deduced(declared):
            found = None if part.value is None else known.of(part.value)
            deduced = None if found is None else _filled(declared, found)
            if deduced is None:
                message = f"cannot deduce the type of `{part.name}`"
                raise outside(span_of(source, part), message, "declare it with its type")
            declared = deduced
        if part.name in names and known.types.get(part.name) != declared:
            known.types[part.name] = None
        else:
            known.types[part.name] = declared
        names.add(part.name)
        return None if declared is part.type else replace(part, type=declared)

    return rebuilt(function, change)


def _is_deduced(type_: c.Type) -> bool:
    while isinstance(type_, c.Pointer):
        type_ = type_.to
    return isinstance(type_, c.Named) and type_.name == DEDUCED_TYPE


def _filled(pattern: c.Type, found: c.Type) -> c.Type | None:
    """Returns the type of a value in the place of `auto`, or in that of `auto *`."""
    if isinstance(pattern, c.Pointer):
        inside = _filled(pattern.to, found.to) if isinstance(found, c.Pointer) else None
        return None if inside is None else replace(pattern, to=inside)
    return replace(found, const=isinstance(pattern, c.Named) and pattern.const, volatile=pattern.volatile)


@dataclass
class _Types:
    """The types of names; None for a name that has several."""

    types: dict[str, c.Type | None]
    results: Mapping[str, c.Type] = field(default_factory=dict)

    def of(self, value: c.Expression) -> c.Type | None:
        """Returns the type of a value, without qualifiers of its own; None if it is not known: of sums of pointers, of
        most functions, and where a name has several types."""
        match value:
            case c.Literal(text):
                return _of_literal(text)
            case c.Name(name):
                return _decayed(self.types.get(name))
            case c.Cast(type_, _):
                return _decayed(type_)
            case c.Member(c.Name(name), _, False) if name in _BUILT_IN and name not in self.types:
                return _UNSIGNED
            case c.Index(base, _):
                return self._element(base)
            case c.Unary():
                return self._of_unary(value)
            case c.Binary():
                return self._of_binary(value)
            case c.Ternary(_, then, otherwise):
                return self._common(then, otherwise, always=False)
            case c.Call(str() as name, arguments):
                return self._of_call(name, arguments)
        return None

    def _element(self, base: c.Expression) -> c.Type | None:
        whole = self.of(base)
        return _decayed(whole.to) if isinstance(whole, c.Pointer) else None

    def _of_unary(self, value: c.Unary) -> c.Type | None:
        inside = self.of(value.operand)
        match value.operator:
            case "*":
                return self._element(value.operand)
            case "&" if inside is not None and isinstance(value.operand, c.Index) and scalar_type(inside) is not None:
                return self.of(value.operand.base)
            case "-" | "+" | "~":
                return _written(promoted, scalar_type(inside))
            case "!":
                return _BOOL
        return None

    def _of_binary(self, value: c.Binary) -> c.Type | None:
        if value.operator in _COMPARISONS:
            return _BOOL
        left, right = self.of(value.left), self.of(value.right)
        if isinstance(left, c.Pointer) or isinstance(right, c.Pointer):
            is_moved = value.operator in ("+", "-") and isinstance(left, c.Pointer) and scalar_type(right) is not None
            return left if is_moved else None
        if value.operator in ("<<", ">>"):
            return _written(promoted, scalar_type(left))
        return self._common(value.left, value.right, always=True)

    def _common(self, left: c.Expression, right: c.Expression, *, always: bool) -> c.Type | None:
        """Returns the type of both; `always`: of arithmetic with them."""
        one, other = self.of(left), self.of(right)
        if not always and one is not None and one == other:
            return one
        scalars = scalar_type(one), scalar_type(other)
        if scalars[0] is None or scalars[1] is None:
            return None
        return c.Scalar(_name(common_type(scalars[0], scalars[1])))

    def _of_call(self, name: str, arguments: tuple[c.Expression, ...]) -> c.Type | None:
        if name in self.results:
            return _decayed(self.results[name])
        types = [self.of(argument) for argument in arguments]
        if name in ("min", "max") and len(types) == 2 and types[0] == types[1]:
            return types[0]
        if name == "__ldg" and isinstance(types[0], c.Pointer):
            return _decayed(types[0].to)
        is_exchange = name in ("__shfl_sync", "__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync")
        return types[1] if is_exchange and len(types) > 1 else None


def _written(change: Callable[[ScalarType], ScalarType], type_: ScalarType | None) -> c.Type | None:
    return None if type_ is None else c.Scalar(_name(change(type_)))


def _name(type_: ScalarType) -> str:
    return "bool" if type_ == BOOL else type_.c_name


def _decayed(type_: c.Type | None) -> c.Type | None:
    """Returns the type of a value of this type: an array is a pointer, and the value is not constant itself."""
    match type_:
        case c.Array(of):
            return c.Pointer(of)
        case c.Pointer(to):
            return c.Pointer(to)
        case c.Scalar(name) | c.Named(name):
            scalar = scalar_type(type_)
            return None if scalar is None or name == DEDUCED_TYPE else c.Scalar(_name(scalar))
    return None


def _of_literal(text: str) -> c.Type | None:
    if _INTEGER.fullmatch(text) and int(text) < 1 << 31:
        return c.Scalar(_name(INT))
    if _INTEGER.fullmatch(text[:-1]) and text[-1] in "uU" and int(text[:-1]) < 1 << 32:
        return _UNSIGNED
    if (real := _REAL.fullmatch(text)) is not None:
        return c.Scalar(_name(FLOAT if real[1] else DOUBLE))
    return _BOOL if text in ("true", "false") else None
