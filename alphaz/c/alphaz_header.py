"""The header that generated C includes, `alphaz.h`: its text, and the functions in it."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from alphaz.c.preparation import without_comments
from alphaz.resources import package_text

RUNTIME = "alphaz.h"
INCLUSION = f'#include "{RUNTIME}"'
_DEVICE = "ALPHAZ_DEVICE "
_NAME = re.compile(r"^static inline [^(\n]*?(\w+)\(", re.MULTILINE)
_CONDITION = re.compile(r"#(ifdef|ifndef|else|endif)\b *(\w*)")
_IN_C = frozenset({"__CUDA_ARCH__", "__cplusplus"})


@cache
def runtime_text() -> str:
    return package_text(f"c/{RUNTIME}")


@cache
def runtime_words() -> frozenset[str]:
    """Returns all names in the header, those of local variables and libraries included."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", without_comments(runtime_text())))


@cache
def runtime_functions() -> Mapping[str, str]:
    """Returns the texts of the functions of the header by name, in their order."""
    paragraphs = (f"{part}\n" for part in runtime_text().rstrip().split("\n\n"))
    return {name[1]: part for part in paragraphs if (name := _NAME.search(part)) is not None}


def needed_functions(words: Collection[str]) -> tuple[str, ...]:
    """Returns the names of the functions among these words, and of those that they call, in the order of the header."""
    functions = runtime_functions()
    needed, waiting = set[str](), [name for name in functions if name in words]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [word for word in set(re.findall(r"\w+", functions[name])) if word in functions]
    return tuple(name for name in functions if name in needed)


def c_functions(names: Iterable[str], *, has_threads: bool) -> list[str]:
    """Returns the texts of these functions for a file of C, where threads may run at a time or not."""
    undefined = _IN_C if has_threads else _IN_C | {"_OPENMP"}
    return [without_conditionals(runtime_functions()[name].replace(_DEVICE, ""), undefined=undefined) for name in names]


def has_directives(text: str) -> bool:
    """Returns True if threads may execute parts of a text at a time."""
    return "#pragma omp" in text


def cuda_functions(names: Iterable[str]) -> list[str]:
    """Returns the texts of these functions for a file of CUDA."""
    words = {"__cplusplus"}, {"_OPENMP"}
    return [
        without_conditionals(runtime_functions()[name].replace(_DEVICE, "__host__ __device__ "), *words)
        for name in names
    ]


def without_conditionals(text: str, defined: Collection[str] = (), undefined: Collection[str] = ()) -> str:
    """Returns a text of the header without the conditions on these macros."""
    lines, stack = list[str](), list[bool | None]()
    for line in text.splitlines(keepends=True):
        match = _CONDITION.fullmatch(line.strip())
        word, name = (match[1], match[2]) if match is not None else ("", "")
        if word in ("ifdef", "ifndef"):
            is_decided = name in defined or name in undefined
            stack.append((name in defined) == (word == "ifdef") if is_decided else None)
        is_own = bool(word) and stack[-1] is not None
        if not is_own and all(state is not False for state in stack):
            lines.append(line)
        if word == "else" and stack[-1] is not None:
            stack[-1] = not stack[-1]
        if word == "endif":
            stack.pop()
    return "".join(lines)
