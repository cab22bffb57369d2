"""The functions of `alphaz.h` in generated files: a file includes the header, or is self-contained.

All integer arithmetic is exact. An operation without a value in C (a division by zero, a float that does not fit) sets
*status, which threads may share, and goes on with 0.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from alphaz.c.alphaz_header import (
    INCLUSION,
    RUNTIME,
    c_functions,
    cuda_functions,
    has_directives,
    needed_functions,
    runtime_functions,
    runtime_text,
)
from alphaz.c.preparation import without_comments
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import CUDA
from alphaz.model.types import SCALAR_TYPES, ScalarType

RELATIONS = {"==": "equal", "!=": "unequal", "<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}
"""Comparisons, and the helpers that make them where a compiler would warn of the comparison."""

_INCLUSION = re.compile(rf"^{re.escape(INCLUSION)}\n", re.MULTILINE)
_LINE = r"(?:#(?:include|ifdef|endif)\b.*)?\n"
_INCLUDES = re.compile(rf"^#include .*\n(?:{_LINE})*#(?:include|endif)\b.*\n", re.MULTILINE)


def suffix(type_: ScalarType) -> str:
    """Returns the spelling of a type inside the name of a helper."""
    return type_.name.replace(" ", "_")


def _combiners() -> dict[str, tuple[str, str]]:
    integers = (type_ for type_ in SCALAR_TYPES.values() if type_.signed and not type_.is_float)
    firsts = (("sum", "0"), ("product", "1"))
    return {f"{name}_{suffix(type_)}": (type_.c_name, first) for type_ in integers for name, first in firsts}


COMBINERS = _combiners()
"""The helpers that combine values of threads, with the type and the initial value of a thread."""


def with_runtime(sources: Sources) -> Sources:
    """Returns the files, and `alphaz.h` if one of them includes it."""
    is_included = any(_INCLUSION.search(text) for text in sources.files.values())
    return replace(sources, files={**sources.files, RUNTIME: runtime_text()}) if is_included else sources


def self_contained(sources: Sources) -> Sources:
    """Returns files that have the functions of `alphaz.h` that they use, instead of that file."""
    files = {name: with_functions(name, text) for name, text in sources.files.items() if name != RUNTIME}
    claims = {name: _moved(claims, sources.files[name], files[name]) for name, claims in sources.claims.items()}
    return replace(sources, files=files, claims=claims)


def _moved(claims: Mapping[int, Mapping[str, object]], before: str, after: str) -> Mapping[int, Mapping[str, object]]:
    """Returns the annotations at the new lines; all are behind the functions."""
    more = after.count("\n") - before.count("\n")
    return {line + more: claim for line, claim in claims.items()}


def with_functions(name: str, text: str, own: Collection[str] = ()) -> str:
    """Returns the text of a file with the functions of `alphaz.h` that it uses, behind its includes, if it includes
    that header. `own`: names that are functions of the user."""
    if _INCLUSION.search(text) is None:
        return text
    text = _INCLUSION.sub("", text)
    includes = _INCLUDES.search(text)
    assert includes is not None
    needed = needed_functions(frozenset(re.findall(r"\w+", without_comments(text))).difference(own))
    is_cuda = name.endswith(CUDA.suffix)
    functions = cuda_functions(needed) if is_cuda else c_functions(needed, has_threads=has_directives(text))
    return "\n".join((text[: includes.end()], *functions)) + text[includes.end() :]


def is_clash(names: Iterable[str]) -> bool:
    """Returns True if a file with functions of these names cannot include `alphaz.h`."""
    return not runtime_functions().keys().isdisjoint(names)
