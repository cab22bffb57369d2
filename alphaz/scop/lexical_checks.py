"""Lexical checks: refuses texts that compilers may split into tokens differently."""

import re
from collections.abc import Iterator

from alphaz.diagnostics import Rejected, Source, Span
from alphaz.scop.library_names import is_known_name
from alphaz.scop.parsing import without_comments
from alphaz.scop.pragmas import WORDS
from alphaz.scop.unsupported import outside

# These apply in comments and strings too: line ends decide where these end.
_ANYWHERE = (
    (re.compile(r"\\[ \t\f\v]+$", re.MULTILINE), "blanks after `\\` at the end of a line"),
    (re.compile(r"[/*]\\\n"), "a `\\` line break inside the start or end of a comment"),
    (re.compile(r"\?\?/"), "`??/` may be a `\\`"),
    (re.compile(r"[\f\v]"), "a form feed"),
    (re.compile(r"\r"), "a carriage return without a newline"),
)
_IN_TEXT = (
    (re.compile(r"<%|%>|<:|:>|%:|\?\?[=()!<>'-]"), "a digraph or trigraph"),
    (
        re.compile(r"^[ \t]*#[ \t]*include\b(?![ \t]*(?:<[^>\n]+>|\"[^\"\n]+\")[ \t]*$)", re.MULTILINE),
        'an `#include` that is neither `<..>` nor `".."`',
    ),
    (
        re.compile(r"^[ \t]*#[ \t]*(?:include_next|import|embed|assert|unassert|ident)\b", re.MULTILINE),
        "this directive",
    ),
)
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_INCLUDED = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)
GIVEN = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.MULTILINE)


def check_characters(source: Source) -> None:
    """Raises Rejected for the first construct that compilers may read differently."""
    for each in _strange(source):
        raise each


def _strange(source: Source) -> Iterator[Rejected]:
    for pattern, what in _ANYWHERE:
        for found in pattern.finditer(source.text):
            yield _refused(source, found.start(), what)
    plain = without_comments(source.text)
    bare = _QUOTED.sub(lambda found: '""'.ljust(len(found.group())), plain)
    for pattern, what in _IN_TEXT:
        for found in pattern.finditer(plain if "include" in pattern.pattern else bare):
            yield _refused(source, found.start(), what)
    bare = _INCLUDED.sub(lambda found: " " * len(found.group()), bare).replace('""', "  ")
    for found in re.finditer("[\"']", bare):
        yield _refused(source, found.start(), "a quote that is not closed on its line")
    for found in GIVEN.finditer(plain.replace("\\\n", "  ")):
        if is_known_name(found[1]):
            yield _refused(source, found.start(1), f"a redefinition of the library name `{found[1]}`")
        if found[1] in WORDS and "#pragma" in plain:
            yield _refused(source, found.start(1), f"a redefinition of `{found[1]}`, a word of OpenMP directives")


def _refused(source: Source, at: int, what: str) -> Rejected:
    return outside(
        Span(source, at, at + 1), f"{what} is not supported: compilers may read it differently", "use the standard form"
    )
