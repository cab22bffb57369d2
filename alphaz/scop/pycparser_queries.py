"""What a pycparser tree declares, changes and holds: types, integers, nodes of a kind, assigned names."""

from typing import Any

from pycparser import c_ast

from alphaz.model.types import SCALAR_TYPES, ScalarType
from alphaz.scop.intrinsics import INTEGERS, TYPES

_WIDTHS = (("SCHAR", 8), ("SHRT", 16), ("INT", 32), ("LONG", 64), ("LLONG", 64))
LIMITS = {
    **{f"{name}_MAX": 2 ** (bits - 1) - 1 for name, bits in _WIDTHS},
    **{f"{name}_MIN": -(2 ** (bits - 1)) for name, bits in _WIDTHS},
    **{f"U{name.removeprefix('S') if bits == 8 else name}_MAX": 2**bits - 1 for name, bits in _WIDTHS},
}
STEPS = ("++", "--", "p++", "p--")


def is_volatile(node: Any) -> bool:
    return bool({"volatile", "_Atomic"} & {*(getattr(node, "quals", None) or [])})


def type_text(node: Any) -> str:
    """Returns the type name of a declaration."""
    is_named = isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType)
    return " ".join(node.type.names) if is_named else ""


def is_of_header(node: Any) -> bool:
    """Returns True if a header defines the vector type: pointers to it are aligned to the whole vector."""
    return type_text(node) in TYPES


def has_unknown_element_type(node: Any) -> bool:
    """Returns True if a vector type does not determine its element type."""
    return type_text(node) in INTEGERS


def scalar_type(node: Any) -> ScalarType | None:
    """Returns the scalar type of a declaration; None for other types."""
    if not isinstance(node, c_ast.TypeDecl) or not isinstance(node.type, c_ast.IdentifierType):
        return None
    if is_volatile(node):
        return None
    return named_type(tuple(node.type.names))


SIZED_TYPES = {"int8_t": "char", "int16_t": "short", "int32_t": "int", "int64_t": "long"}
OTHER_TYPES = {"size_t": "unsigned long", "ptrdiff_t": "long", "intptr_t": "long", "bool": "bool", "_Bool": "bool"}


def named_type(words: tuple[str, ...]) -> ScalarType | None:
    if len(words) == 1:
        word = words[0]
        if word.startswith("u") and word[1:] in SIZED_TYPES:
            return SCALAR_TYPES["unsigned " + SIZED_TYPES[word[1:]]]
        words = tuple((SIZED_TYPES.get(word) or OTHER_TYPES.get(word) or word).split())
    is_unsigned = "unsigned" in words
    rest = sorted(w for w in words if w not in ("signed", "unsigned"))
    if "int" in rest and len(rest) > 1:
        rest.remove("int")
    name = {"": "int", "long long": "longlong"}.get(" ".join(rest), " ".join(rest))
    return SCALAR_TYPES.get(f"unsigned {name}" if is_unsigned else name)


def base(node: Any) -> Any:
    """Returns the declaration of the elements of pointers and arrays."""
    while isinstance(node, c_ast.PtrDecl | c_ast.ArrayDecl):
        node = node.type
    return node


def is_index(type_: ScalarType | None) -> bool:
    """Returns True if integers of this type are indices: signed, and of at least 32 bits."""
    return type_ is not None and type_.kind == "int" and type_.signed and type_.bits >= 32


def nodes(tree: Any, kind: Any) -> list[Any]:
    """Returns all nodes of a kind, outermost first."""
    matching, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        matching += [node] if isinstance(node, kind) else []
        waiting += [child for _, child in reversed(node.children())] if node is not None else []
    return matching


def changes(tree: Any) -> bool:
    """Returns True if a node of the tree assigns."""
    return bool(targets(tree))


def targets(tree: Any) -> list[Any]:
    """Returns the targets of assignments, increments and decrements in the tree."""
    steps = (node.expr for node in nodes(tree, c_ast.UnaryOp) if node.op in STEPS)
    return [*(node.lvalue for node in nodes(tree, c_ast.Assignment)), *steps]


def writes_elsewhere(definition: Any) -> bool:
    """Returns True if a function assigns to an object other than its own variables."""
    body = definition.body
    own = {node.name for node in nodes(body, c_ast.Decl) if not {"static", "extern"} & {*node.storage}}
    own |= {parameter.name for parameter in parameters_of(definition)}
    return any(not isinstance(target, c_ast.ID) or target.name not in own for target in targets(body))


def integer(node: Any) -> int | None:
    """Returns the value of an integer constant; None for one that C takes as unsigned."""
    value, is_decimal = _integer(node)
    return value if value < (1 << (63 if is_decimal else 31)) else None


def integer_type(node: Any) -> ScalarType:
    """Returns the type of an integer constant (C11, 6.4.4.1)."""
    text, (value, is_decimal) = node.value.lower(), _integer(node)
    is_unsigned = "u" in text or (not is_decimal and 1 << 31 <= value < 1 << 32)
    is_long = "l" in text or value >= (1 << (32 if is_unsigned else 31))
    return SCALAR_TYPES[f"{'unsigned ' if is_unsigned else ''}{'long' if is_long else 'int'}"]


def _integer(node: Any) -> tuple[int, bool]:
    """Returns the value, and whether it is written in decimal."""
    text = node.value.lower().rstrip("ul")
    is_decimal = text == "0" or not text.startswith("0")
    return int(text) if is_decimal else int(text, 0) if text[1] in "xb" else int(text, 8), is_decimal


def is_integer(node: Any) -> bool:
    """Returns True if a constant is an integer, and not a character."""
    return str(node.type).removeprefix("unsigned ") in ("int", "long int", "long long int")


def begins_with_itself(declaration: Any) -> bool:
    """Returns True if a variable's initial value reads the variable itself, which is undefined (`sizeof` reads
    nothing)."""
    return declaration.init is not None and _names(declaration.init, declaration.name)


def _names(tree: Any, name: str) -> bool:
    if isinstance(tree, c_ast.UnaryOp) and tree.op == "sizeof":
        return False
    if isinstance(tree, c_ast.ID):
        return bool(tree.name == name)
    return any(_names(child, name) for _, child in tree.children())


def changes_only_through_address(body: Any, name: str) -> bool:
    """Returns True if a variable changes only in functions that receive its address."""
    return not any(isinstance(target, c_ast.ID) and target.name == name for target in targets(body))


def is_zero_of_type(item: Any, type_: ScalarType) -> bool:
    """Returns True for the declaration `int x = 0`."""
    is_zero = isinstance(item.init, c_ast.Constant) and item.init.value == "0"
    return is_zero and scalar_type(item.type) == type_


def assigned(body: Any) -> frozenset[str]:
    """Returns the names that change after their declaration, except as iterators in heads of loops."""
    heads = {id(node) for loop in nodes(body, c_ast.For) for part in (loop.init, loop.next) if part is not None
             for node in nodes(part, c_ast.Assignment | c_ast.UnaryOp)}  # fmt: skip
    names: set[str] = set()
    for node in nodes(body, c_ast.Assignment):
        if id(node) not in heads and isinstance(node.lvalue, c_ast.ID):
            names.add(node.lvalue.name)
    for node in nodes(body, c_ast.UnaryOp):
        if id(node) not in heads and node.op in (*STEPS, "&") and isinstance(node.expr, c_ast.ID):
            names.add(node.expr.name)
    return frozenset(names)


def parameters_of(definition: Any) -> list[Any]:
    """Returns the parameters of a function; none for `(void)`."""
    arguments = definition.decl.type.args
    return [parameter for parameter in (arguments.params if arguments is not None else []) if not is_void(parameter)]


def is_void(named: Any) -> bool:
    """Returns True if a type name is `void`."""
    type_ = named.type if isinstance(named, c_ast.Typename) else None
    return isinstance(type_, c_ast.TypeDecl) and getattr(type_.type, "names", None) == ["void"]


def changed_in_head(loop: Any) -> set[str]:
    """Returns the names that a loop changes in its head."""
    heads = [part for part in (loop.init, loop.cond, loop.next) if part is not None]
    return {target.name for head in heads for target in targets(head) if isinstance(target, c_ast.ID)}
