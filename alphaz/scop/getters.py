"""Functions that return one element or number: their value is written where they are called.

double at(const double *a, int n, int i, int j) { return a[i * n + j]; }        x = at(a, m, k, l);
                                                                         becomes x = a[k * m + l];
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import Part, children, copied, nodes, rebuilt
from alphaz.model.types import ScalarType
from alphaz.scop.substitution import as_declared, names_in
from alphaz.scop.tree_queries import declarations, definitions, element_type, is_simple, scalar_type

_CHANGES = (c.Step, c.Set)
_DEEPEST = 4


def with_getters(tree: c.File) -> c.File:
    """Returns the file with the values of such functions in front of their calls. Functions without pointers among
    their arguments stay: the reader inlines them."""
    getters = {name: function for name, function in definitions(tree).items() if _is_getter(function)}
    for _ in range(_DEEPEST if getters else 0):
        after = replace(tree, items=tuple(_read(item, getters, tree) for item in tree.items))
        if after == tree:
            break
        tree = after
        getters = {
            name: function for name, function in definitions(tree).items() if name in getters and _is_getter(function)
        }
    return tree


def _is_getter(function: c.Function) -> bool:
    if scalar_type(function.type) is None or "__global__" in function.qualifiers:
        return False
    match function.body:
        case (c.Return(value),) if value is not None and not nodes(value, (*_CHANGES, c.SizeOf)):
            types = [parameter.type for parameter in function.parameters]
            return any(isinstance(type_, c.Pointer | c.Array) for type_ in types) and all(
                element_type(type_) is not None and not _restricted(type_)
                if isinstance(type_, c.Pointer | c.Array)
                else scalar_type(type_) is not None
                for type_ in types
            )
    return False


def _restricted(type_: c.Type) -> bool:
    """Returns True for a pointer that promises something, or to rows."""
    if isinstance(type_, c.Array):
        return type_.restrict or type_.static or isinstance(type_.of, c.Array)
    return isinstance(type_, c.Pointer) and isinstance(type_.to, c.Pointer | c.Array)


def _read(item: c.Item, getters: dict[str, c.Function], tree: c.File) -> c.Item:
    if not isinstance(item, c.Function) or item.body is None:
        return item
    caller = _Caller.of(item, tree)

    def change(part: Part) -> Part | None:
        if not isinstance(part, c.Call) or not isinstance(part.function, str):
            return None
        getter = getters.get(part.function)
        return _value(getter, part) if getter is not None and caller.may_read(getter, part) else None

    return rebuilt(item, change)


@dataclass(frozen=True, slots=True)
class _Caller:
    """A function that calls others: its `own` names, the variables that have a value from their declaration on, the
    types of elements, None where they are not clear, and the functions of the file that may do more than return a
    value."""

    name: str
    own: set[str]
    valued: set[str]
    types: Mapping[str, ScalarType | None]
    impure: set[str]

    @staticmethod
    def of(item: c.Function, tree: c.File) -> "_Caller":
        declared, types = declarations(item), dict[str, ScalarType | None]()
        names = {node.name for node in declared}
        outer: list[c.Parameter | c.Declare] = [one for one in tree.items if isinstance(one, c.Declare)]
        for node in (*declared, *outer):
            type_ = element_type(node.type)
            types[node.name] = type_ if types.get(node.name, type_) == type_ else None
        without = {node.name for node in declared if isinstance(node, c.Declare) and node.value is None}
        return _Caller(
            name=item.name,
            own=names | {node.name for node in nodes(item, c.Typedef)},
            valued=names - without,
            types=types,
            impure={name for name, function in definitions(tree).items() if not _returns_only(function)},
        )

    def may_read(self, getter: c.Function, call: c.Call) -> bool:
        """Returns True if the value of a getter means the same in the place of its call."""
        if getter.name in {self.name, *self.own} or _outer(getter) & self.own:
            return False
        if len(getter.parameters) != len(call.arguments) or nodes(call.arguments, _CHANGES):
            return False
        if {inner.function for inner in nodes(call.arguments, c.Call)} & self.impure:
            return False
        (returned,) = getter.body or ()
        certain = _certain(returned.value) if isinstance(returned, c.Return) and returned.value is not None else set()
        return all(
            self._is_of_type(parameter.type, argument)
            and (parameter.name in certain or self._is_defined(parameter.type, argument))
            for parameter, argument in zip(getter.parameters, call.arguments, strict=True)
        )

    def _is_of_type(self, type_: c.Type, argument: c.Expression) -> bool:
        """Returns True if a pointer has the type of its parameter: no element is read as another type."""
        return is_simple(type_) or self.types.get(_root(argument)) == element_type(type_)

    def _is_defined(self, type_: c.Type, argument: c.Expression) -> bool:
        """Returns True for an argument whose evaluation cannot go wrong: the value of the getter may leave it out."""
        match argument:
            case c.Literal():
                return True
            case c.Name(name):
                return not is_simple(type_) or name in self.valued or name not in self.own
            case c.Binary("+" | "-" | "*", left, right) if is_simple(type_):
                return self._is_defined(type_, left) and self._is_defined(type_, right)
        return False


def _root(argument: c.Expression) -> str:
    """Returns the name of the array that a pointer points into."""
    match argument:
        case c.Name(name):
            return name
        case c.Unary("&", inner) | c.Index(inner) | c.Cast(_, inner) | c.Binary("+" | "-", inner):
            return _root(inner)
    return ""


def _certain(value: Part) -> set[str]:
    """Returns the names that are read whenever an expression is evaluated."""
    match value:
        case c.Name(name):
            return {name}
        case c.Ternary(test, then, otherwise):
            return _certain(test) | _certain(then) & _certain(otherwise)
        case c.Binary("&&" | "||", left):
            return _certain(left)
    return {name for child in children(value) for name in _certain(child)}


def _returns_only(function: c.Function) -> bool:
    match function.body:
        case (c.Return(value),):
            return not nodes(value, _CHANGES)
    return False


def _outer(function: c.Function) -> set[str]:
    """Returns the names of a function's value, and of the functions that it calls, that are not its arguments."""
    return names_in(function.body or ()) - {parameter.name for parameter in function.parameters}


def _value(getter: c.Function, call: c.Call) -> c.Expression:
    values: dict[str, c.Expression] = {}
    for parameter, argument in zip(getter.parameters, call.arguments, strict=True):
        is_number = scalar_type(parameter.type) is not None
        values[parameter.name] = as_declared(parameter.type, argument) if is_number else argument
    (returned,) = getter.body or ()
    assert isinstance(returned, c.Return)
    assert returned.value is not None

    def change(part: Part) -> Part | None:
        return copied(values[part.name]) if isinstance(part, c.Name) and part.name in values else None

    return as_declared(getter.type, _placed(rebuilt(copied(returned.value), change), call))


def _placed(value: c.Expression, call: c.Call) -> c.Expression:
    return replace(value, at=call.at)
