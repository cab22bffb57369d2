"""Macros of a C text that is not preprocessed: whether it has any, and those that are integers."""

import re
from collections.abc import Mapping

from alphaz.c.preparation import CONSTANT, without_includes
from alphaz.scop.lexical_checks import GIVEN

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!pragma\b|line\b|\d)\w", re.MULTILINE)
_ASKED = re.compile(r"^[ \t]*#[ \t]*(?:if|elif)\b(.*)$", re.MULTILINE)
_PASTED = re.compile(r"^[ \t]*#[ \t]*define\b.*#", re.MULTILINE)
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
LINE_MARK = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)


def needs_preprocessor(text: str) -> bool:
    """Returns True if a text without includes has macros or conditions, so that it must be preprocessed."""
    return bool(_DIRECTIVE.search(text)) or "\\\n" in text


def sizes_in(text: str) -> dict[str, int]:
    """Returns the integer macros whose value affects only the places where they are used: they are defined once, no
    condition tests values, and no macro builds names of others."""
    plain = without_includes(text)
    # A compiler joins lines before it looks for directives.
    joined = plain.replace("\\\n", "")
    conditions = (re.sub(r"\bdefined\b\s*\(?\s*\w+", "", match_[1]) for match_ in _ASKED.finditer(joined))
    if any(re.search(r"[A-Za-z_]", condition) for condition in conditions) or _PASTED.search(joined):
        return {}
    definitions = GIVEN.findall(joined)
    decimal = [
        definition for definition in CONSTANT.finditer(plain) if definition["value"] == str(int(definition["value"]))
    ]
    values = {definition["name"]: int(definition["value"]) for definition in decimal}
    return {name: value for name, value in values.items() if definitions.count(name) == 1 and value < 1 << 31}


def array_sizes(text: str) -> tuple[str, ...]:
    """Returns those of these macros that are sizes of arrays of file scope, or of arguments."""
    sizes = sizes_in(text)
    depth, names = 0, []
    for token in re.finditer(r"[{}]|\[([^\]{}]*)\]", _DIRECTIVE_LINE.sub("", without_includes(text))):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        names += re.findall(r"\w+", token[1] or "") if depth == 0 else []
    return tuple(name for name in dict.fromkeys(names) if name in sizes)


def with_sizes(text: str, sizes: Mapping[str, str]) -> str:
    """Returns the text with these macros redefined. Line numbers do not change."""
    for match_ in reversed([*CONSTANT.finditer(without_includes(text))]):
        if match_["name"] in sizes:
            text = f"{text[: match_.end('head')]}{sizes[match_['name']]}{text[match_.start('rest') :]}"
    return text
