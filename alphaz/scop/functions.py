"""The functions of a file and their user-defined reductions; some are recognised by their bodies."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from alphaz.model.types import DOUBLE, FLOAT, INT, LONG, SCALAR_TYPES, ScalarType, promoted
from alphaz.scop.generated_helpers import ALLOCATED, ROUNDED, helper
from alphaz.scop.intrinsics import INTRINSICS, Intrinsic, LaneVector
from alphaz.scop.parsing import LANES
from alphaz.scop.pycparser_queries import (
    STEPS,
    is_index,
    is_integer,
    is_volatile,
    is_zero_of_type,
    named_type,
    nodes,
    parameters_of,
    scalar_type,
    type_text,
)

_DEEPEST = 8
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


@dataclass(frozen=True, slots=True)
class Functions:
    """The definitions of a file by name, and for functions that are only declared the types of parameters (None for
    types that are not scalar); the last type is that of the result."""

    defined: Mapping[str, Any]
    declared: Mapping[str, tuple[ScalarType | None, ...]]
    vectors: Mapping[str, LaneVector]

    def vector(self, node: Any) -> LaneVector | None:
        """Returns the element type and the number of lanes of a vector type; None for other types."""
        return None if is_volatile(node) else self.vectors.get(type_text(node))

    def intrinsics(self, call: Any) -> tuple[Intrinsic, ...]:
        """Returns the candidates for a called intrinsic, if the text includes its header."""
        name = call.name.name if isinstance(call.name, c_ast.ID) else ""
        is_included = ("__m128" if name.startswith("_mm") else "float64x2_t") in self.vectors
        return INTRINSICS.get(name, ()) if is_included else ()

    def called(self, call: Any) -> Any:
        """Returns the definition of the called function, if it is in this file."""
        return self.defined.get(call.name.name) if isinstance(call.name, c_ast.ID) else None

    def recognised_helper(self, name: str) -> str | None:
        """Returns which recognised helper this function is, by its whole body."""
        helper_name = helper(name, self.defined)
        if helper_name not in ROUNDED:
            return helper_name
        definition = self.defined[name]
        types = [*(parameter.type for parameter in parameters_of(definition)), definition.decl.type.type]
        return helper_name if all(is_index(scalar_type(type_)) for type_ in types) else None

    def allocates(self, name: str) -> bool:
        """Returns True if this is the helper of generated files that returns newly allocated memory, or NULL."""
        return self.recognised_helper(name) in ALLOCATED

    def signature(self, name: str, count: int) -> tuple[ScalarType | None, ...] | None:
        """Returns the types of `count` parameters and of the result of a pure external function."""
        if name in self.declared:
            types = self.declared[name]
            return types if len(types) == count + 1 else None
        if name in _DOUBLES:
            return (DOUBLE,) * (count + 1)
        if name.endswith("f") and name[:-1] in _DOUBLES:
            return (FLOAT,) * (count + 1)
        integer_type_ = {"abs": INT, "labs": LONG}.get(name)
        return None if integer_type_ is None else (integer_type_,) * (count + 1)


def functions_of(tree: c_ast.FileAST) -> Functions:
    defined = {item.decl.name: item for item in tree.ext if isinstance(item, c_ast.FuncDef)}
    declared: dict[str, tuple[ScalarType | None, ...]] = {}
    for item in tree.ext:
        if isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.FuncDecl):
            parameters = item.type.args.params if item.type.args is not None else []
            types = (getattr(parameter, "type", None) for parameter in parameters)
            declared[item.name] = (*map(scalar_type, types), scalar_type(item.type.type))
        elif isinstance(item, c_ast.Decl) and item.name is not None:
            # A pointer to a function may have the name of a function.
            declared[item.name] = ()
    return Functions(defined, declared, dict(_vectors(tree)))


def _vectors(tree: c_ast.FileAST) -> Iterator[tuple[str, LaneVector]]:
    for typedef in (typedef for typedef in tree.ext if isinstance(typedef, c_ast.Typedef)):
        match typedef.type:
            case c_ast.TypeDecl(type=c_ast.Struct(decls=[c_ast.Decl(name=name, type=c_ast.ArrayDecl() as lanes)])):
                type_ = scalar_type(lanes.type)
                if name == LANES and type_ is not None:
                    yield typedef.name, LaneVector(type_, int(lanes.dim.value))


def holds_only_status_codes(functions: Functions, body: Any, name: str, depth: int = 0) -> bool:
    """Returns True if a variable changes only in functions that receive its address, or holds only status codes."""
    assignments = [
        node for node in nodes(body, c_ast.Assignment) if isinstance(node.lvalue, c_ast.ID) and node.lvalue.name == name
    ]
    steps = [node.expr for node in nodes(body, c_ast.UnaryOp) if node.op in STEPS]
    return not any(isinstance(step, c_ast.ID) and step.name == name for step in steps) and all(
        assignment.op == "=" and returns_status_code(functions, assignment.rvalue, depth) for assignment in assignments
    )


def returns_status_code(functions: Functions, call: Any, depth: int = 0) -> bool:
    """Returns True for a call of a function of the file that returns an `int` status code: constants, status codes of
    its callees, or a variable that begins with 0 and holds nothing else."""
    definition = functions.called(call) if isinstance(call, c_ast.FuncCall) else None
    if definition is None or scalar_type(definition.decl.type.type) != INT or depth > _DEEPEST:
        return False
    statuses = {node.name for node in nodes(definition.body, c_ast.Decl) if is_zero_of_type(node, INT)}
    statuses = {status for status in statuses if holds_only_status_codes(functions, definition.body, status, depth + 1)}
    returned = [node.expr for node in nodes(definition.body, c_ast.Return)]
    return bool(returned) and all(
        (isinstance(value, c_ast.Constant) and is_integer(value))
        or (isinstance(value, c_ast.ID) and value.name in statuses)
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


def combiners(tree: c_ast.FileAST, functions: Functions) -> Mapping[str, tuple[str, ScalarType]]:
    """Returns the operators and types of all reductions that a file declares, by name."""
    declared = [combiner(item.string, functions) for item in tree.ext if isinstance(item, c_ast.Pragma)]
    return {name: (operator, type_) for name, operator, type_ in filter(None, declared)}


def _wraps(definition: Any, type_: ScalarType) -> str | None:
    """Returns the operator of `T f(T a, T b) { return (T)((unsigned T)a + (unsigned T)b); }`, where the unsigned type
    is that in which C computes; None for any other function."""
    arguments = definition.decl.type.args
    parameters = arguments.params if arguments is not None else []
    types = [scalar_type(declaration.type) for declaration in (*parameters, definition.decl.type)]
    if types != [type_] * 3:
        return None
    match definition.body.block_items:
        case [c_ast.Return(expr=c_ast.Cast(to_type=whole, expr=c_ast.BinaryOp() as value))]:
            casts = (value.left, value.right)
            if scalar_type(whole.type) != type_ or not all(isinstance(cast, c_ast.Cast) for cast in casts):
                return None
            unsigned = SCALAR_TYPES[f"unsigned {promoted(type_).name}"]
            names = [cast.expr.name for cast in casts if isinstance(cast.expr, c_ast.ID)]
            same = [scalar_type(cast.to_type.type) for cast in casts] == [unsigned] * 2
            return value.op if same and names == [parameter.name for parameter in parameters] else None
    return None
