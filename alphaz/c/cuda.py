"""The words of CUDA in front of a parser of C, by their places: qualifiers of functions and variables, and launches."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from alphaz.c.tree import Space

_WORD = re.compile(
    r"\b(?:__(?:global|device|host|shared|constant|forceinline|noinline)__|__launch_bounds__\s*\([^()]*\))(?!\w)"
)
_LAUNCH = re.compile(r"\b(\w+)\s*<<<")
_EXTENTS = re.compile(r"\bdim3(?=\s*\()")
EXTENTS = "dim$"
"""Where it makes a value, `dim3` is a function for a parser of C. This is its name there."""
_SPACES = {space.value: space for space in (Space.GLOBAL, Space.SHARED, Space.CONSTANT)}


@dataclass(frozen=True, slots=True)
class CudaWords:
    """The qualifiers of a text with their offsets, and the offsets of the names of kernels that are launched."""

    qualifiers: tuple[tuple[int, str], ...] = ()
    launches: frozenset[int] = frozenset()

    def of(self, begin: int, end: int) -> dict[int, str]:
        """Returns the qualifiers between two offsets, by their offsets."""
        return {at: word for at, word in self.qualifiers if begin <= at < end}


def without_cuda(text: str, plain: str) -> tuple[str, CudaWords]:
    """Returns the text with qualifiers blanked, and launches as calls of calls: `f<<<g, b>>>(x)` as `f(g, b)(x)`. Other
    characters keep their position. `plain` is the text without strings."""
    found = [(one.start(), " ".join(one[0].split())) for one in _WORD.finditer(plain)]
    for at, word in ((one.start(), one[0]) for one in _WORD.finditer(plain)):
        text = f"{text[:at]}{''.join(c if c == chr(10) else ' ' for c in word)}{text[at + len(word) :]}"
    text, launches = _EXTENTS.sub(EXTENTS, text), list[int]()
    for one in _LAUNCH.finditer(plain):
        end = plain.find(">>>", one.end())
        if end >= 0:
            launches.append(one.start())
            text = f"{text[: one.end() - 3]}  ({text[one.end() : end]})  {text[end + 3 :]}"
    return text, CudaWords(tuple(found), frozenset(launches))


def is_cuda(plain: str) -> bool:
    """Returns True if a text, without comments and strings, has words of CUDA."""
    return _WORD.search(plain) is not None or _LAUNCH.search(plain) is not None


def space_of(words: Iterable[str]) -> Space:
    """Returns the space that qualifiers of a variable name."""
    return next((_SPACES[word] for word in words if word in _SPACES), Space.HOST)


def is_device(qualifiers: Iterable[str]) -> bool:
    """Returns True for a function whose local variables are in registers."""
    return not {"__global__", "__device__"}.isdisjoint(qualifiers)
