"""Syntax highlighting of programs and scripts: word groups, and the Pygments lexers."""

from typing import Any, ClassVar

from pygments import highlight
from pygments.formatters import Terminal256Formatter
from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT, KEYWORDS, OPERATORS, SCALAR_TYPES

NAME = r"\^?[A-Za-z_][A-Za-z_0-9]*"
# 2mm, jacobi-1d
SYSTEM = r"[A-Za-z_0-9][A-Za-z_0-9-]*"
TYPES = ("unsigned", *SCALAR_TYPES)
SECTIONS = ("affine", "over", "while", "use", *FAMILY_OF_INPUT, *FAMILY_OF_GIVEN)
VALUES = ("true", "false")
OTHERS = tuple(sorted(KEYWORDS - {*TYPES, *SECTIONS, *OPERATORS, *VALUES}))


def _groups(*kinds: Any) -> Any:
    """A kind of token for each group of the pattern."""
    return bygroups(*kinds)  # type: ignore[no-untyped-call]


class AlphabetsLexer(RegexLexer):
    """Programs: systems of equations over polyhedral domains."""

    name = "Alphabets"
    aliases: ClassVar[list[str]] = ["alphabets", "alphaz"]
    filenames: ClassVar[list[str]] = ["*.ab"]
    mimetypes: ClassVar[list[str]] = ["text/x-alphabets"]

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"[\s\ufeff]+", Whitespace),
            (r"//@[^\n]*", Comment.Special),
            (r"//[^\n]*", Comment.Single),
            (r"/\*(?:[^*]|\*(?!/))*\*/", Comment.Multiline),
            (rf"(affine)(\s+)({SYSTEM})", _groups(Keyword.Declaration, Whitespace, Name.Class)),
            (r"val(?=\()", Keyword),
            (words(TYPES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (words(VALUES, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(OPERATORS, prefix=r"\b", suffix=r"\b"), Operator.Word),
            (words(SECTIONS, prefix=r"\b", suffix=r"\b"), Keyword.Declaration),
            (words(OTHERS, prefix=r"\b", suffix=r"\b"), Keyword),
            (r"[0-9]+\.[0-9]+f?", Number.Float),
            (r"[0-9]+", Number.Integer),
            (rf"({NAME})(\s*)(?=\()", _groups(Name.Function, Whitespace)),
            (NAME, Name.Variable),
            (r"->|\|\||&&|==|!=|<=|>=|[-+*/%<>=@|]", Operator),
            (r"[{}()\[\],;:.]", Punctuation),
        ]
    }


class ScriptLexer(RegexLexer):
    """Command scripts."""

    name = "alphaz script"
    aliases: ClassVar[list[str]] = ["alphaz-script"]
    # Elsewhere `*.cs` is C#: this lexer is selected by name.
    filenames: ClassVar[list[str]] = []
    alias_filenames: ClassVar[list[str]] = ["*.cs"]
    mimetypes: ClassVar[list[str]] = ["text/x-alphaz-script"]

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"[\s\ufeff]+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"(?s)\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", String),
            (r"[0-9]+", Number.Integer),
            (r"([A-Za-z_][A-Za-z_0-9]*)(\s*)(?=\()", _groups(Name.Function, Whitespace)),
            (r"[A-Za-z_][A-Za-z_0-9]*", Name.Variable),
            (r"[=+]", Operator),
            (r"[(),;]", Punctuation),
        ]
    }


def coloured(program: str) -> str:
    """Returns the text of a program with the colours of a terminal; without colours the text itself."""
    return highlight(program, AlphabetsLexer(ensurenl=False, stripnl=False), Terminal256Formatter())
