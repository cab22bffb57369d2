"""The words of CUDA in front of a parser of C, by their places: qualifiers of functions and variables, and launches."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alphaz.c.tree import AddressSpace

_WORD = re.compile(
    r"\b(?:__(?:global|device|host|shared|constant|forceinline|noinline)__|__launch_bounds__\s*\([^()]*\))(?!\w)"
)
_LAUNCH = re.compile(r"\b(\w+)\s*<<<")
_EXTENTS = re.compile(r"\bdim3(?=\s*\()")
_SIZES = re.compile(r"\b(?:const\s+)?dim3\s+(?=\w+\s*\()")
_NAMED = re.compile(r"\s*(\w+)\s*\(")
_LINKAGE = re.compile(r'\bextern\s+"C"\s*')
# `dim3 g{x, y}`, `dim3 g = {x, y}`, `dim3{x, y}`; `auto g = dim3(x)`.
_BRACED = re.compile(r"\bdim3(?:\s+\w+\s*(=)?)?\s*(\{)(?=\s*[^\s}])")
_ASSIGNED = re.compile(r"\b(?:auto|dim3)(\s+\w+\s*)(=\s*dim3\s*)(?=[({])")
_AUTO = re.compile(r"\bauto\b")
NUMBERS = (
    "unsigned", "int", "long", "short", "char", "bool", "float", "double", "size_t",
    "int32_t", "uint32_t", "int64_t", "uint64_t",
)  # fmt: skip
"""The types whose names convert numbers as functions do: `unsigned(x)` is `unsigne$(x)` for a parser of C."""
# In an expression: at the start of a statement it would declare a variable, and before a star a pointer.
_CONVERSION = re.compile(
    rf"(?:[-=(,<>+*/%&|^!?:\[]|(?:<<<|,)\s*\{{|\breturn\b)\s*({'|'.join(NUMBERS)})(?=\s*\((?!\s*[*&)]))"
)
_CLOSING = re.compile(r"[][{}()]")
DEDUCED_TYPE = "aut$"
"""The name of the type `auto` for a parser of C."""
EXTENTS_TYPE = "dim3"
EXTENTS = "dim$"
"""The name of `dim3` where it makes a value: for a parser of C it is a function there."""
BRACES = "$"
"""The name of the function that is the braces in `<<<{x, y}, {32}>>>` for a parser of C."""
VECTORS = {
    f"{name}{lanes}": (of, lanes)
    for name, of in (("float", "float"), ("double", "double"), ("int", "int"), ("uint", "unsigned int"))
    for lanes in ((2,) if name == "double" else (2, 4))
}
"""The vector types of at most 16 bytes that begin at a multiple of their size: element and lanes."""
VECTOR_CAST = "cast$"
"""`reinterpret_cast<float4 *>(p)` is `cast$float4(p)` for a parser of C."""
_OF_VECTORS = re.compile(
    rf"\breinterpret_cast\s*<\s*(?:const\s+)?({'|'.join(VECTORS)})\b\s*(?:const\s*)?\*\s*(?:const\s*)?>(?=\s*\()"
)
_OF_NUMBERS = re.compile(r"\bstatic_cast\s*<([\w\s]+)>(?=\s*\()")
_CONSTANT = re.compile(r"\bconstexpr\b(?=(?:\s+\w+)+\s*=[^,;&]*;)")
_NULL = re.compile(r"\bnullptr\b")
_SPACES = {space.value: space for space in (AddressSpace.GLOBAL, AddressSpace.SHARED, AddressSpace.CONSTANT)}


@dataclass(frozen=True, slots=True)
class CudaWords:
    """The qualifiers of a text with their offsets, and the offsets of the names of kernels that are launched, and of
    those that are declared as `dim3 name(x, y)`."""

    qualifiers: tuple[tuple[int, str], ...] = ()
    launches: frozenset[int] = frozenset()
    sizes: frozenset[int] = frozenset()

    def of(self, begin: int, end: int) -> dict[int, str]:
        """Returns the qualifiers between two offsets, by their offsets."""
        return {at: word for at, word in self.qualifiers if begin <= at < end}


def without_cuda(text: str, plain: str) -> tuple[str, CudaWords]:
    """Returns the text with qualifiers and `extern "C"` blanked, `constexpr` numbers as `const` ones, and launches as
    calls of calls: `f<<<g, b>>>(x)` as `f(g, b)(x)`, `dim3 g(x)` as `g(x)`. Other characters keep their position.
    `plain` is the text without strings."""
    if _LAUNCH.search(plain) or _WORD.search(plain):
        text, plain = _without_initialisers(text, plain)
    text = _without_linkage(text, plain)
    words = [(one.start(), " ".join(one[0].split())) for one in _WORD.finditer(plain)]
    for at, word in ((one.start(), one[0]) for one in _WORD.finditer(plain)):
        text = _blanked(text, at, at + len(word))
    sizes = [at for one in _SIZES.finditer(plain) for at in _names_behind(plain, one.end())]
    for one in _SIZES.finditer(plain):
        text = _blanked(text, one.start(), one.end())
    for pattern, form in ((_OF_VECTORS, f"{VECTOR_CAST}{{}}"), (_OF_NUMBERS, "({})"), (_CONSTANT, "const")):
        for one in pattern.finditer(plain):
            word = form.format(*one.groups())
            text = f"{text[: one.start()]}{word}{_blanks(text[one.start() + len(word) : one.end()])}{text[one.end() :]}"
    text, launches = _EXTENTS.sub(EXTENTS, text), list[int]()
    for one in _LAUNCH.finditer(plain):
        end = plain.find(">>>", one.end())
        if end >= 0:
            launches.append(one.start())
            extents = _without_braces(_NULL.sub("0      ", text[one.end() : end]))
            text = f"{text[: one.end() - 3]}{f'({extents})'.ljust(end - one.end() + 6)}{text[end + 3 :]}"
    return text, CudaWords(tuple(words), frozenset(launches), frozenset(sizes))


def _without_braces(extents: str) -> str:
    """Returns the sizes of a launch with `{x, y}` as a call; braces behind a type in parentheses belong to the type."""
    for at in reversed([at for at, sign in enumerate(extents) if sign == "{"]):
        before, end = extents[:at].rstrip(), closing_bracket(extents, at)
        if before[-1:] in ("", ",") and end > 0:
            extents = f"{extents[:at]}{BRACES}({extents[at + 1 : end]}){extents[end + 1 :]}"
    return extents


def _without_initialisers(text: str, plain: str) -> tuple[str, str]:
    """Returns both with sizes of launches as `dim3 g(x, y)`, other `auto` as the name of a type, and conversions as
    calls of functions that no text can name."""
    for one in _ASSIGNED.finditer(plain):
        word = f"dim3{one[1]}{_blanks(one[2])}"
        text, plain = (part[: one.start()] + word + part[one.end() :] for part in (text, plain))
    for one in _BRACED.finditer(plain):
        end = closing_bracket(plain, one.start(2))
        places = [(one.start(2), "("), (end, ")"), *([(one.start(1), " ")] if one[1] else ())]
        for at, sign in places if end > 0 else ():
            text, plain = (part[:at] + sign + part[at + 1 :] for part in (text, plain))
    for one in _AUTO.finditer(plain):
        text, plain = (part[: one.start()] + DEDUCED_TYPE + part[one.end() :] for part in (text, plain))
    for one in _CONVERSION.finditer(plain):
        text, plain = (f"{part[: one.end() - 1]}${part[one.end() :]}" for part in (text, plain))
    return text, plain


def closing_bracket(plain: str, begin: int) -> int:
    """Returns the place of the bracket that closes the one at `begin`; 0 if there is none."""
    depth = 0
    for one in _CLOSING.finditer(plain, begin):
        depth += 1 if one[0] in "[{(" else -1
        if depth == 0:
            return one.start()
    return 0


def _blanked(text: str, begin: int, end: int) -> str:
    return text[:begin] + _blanks(text[begin:end]) + text[end:]


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def vector_types(plain: str, words: CudaWords) -> Iterator[str]:
    """Yields the vector types of a text of CUDA that it does not define itself."""
    if words.qualifiers or words.launches:
        for name in VECTORS:
            if not re.search(rf"(?:\}}|\bstruct|\bclass|\btypedef[^;{{}}]*)\s*{name}\b\s*[;{{]", plain):
                yield name


def _names_behind(plain: str, at: int) -> Iterator[int]:
    """Yields the offsets of the names in `a(x, y), b(z);`."""
    while (named := _NAMED.match(plain, at)) is not None:
        yield named.start(1)
        depth, at = 1, named.end()
        while depth and at < len(plain):
            depth += {"(": 1, ")": -1}.get(plain[at], 0)
            at += 1
        more = re.compile(r"\s*,").match(plain, at)
        if more is None:
            return
        at = more.end()


def _without_linkage(text: str, plain: str) -> str:
    for one in _LINKAGE.finditer(text):
        if not plain.startswith("extern", one.start()):
            continue
        text = _blanked(text, one.start(), one.end())
        if plain.startswith("{", one.end()):
            depth, at = 1, one.end() + 1
            while depth and at < len(plain):
                depth += {"{": 1, "}": -1}.get(plain[at], 0)
                at += 1
            text = _blanked(_blanked(text, one.end(), one.end() + 1), at - 1, at)
    return text


def space_of(words: Iterable[str]) -> AddressSpace:
    """Returns the space that qualifiers of a variable name."""
    return next((_SPACES[word] for word in words if word in _SPACES), AddressSpace.HOST)


def is_device(qualifiers: Iterable[str]) -> bool:
    """Returns True for a function whose local variables are in registers."""
    return not {"__global__", "__device__"}.isdisjoint(qualifiers)
