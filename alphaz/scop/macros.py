"""Macros of a C text that is not preprocessed: whether it has any, and those that are integers."""

import re
from collections.abc import Mapping

from alphaz.c.preparation import CONSTANT, without_includes
from alphaz.scop.name_checks import GIVEN

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!pragma\b|line\b|\d)\w", re.MULTILINE)
_ASKED = re.compile(r"^[ \t]*#[ \t]*(?:if|elif)\b(.*)$", re.MULTILINE)
_PASTED = re.compile(r"^[ \t]*#[ \t]*define\b.*#", re.MULTILINE)
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
LINE_MARK = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)


def _words(pattern: str) -> re.Pattern[str]:
    """Returns a pattern in which blanks stand for any blanks and continued lines."""
    return re.compile(pattern.replace(" ", r"(?:[ \t]|\\\n)*"), re.MULTILINE)


# A macro of GNU C for a minimum or maximum that evaluates its operands once.
_EXTREME = _words(
    r"^ # define (?P<name>\w+)\( (?P<x>\w+) , (?P<y>\w+) \) \( \{ "
    r"(?:__typeof__|__typeof|typeof) \( (?P=x) \) (?P<one>\w+) = \( (?P=x) \) ; "
    r"(?:__typeof__|__typeof|typeof) \( (?P=y) \) (?P<other>\w+) = \( (?P=y) \) ; "
    r"(?P<left>\w+) (?P<operator>[<>]=?) (?P<right>\w+) \? (?P<then>\w+) : (?P<otherwise>\w+) ; \} \) $"
)


def with_plain_extremes(text: str) -> str:
    """Returns a text without comments in which `({ __typeof__(x) _x = (x); ..; _x < _y ? _x : _y; })`, the body of a
    macro, is `((x) < (y) ? (x) : (y))`. Every other character keeps its position.

    Unchanged are macros of another form, and all of them if the text uses the name of a variable elsewhere, which an
    operand might mean. Operands with effects stay unsupported, as they are then written twice.
    """
    plain = _EXTREME.sub(lambda macro: _plain_extreme(macro) if _is_extreme(macro) else macro[0], text)
    variables = {macro[group] for macro in _EXTREME.finditer(text) for group in ("one", "other")}
    return text if variables & set(re.findall(r"\w+", plain)) else plain


def _is_extreme(macro: re.Match[str]) -> bool:
    """Returns True if the last expression of a macro is about the copies of its two different operands."""
    names = {macro[group] for group in ("x", "y", "one", "other")}
    return len(names) == 4 and {macro["left"], macro["right"]} == {macro["then"], macro["otherwise"]} == {
        macro["one"],
        macro["other"],
    }


def _plain_extreme(macro: re.Match[str]) -> str:
    values = {macro["one"]: f"({macro['x']})", macro["other"]: f"({macro['y']})"}
    left, right, then, otherwise = (values[macro[group]] for group in ("left", "right", "then", "otherwise"))
    lines = "\\\n" * macro[0].count("\n")
    body = f"({left} {macro['operator']} {right} ? {then} : {otherwise})"
    return f"#define {macro['name']}({macro['x']},{macro['y']}) {lines}{body}".ljust(len(macro[0]))


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
