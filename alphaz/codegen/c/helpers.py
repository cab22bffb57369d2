"""The helper functions of generated files; each is written only into files that call it.

All integer arithmetic is exact. An operation without a value in C (a division by zero, a float that does not fit) sets
*status, which threads may share, and goes on with 0. min(a, b) is `a < b ? a : b` and max(a, b) is `a > b ? a : b`,
for floats too: where an operand is NaN the result is the right one, as in the interpreter (and unlike fmin).
"""

from collections.abc import Iterable, Mapping

from alphaz.mapping.bands import MOST_SIDES
from alphaz.model.types import SCALAR_TYPES, ScalarType, promoted

_FIXED = {
    "floor_div": """\
/* The greatest integer that is not above a / b, for b > 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}
""",
    "floor_mod": """\
/* a modulo b, in 0 .. b - 1, for b > 0. */
static inline int64_t floor_mod(int64_t a, int64_t b)
{
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}
""",
    "min64": """\
static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
""",
    "max64": """\
static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
""",
    "volume": """\
/* a * b for numbers that are not negative, or a number that nobody counts to where it is so large. */
static inline int64_t volume(int64_t a, int64_t b)
{
    return b != 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
}
""",
    "too_large": """\
/* Index arithmetic never overflows for parameters within +-2^40. */
static inline bool too_large(int64_t parameter)
{
    return parameter > INT64_C(1) << 40 || parameter < -(INT64_C(1) << 40);
}
""",
    "beyond_limit": """\
/* Positions of packed elements never overflow for parameters within this limit. */
static inline bool beyond_limit(int64_t parameter, int64_t limit)
{
    return parameter > limit || parameter < -limit;
}
""",
    "as_index": """\
/* A value that is compared with indices, none of which is beyond +-2^52: arithmetic with it never overflows. */
static inline int64_t as_index(int64_t a)
{
    const int64_t limit = INT64_C(1) << 52;
    return a > limit ? limit : a < -limit ? -limit : a;
}
""",
    "bytes_of": """\
/* The size of an array in bytes: 0 when it is empty, -1 when it is too large to be addressed. */
static inline int64_t bytes_of(size_t element, int rank, const int64_t *extents)
{
    int64_t bytes = (int64_t)element;
    for (int d = 0; d < rank; d++) {
        if (extents[d] <= 0) {
            return 0;
        }
    }
    for (int d = 0; d < rank; d++) {
        if (bytes > INT64_MAX / 4 / extents[d]) {
            return -1;
        }
        bytes *= extents[d];
    }
    return bytes;
}
""",
    "allocate": """\
#ifdef __linux__
int madvise(void *address, size_t length, int advice);
#endif

/* An array aligned to 64 bytes; a large one to pages of 2 MiB, for which Linux is asked: small ones are slow.
 * Does nothing once *status is not 0; sets it to 2 (too large) or 3 (out of memory). */
static void *allocate(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) {
        return NULL;
    }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) {
        *status = 2;
        return NULL;
    }
    const size_t page = bytes < INT64_C(4) << 20 ? 64 : (size_t)2 << 20;
    const size_t whole = ((size_t)bytes / page + 1) * page;
    void *array = aligned_alloc(page, whole);
    if (array == NULL) {
        *status = 3;
    }
#ifdef __linux__
    else if (page > 64) {
        madvise(array, whole, 14); /* MADV_HUGEPAGE */
    }
#endif
    return array;
}
""",
    "allocate_zero": """\
/* An array of zeros. Does nothing once *status is not 0; sets it to 2 (too large) or 3 (out of memory). */
static void *allocate_zero(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) {
        return NULL;
    }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) {
        *status = 2;
        return NULL;
    }
    void *array = calloc((size_t)bytes + 1, 1);
    if (array == NULL) {
        *status = 3;
    }
    return array;
}
""",
    "free_table": """\
/* Frees a table of arrays, and the arrays that are still in it. */
static void free_table(void **table, int rank, const int64_t *extents)
{
    const int64_t count = table == NULL ? 0 : bytes_of(1, rank, extents);
    for (int64_t at = 0; at < count; at++) {
        free(table[at]);
    }
    free(table);
}
""",
    "report": """\
/* Says on stderr why a system failed. */
static void report(const char *system, int status)
{
    static const char *const reasons[] = {
        "success", "the parameter values are not valid", "a size is too large", "out of memory",
        "a value depends on itself", "division by zero", "a value does not fit into an integer type",
        "calls of systems nest too deeply", "a tile size is not positive"
    };
    if (status != 0) {
        fprintf(stderr, "%s: %s\\n", system, reasons[status]);
    }
}
""",
}
_NEEDS = {"allocate": ("bytes_of",), "allocate_zero": ("bytes_of",), "free_table": ("bytes_of",)}

_SET_STATUS = """\
/* Keeps what went wrong for the end of the run. */
static inline void set_status(int *status, int problem)
{{
{atomic}    *status = problem;
}}
"""


RELATIONS = {"==": "equal", "!=": "unequal", "<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}
"""Comparisons, and the helpers that make them where a compiler would warn of the comparison."""

# The helpers that combine values of threads, with the type and the initial value of a thread.
COMBINERS: dict[str, tuple[str, str]] = {}


def suffix(type_: ScalarType) -> str:
    """Returns the spelling of a type inside the name of a helper."""
    return type_.name.replace(" ", "_")


def _helpers_for_type(type_: ScalarType) -> dict[str, str]:
    c, s = type_.c_name, suffix(type_)
    helpers = {
        f"min_{s}": f"static inline {c} min_{s}({c} a, {c} b)\n{{\n    return a < b ? a : b;\n}}\n",
        f"max_{s}": f"static inline {c} max_{s}({c} a, {c} b)\n{{\n    return a > b ? a : b;\n}}\n",
        **{
            f"{word}_{s}": f"static inline bool {word}_{s}({c} a, {c} b)\n{{\n    return a {sign} b;\n}}\n"
            for sign, word in RELATIONS.items()
        },
    }
    if type_.is_float:
        return helpers
    quotient = f"b == -1 ? ({c})(0 - (unsigned {c})a) : a / b" if type_.signed else "a / b"
    remainder = "b == -1 ? 0 : a % b" if type_.signed else "a % b"
    wraps = "; the least value divided by -1 wraps around" if type_.signed else ""
    return {
        **helpers,
        f"quotient_{s}": f"/* a / b{wraps}. */\n" + _checked(c, f"quotient_{s}", quotient),
        f"remainder_{s}": f"/* a % b{', with the sign of a' if type_.signed else ''}. */\n"
        + _checked(c, f"remainder_{s}", remainder),
    }


def _wrapping(c: str, s: str, wide: str) -> dict[str, str]:
    """Returns sums, differences and products modulo 2^bits: unsigned integers do not overflow, under any flags.

    `wide` is the type in which C computes.
    """
    head, a, b = f"static inline {c}", f"(unsigned {wide})a", f"(unsigned {wide})b"
    binary = {
        f"{name}_{s}": f"/* a {operator} b; wraps around. */\n"
        f"{head} {name}_{s}({c} a, {c} b)\n{{\n    return ({c})({a} {operator} {b});\n}}\n"
        for name, operator in (("sum", "+"), ("difference", "-"), ("product", "*"))
    }
    negative = f"/* -a; wraps around. */\n{head} negative_{s}({c} a)\n{{\n    return ({c})(0 - {a});\n}}\n"
    return {**binary, f"negative_{s}": negative}


def _checked(c: str, name: str, value: str) -> str:
    return (
        f"static inline {c} {name}({c} a, {c} b, int *status)\n{{\n"
        f"    if (b == 0) {{\n        set_status(status, 5);\n        return 0;\n    }}\n    return {value};\n}}\n"
    )


def _halved(sides: int) -> str:
    """Returns the helper `halved` for a box with this number of sides (`alphaz.poly.plain.integer`)."""
    axes = range(sides)
    counts, sizes = (", ".join(f"int64_t {stem}{d}" for d in axes) for stem in ("n", "s"))
    left = ", ".join(f"c{d} = n{d}" for d in axes)
    text = (
        "/* A box of n0, n1, .. tiles of s0, s1, .. points a side is halved along its longest side until one tile is\n"
        " * left, the first half in front of the second: the row-major number of the tile of an iteration. */\n"
        f"static inline int64_t halved_{sides}(int64_t iteration, {counts}, {sizes})\n{{\n"
        f"    int64_t {left}, number = 0;\n"
        f"    while ({' || '.join(f'c{d} > 1' for d in axes)}) {{\n        "
    )
    for d in axes:
        longest = [f"(c{e} == 1 || c{d} * s{d} {'>' if e < d else '>='} c{e} * s{e})" for e in axes if e != d]
        test = " && ".join([f"c{d} > 1", *longest])
        half = " * ".join([f"(c{d} / 2)", *(f"c{e}" for e in axes if e != d)])
        step = " * ".join([f"(c{d} / 2)", *(f"n{e}" for e in range(d + 1, sides))])
        text += "{" if d == sides - 1 else f"if ({test}) {{"
        text += (
            f"\n            const int64_t before = {half};\n            if (iteration < before) {{\n"
            f"                c{d} /= 2;\n            }} else {{\n                iteration -= before;\n"
            f"                number += {step};\n                c{d} -= c{d} / 2;\n            }}\n        }}"
        )
        text += "\n" if d == sides - 1 else " else "
    return f"{text}    }}\n    return number;\n}}\n"


def _whole(type_: ScalarType) -> str:
    """Returns the conversion of a float to an integer, towards zero; the limits are exact as doubles."""
    c, power = type_.c_name, type_.bits - type_.signed
    above = (1 << power) + 1 if type_.signed else 1
    lower = f"-{1 << power}.0 <= a" if type_.signed and power > 52 else f"-{above}.0 < a"
    return (
        f"/* a, towards zero. */\nstatic inline {c} whole_{suffix(type_)}(double a, int *status)\n{{\n"
        f"    if (!({lower} && a < {1 << power}.0)) {{\n        set_status(status, 6);\n        return 0;\n    }}\n"
        f"    return ({c})a;\n}}\n"
    )


MOST_EXTENTS = 12


def _bytes_of(rank: int) -> str:
    """Returns the helper `bytes_of` for so many extents, for languages without arrays in expressions."""
    extents = [f"n{d}" for d in range(rank)]
    return (
        f"static inline int64_t bytes_of_{rank}(size_t element, {', '.join(f'int64_t {n}' for n in extents)})\n{{\n"
        f"    const int64_t extents[] = {{{', '.join(extents)}}};\n    return bytes_of(element, {rank}, extents);\n}}\n"
    )


HELPERS: dict[str, str] = {**_FIXED, "set_status": _SET_STATUS.format(atomic="")}
HELPERS |= {f"bytes_of_{rank}": _bytes_of(rank) for rank in range(1, MOST_EXTENTS + 1)}
_NEEDS |= {f"bytes_of_{rank}": ("bytes_of",) for rank in range(1, MOST_EXTENTS + 1)}
HELPERS |= {f"halved_{sides}": _halved(sides) for sides in range(2, MOST_SIDES + 1)}
for _type in SCALAR_TYPES.values():
    if not _type.is_float and _type.kind != "bool":
        HELPERS[f"whole_{suffix(_type)}"] = _whole(_type)
    if promoted(_type) is _type:
        HELPERS.update(_helpers_for_type(_type))
    if _type.signed and not _type.is_float:
        _name = suffix(_type)
        HELPERS.update(_wrapping(_type.c_name, _name, promoted(_type).c_name))
        COMBINERS.update({f"sum_{_name}": (_type.c_name, "0"), f"product_{_name}": (_type.c_name, "1")})


def helper_texts(called: Iterable[str], atomic: str = "", behind: Mapping[str, str] | None = None) -> list[str]:
    """Returns the definitions of the helpers among these names, and of those that they need, in a fixed order.
    `atomic`: lines before an assignment that several threads may execute at a time. `behind`: by name, the text after
    the helper.
    """
    wanted = {n for n in (*called, *(behind or {})) if n in HELPERS}
    wanted |= {need for name in wanted for need in _NEEDS.get(name, ())}
    if any(name.startswith(("quotient_", "remainder_", "whole_")) for name in wanted):
        wanted.add("set_status")
    texts = {**HELPERS, "set_status": _SET_STATUS.format(atomic=atomic)}
    return [text + (behind or {}).get(name, "") for name, text in texts.items() if name in wanted]
