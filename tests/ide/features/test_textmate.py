"""The TextMate grammars in `editors/` are those of the words, and colour words as the Pygments lexers do."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pygments.token import Comment, Keyword, Name, Operator

from alphaz.ide.features.highlight import AlphabetsLexer
from alphaz.ide.features.textmate import grammars
from alphaz.syntax.words import KEYWORDS

EDITORS = Path(__file__).parents[3] / "editors" / "vscode"
# Which scope stands for which kind of token.
MEANS = {
    "storage.type": Keyword.Type,
    "constant.language": Keyword.Constant,
    "keyword.operator.word": Operator.Word,
    "keyword.declaration": Keyword.Declaration,
    "keyword.control": Keyword,
    "variable.other": Name.Variable,
    "entity.name.function": Name.Function,
    "comment.line.double-slash": Comment.Single,
    "comment.line.documentation": Comment.Special,
}


@pytest.mark.parametrize("name", sorted(grammars()))
def test_the_files_are_those_of_the_words(name: str) -> None:
    assert (EDITORS / "syntaxes" / name).read_text(encoding="utf-8") == grammars()[name]


def scope(text: str) -> str:
    """Of the pattern that matches at the beginning first."""
    for pattern in json.loads(grammars()["alphabets.tmLanguage.json"])["patterns"]:
        match_ = re.match(pattern.get("match", pattern.get("begin")), text)
        if match_ and "name" in pattern:
            return str(pattern["name"]).removesuffix(".alphabets")
    return ""


@pytest.mark.parametrize("text", [*sorted(KEYWORDS), "^min", "minimum", "x", "f(1)", "// said", "//@ identity f = 0"])
def test_words_have_the_colours_of_the_lexer(text: str) -> None:
    kind, _ = next(iter(AlphabetsLexer().get_tokens(text)))
    assert MEANS[scope(text)] is kind


def test_the_extension_claims_what_it_should() -> None:
    package = json.loads((EDITORS / "package.json").read_text(encoding="utf-8"))
    for grammar in package["contributes"]["grammars"]:
        assert (EDITORS / grammar["path"]).is_file()
    first = next(language["firstLine"] for language in package["contributes"]["languages"] if "firstLine" in language)
    assert re.match(first, 'prog = ReadAlphabets("prefix-sum.ab");')
    assert not re.match(first, "using System;")
    assert not any(".cs" in language.get("extensions", ()) for language in package["contributes"]["languages"])
    if shutil.which("node") is None:
        pytest.skip("the client's own tests need node")
    done = subprocess.run(["node", "--test"], cwd=EDITORS, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout
