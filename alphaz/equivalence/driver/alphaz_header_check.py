"""The header `alphaz.h` of C that is proved: its functions have a meaning only if it has exactly the text of this
version, and the including file leaves that meaning as it is."""

import re
from pathlib import Path

from alphaz.c.alphaz_header import RUNTIME, runtime_functions, runtime_text, runtime_words
from alphaz.c.preparation import INCLUDE, without_comments
from alphaz.diagnostics import Source, Span
from alphaz.scop.name_checks import GIVEN
from alphaz.scop.unsupported import outside

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?P<word>\w*)(?:\\\n|[^\n])*", re.MULTILINE)
_BEFORE = frozenset({"include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif"})
_REMEDY = "take that of `alphaz run`, or generate self-contained code: `alphaz run --self-contained`"


def includes_runtime(source: Source, *, is_generated: bool = False) -> bool:
    """Returns True if a file includes `alphaz.h`, and the compiler takes the text of this version: it is next to the
    file, or will be (`is_generated`), or there is no file (`is_assumed`).

    Raises Rejected where another header has that name, or none, and the file calls its functions; and where the file
    may change the meaning of the header.
    """
    plain = without_comments(source.text)
    directives = [one for one in INCLUDE.finditer(plain) if Path(one["name"]).name == RUNTIME]
    if not directives:
        return False
    first = directives[0]
    place = Span(source, first.start("name"), first.end("name"))
    if not is_generated and not _is_beside(source, plain, place):
        return False
    if any(directive["header"] != f'"{RUNTIME}"' for directive in directives):
        raise outside(place, f"`{RUNTIME}` of another folder is not read", f'write `#include "{RUNTIME}"`')
    _check_place(plain, first, place)
    for macro in GIVEN.finditer(plain.replace("\\\n", "  ")):
        if macro[1] in runtime_words():
            at = Span(source, macro.start(1), macro.end(1))
            raise outside(at, f"the macro `{macro[1]}` has a name that `{RUNTIME}` uses", "give it another name")
    return True


def is_assumed(source: Source) -> bool:
    """Returns True for a text that is no file: that it will be compiled with the header of this version is an
    assumption, unless there is one in its folder."""
    return not any(map(_is_file, (Path(source.name), Path(source.name).parent / RUNTIME)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_beside(source: Source, plain: str, place: Span) -> bool:
    """Returns True if the header is next to the file. Raises Rejected for a header with another text, and for calls of
    functions of a header that is not there."""
    path = Path(source.name).parent / RUNTIME
    if is_assumed(source):
        return True
    if _is_file(path):
        if path.read_bytes().replace(b"\r\n", b"\n") == runtime_text().encode():
            return True
        raise outside(place, f"`{RUNTIME}`, next to the file, is not that of this version of alphaz", _REMEDY)
    called = next((word for word in re.findall(r"\w+", plain) if word in runtime_functions()), None)
    if called is not None:
        raise outside(place, f"`{RUNTIME}` is not next to the file, so `{called}` is unknown", _REMEDY)
    return False


def _check_place(plain: str, directive: re.Match[str], place: Span) -> None:
    """Raises Rejected if declarations, directives of a compiler or conditions are in front of the header."""
    before = plain[: directive.start()]
    words = [one["word"] for one in _DIRECTIVE.finditer(before)]
    is_conditional = sum(word.startswith("if") for word in words) != words.count("endif")
    if is_conditional or not _BEFORE.issuperset(words) or _DIRECTIVE.sub("", before).strip():
        message = f"`{RUNTIME}` must be included in front of all declarations and directives, without a condition"
        raise outside(place, message, "include it first")
