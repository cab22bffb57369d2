"""The words of CUDA in front of a parser of C, by their places: qualifiers of functions and variables, and launches."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alphaz.c.tree import Space

_WORD = re.compile(
    r"\b(?:__(?:global|device|host|shared|constant|forceinline|noinline)__|__launch_bounds__\s*\([^()]*\))(?!\w)"
)
_LAUNCH = re.compile(r"\b(\w+)\s*<<<")
_EXTENTS = re.compile(r"\bdim3(?=\s*\()")
_SIZES = re.compile(r"\b(?:const\s+)?dim3\s+(?=\w+\s*\()")
_NAMED = re.compile(r"\s*(\w+)\s*\(")
_LINKAGE = re.compile(r'\bextern\s+"C"\s*')
EXTENTS_TYPE = "dim3"
EXTENTS = "dim$"
"""The name of `dim3` where it makes a value: for a parser of C it is a function there."""
_SPACES = {space.value: space for space in (Space.GLOBAL, Space.SHARED, Space.CONSTANT)}


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
    """Returns the text with qualifiers and `extern "C"` blanked, and launches as calls of calls: `f<<<g, b>>>(x)` as
    `f(g, b)(x)`, `dim3 g(x)` as `g(x)`. Other characters keep their position. `plain` is the text without strings."""
    text = _without_linkage(text, plain)
    found = [(one.start(), " ".join(one[0].split())) for one in _WORD.finditer(plain)]
    for at, word in ((one.start(), one[0]) for one in _WORD.finditer(plain)):
        text = _blanked(text, at, at + len(word))
    sizes = [at for one in _SIZES.finditer(plain) for at in _names_behind(plain, one.end())]
    for one in _SIZES.finditer(plain):
        text = _blanked(text, one.start(), one.end())
    text, launches = _EXTENTS.sub(EXTENTS, text), list[int]()
    for one in _LAUNCH.finditer(plain):
        end = plain.find(">>>", one.end())
        if end >= 0:
            launches.append(one.start())
            text = f"{text[: one.end() - 3]}  ({text[one.end() : end]})  {text[end + 3 :]}"
    return text, CudaWords(tuple(found), frozenset(launches), frozenset(sizes))


def _blanked(text: str, begin: int, end: int) -> str:
    return text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]


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


def space_of(words: Iterable[str]) -> Space:
    """Returns the space that qualifiers of a variable name."""
    return next((_SPACES[word] for word in words if word in _SPACES), Space.HOST)


def is_device(qualifiers: Iterable[str]) -> bool:
    """Returns True for a function whose local variables are in registers."""
    return not {"__global__", "__device__"}.isdisjoint(qualifiers)
