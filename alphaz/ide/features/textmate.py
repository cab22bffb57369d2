"""TextMate grammars for programs and scripts, generated from the words of the language, for VS Code and others.

`python -m alphaz.ide.features.textmate FOLDER` writes them."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from alphaz.ide.features.highlight import NAME, OTHERS, SECTIONS, SYSTEM, TYPES, VALUES
from alphaz.syntax.words import OPERATORS

Grammar = dict[str, object]


def grammars() -> dict[str, str]:
    """Returns the text of each grammar, by the name of its file."""
    made = {"alphabets": _of_programs(), "alphaz-script": _of_scripts()}
    return {f"{name}.tmLanguage.json": json.dumps(grammar, indent=2) + "\n" for name, grammar in made.items()}


def _of_programs() -> Grammar:
    return {
        "name": "Alphabets",
        "scopeName": "source.alphabets",
        "patterns": [
            {"name": "comment.line.documentation.alphabets", "match": r"//@.*$"},
            {"name": "comment.line.double-slash.alphabets", "match": r"//.*$"},
            {"name": "comment.block.alphabets", "begin": r"/\*", "end": r"\*/"},
            {
                "match": rf"\b(affine)\s+({SYSTEM})",
                "captures": {
                    "1": {"name": "keyword.declaration.alphabets"},
                    "2": {"name": "entity.name.class.alphabets"},
                },
            },
            {"name": "keyword.control.alphabets", "match": r"\bval(?=\()"},
            _words("storage.type.alphabets", TYPES),
            _words("constant.language.alphabets", VALUES),
            _words("keyword.operator.word.alphabets", OPERATORS),
            _words("keyword.declaration.alphabets", SECTIONS),
            _words("keyword.control.alphabets", OTHERS),
            {"name": "constant.numeric.alphabets", "match": r"\b[0-9]+(\.[0-9]+)?"},
            {"name": "entity.name.function.alphabets", "match": rf"{NAME}(?=\s*\()"},
            {"name": "variable.other.alphabets", "match": NAME},
            {"name": "keyword.operator.alphabets", "match": r"->|\|\||&&|==|!=|<=|>=|[-+*/%<>=@|]"},
        ],
    }


def _of_scripts() -> Grammar:
    return {
        "name": "alphaz script",
        "scopeName": "source.alphaz-script",
        "firstLineMatch": r"^\s*[A-Za-z_][A-Za-z_0-9]*\s*=\s*ReadAlphabets\b",
        "patterns": [
            {"name": "comment.line.number-sign.alphaz-script", "match": r"#.*$"},
            {"name": "string.quoted.double.alphaz-script", "begin": '"', "end": '"', "patterns": [_escape()]},
            {"name": "string.quoted.single.alphaz-script", "begin": "'", "end": "'", "patterns": [_escape()]},
            {"name": "constant.numeric.alphaz-script", "match": r"\b[0-9]+"},
            {"name": "entity.name.function.alphaz-script", "match": r"[A-Za-z_][A-Za-z_0-9]*(?=\s*\()"},
            {"name": "variable.other.alphaz-script", "match": r"[A-Za-z_][A-Za-z_0-9]*"},
            {"name": "keyword.operator.alphaz-script", "match": r"[=+]"},
        ],
    }


def _words(name: str, words: Iterable[str]) -> Grammar:
    return {"name": name, "match": rf"(?<!\^)\b({'|'.join(sorted(words))})\b"}


def _escape() -> Grammar:
    return {"name": "constant.character.escape.alphaz-script", "match": r"\\."}


def write(folder: Path) -> None:
    for name, text in grammars().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
