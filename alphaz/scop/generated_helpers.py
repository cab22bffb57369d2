"""The functions of `alphaz.h` that the reader knows without their bodies, with the axioms that it uses.

A function is recognised by its whole text, never by its name: that of the header, or the same in the file itself. All
other functions of the header are read as any function. `tests/c/test_runtime.py` tests the axioms.
"""

from collections.abc import Collection, Mapping
from functools import cache

from alphaz.c import tree as c
from alphaz.c.alphaz_header import (
    RUNTIME,
    c_functions,
    cuda_functions,
    needed_functions,
    runtime_functions,
    runtime_text,
    without_conditionals,
)
from alphaz.c.parse import parse
from alphaz.c.walk import placed
from alphaz.diagnostics import Source

RUNTIME_SOURCE = Source(RUNTIME, runtime_text())
ROUNDED = ("floor_div", "floor_mod")
SIZE, BEYOND = "bytes_of", "beyond_limit"
SIZES = tuple(f"bytes_of_{rank}" for rank in range(1, 13))
ZEROED, TABLES = "allocate_zero", "free_table"
ALLOCATED = ("allocate", ZEROED)
_BYTES = "the product of `element` and the extents, or 0 if one is not positive; negative only above INT64_MAX / 4"
_MEMORY = "does nothing unless *status is 0; then memory for so many bytes, {}, or NULL and *status is not 0"
AXIOMS: Mapping[str, str] = {
    "floor_div": "the greatest integer that is not above a / b, for b > 0",
    "floor_mod": "a - b * floor(a / b), from 0 to b - 1, for b > 0",
    SIZE: _BYTES,
    **dict.fromkeys(SIZES, _BYTES),
    BEYOND: "true if and only if the parameter is not from -limit to limit",
    "allocate": _MEMORY.format("of any content"),
    ZEROED: _MEMORY.format("all zero"),
    TABLES: "frees all entries of a table of so many pointers, and the table",
}
"""The axioms: functions, and what the reader takes for their value or effect."""
# Their callees must be recognised helpers too.
_CALLED = dict.fromkeys(("allocate", ZEROED, TABLES, *SIZES), (SIZE,))


def runtime_items(words: Collection[str], *, is_cuda: bool = False) -> tuple[c.Function, ...]:
    """Returns the functions of the header among these words, and those that they call, with their places there.

    Raises Rejected for a function whose body depends on the processor.
    """
    return tuple(item for name in needed_functions(words) for item in _items(name, is_cuda))


@cache
def _items(name: str, is_cuda: bool) -> tuple[c.Function, ...]:
    lines = runtime_text().partition(runtime_functions()[name])[0].count("\n")
    (text,) = cuda_functions([name]) if is_cuda else c_functions([name], has_threads=True)
    text = without_conditionals(text, {"_OPENMP"}, {"__linux__"})
    return tuple(placed(item, RUNTIME) for item in _definitions("\n" * lines + text))


def _definitions(text: str) -> tuple[c.Function, ...]:
    items = parse(RUNTIME_SOURCE, text).items
    return tuple(item for item in items if isinstance(item, c.Function) and item.body is not None)


def helper(name: str, defined: Mapping[str, c.Function]) -> str | None:
    """Returns which helper the function of this name is, among those that a file defines; None for any other function.
    The types of helpers in `ROUNDED` are free."""
    definition = defined.get(name)
    if definition is None:
        return None
    for name_ in AXIOMS:
        if any(_is_alike(definition, known, has_types=name_ not in ROUNDED) for known in _variants(name_)):
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
def _variants(name: str) -> tuple[c.Function, ...]:
    """Returns the forms of a function on all systems."""
    (text,) = c_functions([name], has_threads=True)
    texts = (without_conditionals(text, *words) for words in (({"__linux__"}, ()), ((), {"__linux__"})))
    return tuple(definition for text in dict.fromkeys(texts) for definition in _definitions(text))
