"""Helper functions of generated files, recognised by their whole text, never by their names.

`tests/scop` compares these texts with the generator.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator
from pycparser.c_parser import CParser

_TYPES = "typedef long int64_t; typedef unsigned long size_t; typedef _Bool bool;"
_FLOOR_DIV = "int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }"
_FLOOR_MOD = "int64_t floor_mod(int64_t a, int64_t b) { const int64_t r = a % b; return r < 0 ? r + b : r; }"
_BYTES_OF = (
    "int64_t bytes_of(size_t element, int rank, const int64_t *extents) { int64_t bytes = (int64_t)element;"
    " for (int d = 0; d < rank; d++) { if (extents[d] <= 0) { return 0; } }"
    " for (int d = 0; d < rank; d++) { if (bytes > INT64_MAX / 4 / extents[d]) { return -1; } bytes *= extents[d]; }"
    " return bytes; }"
)
_BEGUN = (
    "(int *status, size_t element, int rank, const int64_t *extents) { if (*status != 0) { return NULL; }"
    " const int64_t bytes = bytes_of(element, rank, extents); if (bytes < 0) { *status = 2; return NULL; }"
)
_ALIGNED = (
    f"void *allocate{_BEGUN} const size_t page = bytes < INT64_C(4) << 20 ? 64 : (size_t)2 << 20;"
    " const size_t whole = ((size_t)bytes / page + 1) * page; void *array = aligned_alloc(page, whole);"
    " if (array == NULL) { *status = 3; }%s return array; }"
)
_ADVISED = " else if (page > 64) { madvise(array, whole, 14); }"
_ZERO = (
    f"void *allocate_zero{_BEGUN} void *array = calloc((size_t)bytes + 1, 1);"
    " if (array == NULL) { *status = 3; } return array; }"
)
_BEYOND = "bool beyond_limit(int64_t parameter, int64_t limit) { return parameter > limit || parameter < -limit; }"
_FREE_TABLE = (
    "void free_table(void **table, int rank, const int64_t *extents) {"
    " const int64_t count = table == NULL ? 0 : bytes_of(1, rank, extents);"
    " for (int64_t at = 0; at < count; at++) { free(table[at]); } free(table); }"
)
ROUNDED = ("floor_div", "floor_mod")
SIZE, BEYOND = "bytes_of", "beyond_limit"
ZEROED, TABLES = "allocate_zero", "free_table"
ALLOCATED = ("allocate", ZEROED)
_KNOWN: dict[str, tuple[str, ...]] = {
    "floor_div": (_FLOOR_DIV,),
    "floor_mod": (_FLOOR_MOD,),
    SIZE: (_BYTES_OF,),
    BEYOND: (_BEYOND,),
    "allocate": (_ALIGNED % "", _ALIGNED % _ADVISED),
    ZEROED: (_ZERO,),
    TABLES: (_FREE_TABLE,),
}
# Their callees must be recognised helpers too.
_CALLED = {"allocate": (SIZE,), ZEROED: (SIZE,), TABLES: (SIZE,)}


def helper(name: str, defined: Mapping[str, Any]) -> str | None:
    """Returns which helper the function of this name is, among those that a file defines; None for any other function.
    The types of helpers in `ROUNDED` are free."""
    definition = defined.get(name)
    if definition is None:
        return None
    body_text = _body_text(definition)
    for name_, texts in _KNOWN.items():
        if any(_text(text) == body_text for text in texts) and _has_types(name_, definition):
            return name_ if all(helper(called, defined) == called for called in _CALLED.get(name_, ())) else None
    return None


def _has_types(name: str, definition: Any) -> bool:
    return name in ROUNDED or any(_types(definition) == _types(_parse_helper(text)) for text in _KNOWN[name])


def _parameters(definition: Any) -> Sequence[Any]:
    arguments = definition.decl.type.args
    return arguments.params if arguments is not None else []


def _body_text(definition: Any) -> str:
    """Returns the body, preceded by the names of the parameters in order."""
    names = [getattr(parameter, "name", None) for parameter in _parameters(definition)]
    return f"{names} {CGenerator().visit(definition.body)}"


def _types(definition: Any) -> list[str]:
    """Returns the types of the parameters and of the result."""
    types = [*(getattr(parameter, "type", None) for parameter in _parameters(definition)), definition.decl.type.type]
    return list(map(_declared, types))


def _declared(node: Any) -> str:
    """Returns the type of a declaration, without the declared name."""
    pointers = 0
    while isinstance(node, c_ast.PtrDecl | c_ast.ArrayDecl):
        pointers, node = pointers + 1, node.type
    if not isinstance(node, c_ast.TypeDecl) or not isinstance(node.type, c_ast.IdentifierType):
        return "unknown"
    return " ".join([*sorted(node.quals or []), *node.type.names, "*" * pointers])


@cache
def _parse_helper(text: str) -> Any:
    return CParser().parse(f"{_TYPES} {text}").ext[-1]


@cache
def _text(text: str) -> str:
    return _body_text(_parse_helper(text))
