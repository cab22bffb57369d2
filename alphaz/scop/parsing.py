"""From text to pycparser's tree. Headers are never read: their declarations are built in, or unsupported."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from alphaz.c.preparation import HARMLESS, HARMLESS_ATTRIBUTES, VECTOR_SIZE, without_comments
from alphaz.diagnostics import Source
from alphaz.diagnostics.rules import C_SYNTAX
from alphaz.scop.intrinsics import HEADERS, TYPES, LaneVector
from alphaz.scop.unsupported import outside

_TYPES = (
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;"
    " typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;"
    " typedef unsigned long uint64_t; typedef unsigned long size_t; typedef long ptrdiff_t; typedef long intptr_t;"
    " typedef _Bool bool; typedef int FILE;"
)
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
LANES = "__lanes"
_VECTOR = re.compile(r"typedef[ ]+(?P<base>\w+)[ ]+(?P<name>\w+)[ ]+__attribute__[ ]*\(\((?P<told>[^;\n]*)\)\)[ ]*;")
_SPELLED = re.compile(r"\b__(restrict|inline)(?:__)?\b")
_BYTES = {"double": 8, "float": 4, "int": 4, "long": 8, "int64_t": 8, "int32_t": 4}
_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?:(?P<column>\d+):)?\s*(?P<what>.*)$", re.DOTALL)


def prepared(text: str) -> str:
    """Returns the text without comments and `#include` lines; every other character keeps its position."""
    plain = _INCLUDE.sub(lambda match_: " " * len(match_.group()), without_comments(text))
    macros = {*_DEFINED.findall(plain.replace("\\\n", ""))}
    return _plainer(_VECTOR.sub(lambda match_: _as_structure(match_, macros), plain), macros)


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


def parse_c(source: Source, text: str) -> c_ast.FileAST:
    """Returns the tree of a prepared (and preprocessed) text of `source`. Raises Rejected (AZ831)."""
    types = f"{_TYPES} {_vector_types(source.text)}"
    try:
        tree = CParser().parse(f'{types}\n# 1 "{_FILE}"\n{text}', _FILE)
    except (ParseError, RecursionError) as problem:
        place = _PLACE.match(str(problem))
        line, column = (int(place["line"]), int(place["column"] or 1)) if place else (1, 1)
        unplaced = "nesting is too deep" if isinstance(problem, RecursionError) else str(problem).rpartition(": ")[2]
        message = place["what"] if place else unplaced
        raise outside(source.word_at(line, column), f"cannot parse this C: {message}", rule=C_SYNTAX) from None
    return c_ast.FileAST(tree.ext[types.count("typedef ") :])


def vector_types(source: Source) -> list[Any]:
    """Returns the vector types of intrinsics headers, if the text includes one, as declarations of vector types."""
    return list(CParser().parse(_vector_types(source.text)).ext)


def _vector_types(text: str) -> str:
    included = HEADERS & {*_SYSTEM.findall(without_comments(text))}
    is_arm, is_other = "arm_neon.h" in included, bool(included - {"arm_neon.h"})
    types = {
        name: vector_type for name, vector_type in TYPES.items() if (is_other if name.startswith("__m") else is_arm)
    }
    return " ".join(_as_vector(name, vector_type) for name, vector_type in types.items())


def _as_vector(name: str, vector: LaneVector) -> str:
    return f"typedef struct {{ {vector.type.c_name} {LANES}[{vector.lanes}]; }} {name};"


_FILE = "kernel"


def _as_structure(match_: re.Match[str], macros: Collection[str]) -> str:
    """Returns a vector type as a structure in C. Types with a larger alignment, `may_alias`, or macros in their
    definition are left as they are, and refused later."""
    size = VECTOR_SIZE.search(match_["told"])
    bytes_ = _BYTES.get(match_["base"])
    is_free = {"may_alias", f"aligned(sizeof({match_['base']}))"} <= {
        attribute.strip() for attribute in match_["told"].split(",")
    }
    if size is None or bytes_ is None or not is_free or int(size[1]) % bytes_:
        return match_.group()
    if not {*re.findall(r"\w+", match_.group())}.isdisjoint(macros):
        return match_.group()
    return f"typedef struct {{ {match_['base']} {LANES}[{int(size[1]) // bytes_}]; }} {match_['name']};"
