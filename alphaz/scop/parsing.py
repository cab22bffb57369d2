"""From text to the tree. Headers are never read: their declarations are built in, or unsupported."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.parse import parse
from alphaz.c.preparation import HARMLESS, HARMLESS_ATTRIBUTES, without_comments
from alphaz.c.walk import placed
from alphaz.diagnostics import Source
from alphaz.scop.intrinsics import HEADERS, TYPES

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*$", re.MULTILINE)
_SYSTEM = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!pragma\b|line\b|\d)\w", re.MULTILINE)
_SIZE = re.compile(
    r"^(?P<head>[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)[ \t]+)\(?(?P<value>\d+)\)?(?P<rest>[ \t]*)$", re.MULTILINE
)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.MULTILINE)
_ASKED = re.compile(r"^[ \t]*#[ \t]*(?:if|elif)\b(.*)$", re.MULTILINE)
_PASTED = re.compile(r"^[ \t]*#[ \t]*define\b.*#", re.MULTILINE)
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_SPELLED = re.compile(r"\b__(restrict|inline)(?:__)?\b")
_LINE_MARK = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)


def prepared(text: str) -> str:
    """Returns the text without comments and `#include` lines; every other character keeps its position."""
    plain = _INCLUDE.sub(lambda match_: " " * len(match_.group()), without_comments(text))
    macros = {*_DEFINED.findall(plain.replace("\\\n", ""))}
    return _plainer(plain, macros)


def _plainer(plain: str, macros: Collection[str]) -> str:
    """Returns the text without attributes that change no meaning, and with standard spellings of C words. Unchanged
    where a macro has such a name, or contains one."""
    directives = " ".join(_DIRECTIVE_LINE.findall(plain.replace("\\\n", "  ")))
    if "__attribute__" not in directives and not {"__attribute__", "aligned", *re.findall(r"\w+", HARMLESS)} & {
        *macros
    }:
        for pattern in HARMLESS_ATTRIBUTES:
            plain = pattern.sub(lambda match_: " " * len(match_.group()), plain)
    if _SPELLED.search(directives) or {"restrict", "inline"} & {*macros}:
        return plain
    return _SPELLED.sub(lambda match_: match_[1].ljust(len(match_.group())), plain)


def needs_preprocessor(text: str) -> bool:
    """Returns True if a prepared text has macros or conditions, so that it must be preprocessed."""
    return bool(_DIRECTIVE.search(text)) or "\\\n" in text


def sizes_in(text: str) -> dict[str, int]:
    """Returns the integer macros whose value affects only the places where they are used: they are defined once, no
    condition tests values, and no macro builds names of others."""
    plain = prepared(text)
    # A compiler joins lines before it looks for directives.
    joined = plain.replace("\\\n", "")
    conditions = (re.sub(r"\bdefined\b\s*\(?\s*\w+", "", match_[1]) for match_ in _ASKED.finditer(joined))
    if any(re.search(r"[A-Za-z_]", condition) for condition in conditions) or _PASTED.search(joined):
        return {}
    definitions = _DEFINED.findall(joined)
    decimal = [
        definition for definition in _SIZE.finditer(plain) if definition["value"] == str(int(definition["value"]))
    ]
    values = {definition["name"]: int(definition["value"]) for definition in decimal}
    return {name: value for name, value in values.items() if definitions.count(name) == 1 and value < 1 << 31}


def array_sizes(text: str) -> tuple[str, ...]:
    """Returns those of these macros that are sizes of arrays of file scope, or of arguments."""
    sizes = sizes_in(text)
    depth, names = 0, []
    for token in re.finditer(r"[{}]|\[([^\]{}]*)\]", _DIRECTIVE_LINE.sub("", prepared(text))):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        names += re.findall(r"\w+", token[1] or "") if depth == 0 else []
    return tuple(name for name in dict.fromkeys(names) if name in sizes)


def with_sizes(text: str, sizes: Mapping[str, str]) -> str:
    """Returns the text with these macros redefined. Line numbers do not change."""
    for match_ in reversed([*_SIZE.finditer(prepared(text))]):
        if match_["name"] in sizes:
            text = f"{text[: match_.end('head')]}{sizes[match_['name']]}{text[match_.start('rest') :]}"
    return text


def parse_c(source: Source, text: str) -> c.File:
    """Returns the tree of a prepared (and preprocessed) text of `source`, with the vector types of the headers that it
    includes as typedefs in front. Raises Rejected (AZ831, AZ832)."""
    vectors = tuple(_header_vectors(source.text))
    file = parse(source, text, (vector.name for vector in vectors), is_partial=True)
    if _LINE_MARK.search(text):
        file = placed(file, "")
    return replace(file, items=(*vectors, *file.items))


def _header_vectors(text: str) -> Iterator[c.Typedef]:
    included = HEADERS & {*_SYSTEM.findall(without_comments(text))}
    is_arm, is_other = "arm_neon.h" in included, bool(included - {"arm_neon.h"})
    for name, vector in TYPES.items():
        if is_other if name.startswith("__m") else is_arm:
            yield c.Typedef(c.Vector(c.scalar(vector.type), vector.bytes), name)
