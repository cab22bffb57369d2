"""The functions of a file and their user-defined reductions; some are recognised by their bodies."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.model.types import DOUBLE, FLOAT, INT, LONG, SCALAR_TYPES, ScalarType, promoted
from alphaz.scop.generated_helpers import ALLOCATED, ROUNDED, helper
from alphaz.scop.intrinsics import INTRINSICS, Intrinsic, LaneVector
from alphaz.scop.tree_queries import (
    Trees,
    definitions,
    is_index_type,
    is_integer,
    is_zero_of_type,
    name_of,
    named_type,
    scalar_type,
    type_text,
)

_DEEPEST = 8
_ELEMENTS = (DOUBLE, FLOAT, INT, LONG)
"""Element types of vectors: C computes in them unpromoted, so that one lane is what C computes for scalars."""
_DOUBLES = frozenset(
    {
        "sqrt",
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "fabs",
        "floor",
        "ceil",
        "cbrt",
        "pow",
        "atan2",
        "fmod",
        "hypot",
        "exp2",
        "log2",
        "log10",
        "fmin",
        "fmax",
        "expm1",
        "log1p",
    }
)
_OF_TWO = frozenset({"pow", "atan2", "fmod", "hypot", "fmin", "fmax"})


@dataclass(frozen=True, slots=True)
class Functions:
    """The definitions of a file by name, and for functions that are only declared the types of parameters (None for
    types that are not scalar); the last type is that of the result."""

    defined: Mapping[str, c.Function]
    declared: Mapping[str, tuple[ScalarType | None, ...]]
    vectors: Mapping[str, LaneVector]

    def vector(self, type_: c.Type) -> LaneVector | None:
        """Returns the element type and the number of lanes of a vector type; None for other types."""
        return None if type_.volatile else self.vectors.get(type_text(type_))

    def intrinsics(self, call: c.Call) -> tuple[Intrinsic, ...]:
        """Returns the candidates for a called intrinsic, if the text includes its header."""
        name = name_of(call)
        is_included = ("__m128" if name.startswith("_mm") else "float64x2_t") in self.vectors
        return INTRINSICS.get(name, ()) if is_included else ()

    def called(self, call: c.Expression) -> c.Function | None:
        """Returns the definition of the called function, if it is in this file."""
        name = call.function if isinstance(call, c.Call) else None
        return self.defined.get(name) if isinstance(name, str) else None

    def recognised_helper(self, name: str) -> str | None:
        """Returns which recognised helper this function is, by its whole body."""
        helper_name = helper(name, self.defined)
        if helper_name not in ROUNDED:
            return helper_name
        definition = self.defined[name]
        types = [*(parameter.type for parameter in definition.parameters), definition.type]
        return helper_name if all(is_index_type(scalar_type(type_)) for type_ in types) else None

    def allocates(self, name: str) -> bool:
        """Returns True if this is the helper of generated files that returns newly allocated memory, or NULL."""
        return self.recognised_helper(name) in ALLOCATED

    def signature(self, name: str, count: int) -> tuple[ScalarType | None, ...] | None:
        """Returns the types of `count` parameters and of the result of a pure external function."""
        if name in self.declared:
            types = self.declared[name]
            return types if len(types) == count + 1 else None
        double = name.removesuffix("f")
        type_ = DOUBLE if name in _DOUBLES else FLOAT if double in _DOUBLES else {"abs": INT, "labs": LONG}.get(name)
        expected = 2 if name in _OF_TWO or double in _OF_TWO else 1
        return (type_,) * (count + 1) if type_ is not None and count == expected else None


def functions_of(tree: c.File) -> Functions:
    declared: dict[str, tuple[ScalarType | None, ...]] = {}
    for item in tree.items:
        if isinstance(item, c.Function) and item.body is None:
            declared[item.name] = _signature(item)
        elif isinstance(item, c.Declare) and item.name:
            # A pointer to a function may have the name of a function.
            declared[item.name] = ()
    return Functions(definitions(tree), declared, dict(_vectors(tree)))


def _signature(prototype: c.Function) -> tuple[ScalarType | None, ...]:
    """Returns the types of the parameters and of the result; nothing for a function without parameters, whose result
    depends on something else."""
    if not prototype.parameters:
        return ()
    types = [*(scalar_type(parameter.type) for parameter in prototype.parameters), *([None] * prototype.variadic)]
    return (*types, scalar_type(prototype.type))


def _vectors(tree: c.File) -> Iterator[tuple[str, LaneVector]]:
    for item in tree.items:
        match item:
            case c.Typedef(c.Vector(of, bytes_), name):
                type_ = scalar_type(of)
                if type_ in _ELEMENTS and bytes_ * 8 % type_.bits == 0:
                    yield name, LaneVector(type_, bytes_ * 8 // type_.bits)


def holds_only_status_codes(functions: Functions, body: Trees, name: str, depth: int = 0) -> bool:
    """Returns True if a variable changes only in functions that receive its address, or holds only status codes."""
    variable = c.Name(name)
    assignments = [node for node in nodes(body, (c.Assign, c.Set)) if node.target == variable]
    return not any(step.operand == variable for step in nodes(body, c.Step)) and all(
        assignment.operator == "=" and returns_status_code(functions, assignment.value, depth)
        for assignment in assignments
    )


def returns_status_code(functions: Functions, call: c.Expression | None, depth: int = 0) -> bool:
    """Returns True for a call of a function of the file that returns an `int` status code: constants, status codes of
    its callees, or a variable that begins with 0 and holds nothing else."""
    definition = functions.called(call) if call is not None else None
    if definition is None or scalar_type(definition.type) != INT or depth > _DEEPEST:
        return False
    statuses = {node.name for node in nodes(definition.body, c.Declare) if is_zero_of_type(node, INT)}
    statuses = {status for status in statuses if holds_only_status_codes(functions, definition.body, status, depth + 1)}
    returned = [node.value for node in nodes(definition.body, c.Return)]
    return bool(returned) and all(
        (isinstance(value, c.Literal) and is_integer(value))
        or (isinstance(value, c.Name) and value.name in statuses)
        or returns_status_code(functions, value, depth + 1)
        for value in returned
    )


_DECLARED = re.compile(
    r"omp declare reduction ?\( ?(?P<name>\w+) ?: ?(?P<type>[\w ]+?) ?: ?"
    r"omp_out = (?P<function>\w+) ?\( ?omp_out ?, ?omp_in ?\) ?\) ?initializer ?\( ?omp_priv = (?P<first>[01]) ?\)"
)
# The initial values of the threads.
_FIRST = {"+": "0", "*": "1"}


def combiner(text: str, functions: Functions) -> tuple[str, str, ScalarType] | None:
    """Returns the name, the operator of programs and the type that a directive declares; None for an unsupported
    directive.

    The function adds or multiplies modulo 2^bits: `return (int)((unsigned int)a + (unsigned int)b);`.
    """
    match_ = _DECLARED.fullmatch(" ".join(text.split()))
    definition = functions.defined.get(match_["function"]) if match_ is not None else None
    type_ = named_type(tuple(match_["type"].split())) if match_ is not None else None
    if match_ is None or definition is None or type_ is None or not type_.signed:
        return None
    operator = _wraps(definition, type_)
    return (match_["name"], operator, type_) if operator and _FIRST.get(operator) == match_["first"] else None


def combiners(tree: c.File, functions: Functions) -> Mapping[str, tuple[str, ScalarType]]:
    """Returns the operators and types of all reductions that a file declares, by name."""
    declared = [combiner(item.text, functions) for item in tree.items if isinstance(item, c.Pragma)]
    return {name: (operator, type_) for name, operator, type_ in filter(None, declared)}


def _wraps(definition: c.Function, type_: ScalarType) -> str | None:
    """Returns the operator of `T f(T a, T b) { return (T)((unsigned T)a + (unsigned T)b); }`, where the unsigned type
    is that in which C computes; None for any other function."""
    types = [*(parameter.type for parameter in definition.parameters), definition.type]
    if list(map(scalar_type, types)) != [type_] * 3:
        return None
    match definition.body:
        case (c.Return(c.Cast(whole, c.Binary(operator, c.Cast(one, c.Name(a)), c.Cast(other, c.Name(b))))),):
            unsigned = SCALAR_TYPES[f"unsigned {promoted(type_).name}"]
            is_same = [scalar_type(cast) for cast in (whole, one, other)] == [type_, unsigned, unsigned]
            names = tuple(parameter.name for parameter in definition.parameters)
            return operator if is_same and (a, b) == names else None
    return None
