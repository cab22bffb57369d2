"""Texts -> syntax trees. Raises Rejected (AZ101, AZ102) with every independent error, in the order of the text.

The `_at` forms read the characters of a span, such as a map inside a string of a script: what they find points there.
"""

from alphaz.diagnostics import Source, Span
from alphaz.syntax.grammar import alpha_grammar, program_grammar, script_grammar
from alphaz.syntax.recovery import read
from alphaz.syntax.script_tree import ScriptText
from alphaz.syntax.tree import DomainText, ExpressionNode, FunctionText, ProgramText


def parse_program(source: Source) -> ProgramText:
    """A whole program: `external`s, then at least one system."""
    tree: ProgramText = read(program_grammar(), "program", _all(source))
    return tree


def parse_bundle(source: Source) -> ProgramText:
    """A whole file of the successor's language (`*.alpha`), as the program that it says."""
    tree: ProgramText = read(alpha_grammar(), "bundle", _all(source))
    return tree


def parse_script(source: Source) -> ScriptText:
    """A whole command script; an empty one has no statements."""
    tree: ScriptText = read(script_grammar(), "script", _all(source))
    return tree if tree.statements else ScriptText((), span=_all(source))


def parse_domain(source: Source) -> DomainText:
    """`{i,j | 0<=i<=j}`, or a union of such."""
    return parse_domain_at(_all(source))


def parse_function(source: Source) -> FunctionText:
    """`(i,j -> i+j, 2)`."""
    return parse_function_at(_all(source))


def parse_expression(source: Source) -> ExpressionNode:
    """Any expression of the language of programs."""
    return parse_expression_at(_all(source))


def parse_domain_at(span: Span) -> DomainText:
    """The domain that the characters of the span say."""
    tree: DomainText = read(program_grammar(), "domain", span)
    return tree


def parse_function_at(span: Span) -> FunctionText:
    """The function that the characters of the span say."""
    tree: FunctionText = read(program_grammar(), "function", span)
    return tree


def parse_expression_at(span: Span) -> ExpressionNode:
    """The expression that the characters of the span say."""
    tree: ExpressionNode = read(program_grammar(), "expression", span)
    return tree


def _all(source: Source) -> Span:
    return Span(source, 0, len(source.text))
