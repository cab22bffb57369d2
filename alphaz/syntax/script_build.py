"""Rules of `grammar/script.lark` -> nodes of `script_tree.py`: one method for each rule, called at each reduction."""

import re
from typing import Any

from alphaz.diagnostics import Span
from alphaz.syntax import script_tree as tree
from alphaz.syntax.build import integer
from alphaz.syntax.lexeme import Lexeme, whole
from alphaz.syntax.tree import Name

Children = list[Any]

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}


def _unescaped(text: str) -> str:
    """Without backslashes; one before a character that needs none stays (paths such as C:\\data are often written)."""
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[0]), text, flags=re.DOTALL)


def content_span(literal: tree.TextLiteral) -> Span:
    """Returns the characters between the quotes of a string in a script."""
    return Span(literal.span.source, literal.span.start + 1, literal.span.end - 1)


class ScriptBuilder:
    """Every rule of the grammar of scripts."""

    def script(self, children: Children) -> tree.ScriptText:
        if not children:
            return tree.ScriptText(())
        return tree.ScriptText(tuple(children), span=whole(children))

    def statement(self, children: Children) -> tree.ScriptStatement:
        target = children[0] if isinstance(children[0], Name) else None
        return tree.ScriptStatement(target, children[-2], span=whole(children))

    def target(self, children: Children) -> Name:
        return Name(children[0].text, span=children[0].span)

    command = target

    def expression(self, children: Children) -> tree.ScriptExpression:
        if len(children) == 1:
            only: tree.ScriptExpression = children[0]
            return only
        return tree.Concatenation(tuple(children[::2]), span=whole(children))

    def text(self, children: Children) -> tree.TextLiteral:
        return tree.TextLiteral(_unescaped(children[0].text[1:-1]), span=whole(children))

    def number(self, children: Children) -> tree.NumberLiteral:
        return tree.NumberLiteral(integer(children[0]), span=whole(children))

    def use(self, children: Children) -> tree.VariableUse:
        return tree.VariableUse(self.target(children), span=whole(children))

    def arguments(self, children: Children) -> list[tree.ScriptExpression]:
        return [child for child in children if not isinstance(child, Lexeme)]

    def call(self, children: Children) -> tree.CommandCall:
        arguments = tuple(children[2]) if len(children) == 4 else ()
        return tree.CommandCall(children[0], arguments, span=whole(children))
