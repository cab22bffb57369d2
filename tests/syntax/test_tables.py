"""The tables that were kept are the tables that are made."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from alphaz.diagnostics import Source, Span
from alphaz.syntax import grammar
from alphaz.syntax.alpha_build import AlphaBuilder
from alphaz.syntax.build import ProgramBuilder
from alphaz.syntax.grammar import Automaton, Grammar, _grammar
from alphaz.syntax.recovery import read
from alphaz.syntax.script_build import ScriptBuilder

BUILDERS = {"alphabets": ProgramBuilder, "alpha": AlphaBuilder, "script": ScriptBuilder}
TEXTS = {
    "alphabets": "affine f-1d {N|N>0} /* x */ input float a {i|0<=i<2N}; let x[i] = a[i] min 1.5 @ val(i->2i) $ #",
    "alpha": "affine f [N] -> {: N>0} inputs a : {[i]: 0<=i<2N} let x[i] = a[i] min 1.5[] @ val(i->2i) $ # fuzzy",
    "script": 'p = f("(i->i)", 12, q); # rest\n- \'x\' "open',
}


def _reached(automaton: Automaton) -> dict[frozenset[str], int]:
    """Returns the number of states for each set of expected words; the numbering of states is free."""
    results: dict[frozenset[str], int] = {}
    for actions in automaton._states.values():
        words = frozenset(actions)
        results[words] = results.get(words, 0) + 1
    return results


@pytest.mark.parametrize("name", ["alphabets", "alpha", "script"])
def test_kept_tables_are_those_that_are_made(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = _grammar(name, BUILDERS[name]())
    (file,) = (tmp_path / "alphaz").iterdir()
    text = file.stat().st_ino
    rest = _grammar(name, BUILDERS[name]())
    assert file.stat().st_ino == text
    span = Span(Source("t", TEXTS[name]), 0, len(TEXTS[name]))
    assert _words(rest, span) == _words(made, span)
    assert len(_words(made, span)) > 10
    for start in made.starts:
        assert _reached(rest.automaton(start)) == _reached(made.automaton(start))


def _words(grammar: Grammar, span: Span) -> list[tuple[str, str]]:
    return [(lexeme.type, lexeme.text) for lexeme in grammar.lexemes(span)]


def test_a_list_of_parts_grows_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    copied = 0

    class Counted(grammar._Parts):
        def __init__(self, parts: Iterable[object]) -> None:
            super().__init__(parts)
            nonlocal copied
            copied += len(self)

    monkeypatch.setattr(grammar, "_Parts", Counted)
    own = _grammar("alphabets", ProgramBuilder())
    text = Source("many.ab", " || ".join(f"{{i | i=={at}}}" for at in range(500)))
    domain = read(own, "domain", Span(text, 0, len(text.text)))
    assert [item.constraints[0].sides[1].affines[0].terms[0].coefficient for item in domain.polyhedra] == [*range(500)]
    assert copied < 5000
