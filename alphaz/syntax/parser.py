"""Texts -> syntax trees. Raises Rejected (AZ101, AZ102) with every independent error, in the order of the text.

The `_at` forms parse the characters of a span, such as a map inside a string of a script: findings have their places in
it."""

from alphaz.diagnostics import Source, Span
from alphaz.syntax.grammar import alpha_grammar, program_grammar, script_grammar
from alphaz.syntax.recovery import read
from alphaz.syntax.script_tree import ScriptText
from alphaz.syntax.tree import DomainText, ExpressionNode, FunctionText, ProgramText


def parse_program(source: Source) -> ProgramText:
    """Returns a whole program: `external`s, then at least one system."""
    tree: ProgramText = read(program_grammar(), "program", _all(source))
    return tree


def parse_bundle(source: Source) -> ProgramText:
    """Returns a whole file of the successor language (`*.alpha`), converted to a program."""
    tree: ProgramText = read(alpha_grammar(), "bundle", _all(source))
    return tree


def parse_script(source: Source) -> ScriptText:
    """Returns a whole command script; an empty one has no statements."""
    tree: ScriptText = read(script_grammar(), "script", _all(source))
    return tree if tree.statements else ScriptText((), span=_all(source))


def parse_domain(source: Source) -> DomainText:
    """Returns a domain, `{i,j | 0<=i<=j}`, or a union of such."""
    return parse_domain_at(_all(source))


def parse_function(source: Source) -> FunctionText:
    """Returns a function, `(i,j -> i+j, 2)`."""
    return parse_function_at(_all(source))


def parse_expression(source: Source) -> ExpressionNode:
    """Returns any expression of the language of programs."""
    return parse_expression_at(_all(source))


def parse_domain_at(span: Span) -> DomainText:
    """Returns the domain in the characters of the span."""
    tree: DomainText = read(program_grammar(), "domain", span)
    return tree


def parse_function_at(span: Span) -> FunctionText:
    """Returns the function in the characters of the span."""
    tree: FunctionText = read(program_grammar(), "function", span)
    return tree


def parse_expression_at(span: Span) -> ExpressionNode:
    """Returns the expression in the characters of the span."""
    tree: ExpressionNode = read(program_grammar(), "expression", span)
    return tree


def _all(source: Source) -> Span:
    return Span(source, 0, len(source.text))
