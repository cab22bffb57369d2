"""Helper functions of generated files, recognised by their whole text, never by their names.

`tests/scop` compares these texts with the generator.
"""

from collections.abc import Mapping
from functools import cache

from alphaz.c import tree as c
from alphaz.c.parse import parse
from alphaz.diagnostics import Source

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
_MOST_EXTENTS = 12


def _listed(rank: int) -> str:
    names = [f"n{at}" for at in range(rank)]
    return (
        f"int64_t bytes_of_{rank}(size_t element, {', '.join(f'int64_t {name}' for name in names)}) {{"
        f" const int64_t extents[] = {{{', '.join(names)}}}; return bytes_of(element, {rank}, extents); }}"
    )


ROUNDED = ("floor_div", "floor_mod")
SIZE, BEYOND = "bytes_of", "beyond_limit"
SIZES = tuple(f"bytes_of_{rank}" for rank in range(1, _MOST_EXTENTS + 1))
ZEROED, TABLES = "allocate_zero", "free_table"
ALLOCATED = ("allocate", ZEROED)
_KNOWN: dict[str, tuple[str, ...]] = {
    "floor_div": (_FLOOR_DIV,),
    "floor_mod": (_FLOOR_MOD,),
    SIZE: (_BYTES_OF,),
    **{name: (_listed(rank),) for rank, name in enumerate(SIZES, 1)},
    BEYOND: (_BEYOND,),
    "allocate": (_ALIGNED % "", _ALIGNED % _ADVISED),
    ZEROED: (_ZERO,),
    TABLES: (_FREE_TABLE,),
}
# Their callees must be recognised helpers too.
_CALLED = dict.fromkeys(("allocate", ZEROED, TABLES, *SIZES), (SIZE,))


def helper(name: str, defined: Mapping[str, c.Function]) -> str | None:
    """Returns which helper the function of this name is, among those that a file defines; None for any other function.
    The types of helpers in `ROUNDED` are free."""
    definition = defined.get(name)
    if definition is None:
        return None
    for name_, texts in _KNOWN.items():
        if any(_is_alike(definition, known, has_types=name_ not in ROUNDED) for known in map(_parsed, texts)):
            return name_ if all(helper(called, defined) == called for called in _CALLED.get(name_, ())) else None
    return None


def _is_alike(definition: c.Function, known: c.Function, has_types: bool) -> bool:
    """Returns True if two functions have the same body, parameters of the same names, and (`has_types`) the same
    types."""
    is_same = definition.body == known.body and _names(definition) == _names(known)
    return is_same and (not has_types or _types(definition) == _types(known))


def _names(definition: c.Function) -> list[str]:
    return [parameter.name for parameter in definition.parameters]


def _types(definition: c.Function) -> list[c.Type]:
    """Returns the types of the parameters and of the result, with pointers for arrays."""
    return [_plain(type_) for type_ in (*(parameter.type for parameter in definition.parameters), definition.type)]


def _plain(type_: c.Type) -> c.Type:
    match type_:
        case c.Pointer(base) | c.Array(base):
            return c.Pointer(_plain(base))
    return type_


@cache
def _parsed(text: str) -> c.Function:
    (function,) = parse(Source("helper", text)).items
    assert isinstance(function, c.Function)
    return function
