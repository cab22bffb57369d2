"""Rules of `grammar/alphabets.lark` -> nodes of `tree.py`: one method a rule, called at each reduction.

The children of a rule are all of its words and parts in order. No method recurses, so deep nesting cannot exceed
Python's recursion limit.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeVar

from alphaz.diagnostics import Span
from alphaz.syntax import tree
from alphaz.syntax.lexeme import Lexeme, whole
from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT

T = TypeVar("T")
Children = list[Any]

_CONVERTIBLE = 4000


@dataclass(frozen=True, slots=True)
class Several:
    """A parsed list that is not yet in a node."""

    items: tuple[Any, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Section:
    """One keyword and its items."""

    keyword: str
    items: tuple[Any, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SystemHead:
    name: tree.Name
    parameters: tree.DomainText
    span: Span


@dataclass(frozen=True, slots=True)
class EquationHead:
    name: tree.Name
    indices: tuple[tree.Name, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class UseHead:
    extension: tree.DomainText | None
    system: tree.Name
    parameters: tuple[tree.AffineText, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ArgumentTypes:
    items: tuple[tree.TypeName | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class OperatorToken:
    text: str
    span: Span


def of_kind(kind: type[T], children: Iterable[Any]) -> tuple[T, ...]:
    return tuple([child for child in children if isinstance(child, kind)])


def items(children: Children) -> tuple[Any, ...]:
    """Returns the items of the only list among the children, or nothing without a list."""
    for child in children:
        if isinstance(child, Several):
            return child.items
    return ()


def _plain(text: str) -> str:
    return text.removeprefix("^")


def _name(lexeme: Lexeme) -> tree.Name:
    return tree.Name(_plain(lexeme.text), span=lexeme.span)


def is_word(child: object, *types: str) -> bool:
    return isinstance(child, Lexeme) and child.type in types


def integer(lexeme: Lexeme) -> int:
    """Returns the value; 0 from 4000 significant digits on, which the check of literals reports (AZ102)."""
    significant = lexeme.text.lstrip("0")
    return int(significant or "0") if len(significant) < _CONVERTIBLE else 0


def _names(children: Children) -> Several:
    return Several(tuple(_name(child) for child in children if is_word(child, "NAME")), whole(children))


def several(children: Children) -> Several:
    return Several(tuple([child for child in children if not isinstance(child, Lexeme)]), whole(children))


class AffineBuilder:
    """The rules of `grammar/affine.lark`."""

    def product(self, children: Children) -> tree.Term:
        numbers = [integer(child) for child in children if child.type == "INT"]
        name = _plain(children[-1].text) if children[-1].type == "NAME" else None
        return tree.Term(prod(numbers), name, span=whole(children))

    def first_term(self, children: Children) -> tree.Term:
        if len(children) == 1:
            alone: tree.Term = children[0]
            return alone
        negative = sum(is_word(child, "MINUS") for child in children) % 2 == 1
        term: tree.Term = children[-1]
        return replace(term, coefficient=-term.coefficient if negative else term.coefficient, span=whole(children))

    later_term = first_term

    def affine(self, children: Children) -> tree.AffineText:
        return tree.AffineText(tuple(children), span=whole(children))

    def affines(self, children: Children) -> Several:
        return several(children)

    def names(self, children: Children) -> Several:
        return _names(children)

    def side(self, children: Children) -> tree.Side:
        modulus = integer(children[-1]) if len(children) > 1 and is_word(children[-2], "PERCENT") else None
        if isinstance(children[0], tree.Term):
            alone = tree.AffineText((children[0],), span=children[0].span)
            return tree.Side((alone,), modulus=modulus, span=whole(children))
        return tree.Side(items(children), is_word(children[0], "LPAR"), modulus, span=whole(children))

    def chain(self, children: Children) -> tree.Chain:
        return tree.Chain(tuple(children[::2]), tuple(child.text for child in children[1::2]), span=whole(children))

    def constraints(self, children: Children) -> Several:
        return several(children)

    def polyhedron(self, children: Children) -> tree.Polyhedron:
        bar = next(position for position, child in enumerate(children) if is_word(child, "BAR"))
        return tree.Polyhedron(items(children[:bar]), items(children[bar:]), span=whole(children))

    def domain(self, children: Children) -> tree.DomainText:
        return tree.DomainText(of_kind(tree.Polyhedron, children), span=whole(children))

    def function(self, children: Children) -> tree.FunctionText:
        arrow = next(position for position, child in enumerate(children) if is_word(child, "ARROW"))
        return tree.FunctionText(items(children[:arrow]), items(children[arrow:]), span=whole(children))


class ExpressionBuilder(AffineBuilder):
    """Expressions."""

    def expressions(self, children: Children) -> Several:
        return several(children)

    def conditional(self, children: Children) -> tree.ExpressionNode:
        _, condition, _, then, _, otherwise = children
        return tree.IfExpression(condition, then, otherwise, span=whole(children))

    def restricted(self, children: Children) -> tree.ExpressionNode:
        domain, _, body = children
        return tree.RestrictExpression(domain, body, span=whole(children))

    def binary(self, children: Children) -> tree.ExpressionNode:
        left, operator, right = children
        return tree.BinaryExpression(operator.text, left, right, span=whole(children))

    def unary(self, children: Children) -> tree.ExpressionNode:
        operator, operand = children
        return tree.UnaryExpression(operator.text, operand, span=whole(children))

    def parenthesised(self, children: Children) -> tree.ExpressionNode:
        inner: tree.ExpressionNode = children[1]
        return replace(inner, span=whole(children))

    def branch(self, children: Children) -> tree.ExpressionNode:
        inner: tree.ExpressionNode = children[0]
        return inner

    def case(self, children: Children) -> tree.ExpressionNode:
        return tree.CaseExpression(of_kind(tree.ExpressionNode, children), span=whole(children))

    def composition(self, children: Children) -> tree.ExpressionNode:
        function, _, body = children
        return tree.ComposeExpression(function, body, span=whole(children))

    def projection(self, children: Children) -> tree.FunctionText | Several:
        functions = of_kind(tree.FunctionText, children)
        return functions[0] if functions else Several(items(children), whole(children))

    def prefix_operator(self, children: Children) -> OperatorToken:
        return OperatorToken(children[0].text, children[0].span)

    def reduction_operator(self, children: Children) -> OperatorToken:
        return OperatorToken(_plain(children[0].text), children[0].span)

    def reduction(self, children: Children) -> tree.ExpressionNode:
        _, _, operator, _, projection, _, body, _ = children
        over = projection.items if isinstance(projection, Several) else projection
        return tree.ReduceExpression(operator.text, over, body, span=whole(children))

    def operator_call(self, children: Children) -> tree.ExpressionNode:
        return tree.OperatorCall(children[0].text, of_kind(tree.ExpressionNode, children), span=whole(children))

    def call(self, children: Children) -> tree.ExpressionNode:
        return tree.FunctionCall(_name(children[0]), items(children), span=whole(children))

    def access(self, children: Children) -> tree.ExpressionNode:
        return tree.Reference(_name(children[0]), items(children), span=whole(children))

    def variable(self, children: Children) -> tree.ExpressionNode:
        return tree.Reference(_name(children[0]), span=whole(children))

    def index(self, children: Children) -> tree.ExpressionNode:
        return tree.IndexExpression(children[1], span=whole(children))

    def val(self, children: Children) -> tree.ExpressionNode:
        return tree.ValExpression(items(children), children[-2], span=whole(children))

    def integer(self, children: Children) -> tree.ExpressionNode:
        return tree.IntegerLiteral(integer(children[0]), span=whole(children))

    def real(self, children: Children) -> tree.ExpressionNode:
        return tree.RealLiteral(children[0].text, span=whole(children))

    def boolean(self, children: Children) -> tree.ExpressionNode:
        return tree.BooleanLiteral(children[0].text == "true", span=whole(children))


class ProgramBuilder(ExpressionBuilder):
    """Systems and programs."""

    def program(self, children: Children) -> tree.ProgramText:
        externals, systems = of_kind(tree.ExternalNode, children), of_kind(tree.SystemText, children)
        return tree.ProgramText(externals, systems, span=whole(children))

    def type(self, children: Children) -> tree.TypeName:
        return tree.TypeName(" ".join(child.text for child in children), span=whole(children))

    def argument_types(self, children: Children) -> ArgumentTypes:
        places: list[tree.TypeName | None] = [None]
        for child in children:
            if is_word(child, "COMMA"):
                places.append(None)
            else:
                places[-1] = child
        return ArgumentTypes(tuple(places), whole(children))

    def external(self, children: Children) -> tree.ExternalNode:
        lists = of_kind(ArgumentTypes, children)
        return tree.ExternalNode(children[0], _name(children[1]), lists[0].items if lists else (), span=whole(children))

    def system_name(self, children: Children) -> tree.Name:
        return tree.Name("".join(_plain(child.text) for child in children), span=whole(children))

    def system_head(self, children: Children) -> SystemHead:
        _, name, parameters = children
        return SystemHead(name, parameters, whole(children))

    def declaration(self, children: Children) -> tree.Declaration:
        domains = of_kind(tree.DomainText, children)
        return tree.Declaration(children[0], items(children), domains[0] if domains else None, span=whole(children))

    def equation_head(self, children: Children) -> EquationHead:
        indices = items(children) if len(children) > 2 else None
        return EquationHead(_name(children[0]), indices, whole(children))

    def standard_equation(self, children: Children) -> tree.EquationText:
        head, body, _ = children
        return tree.EquationText(head.name, head.indices, body, span=whole(children))

    def use_head(self, children: Children) -> UseHead:
        domains = of_kind(tree.DomainText, children)
        (name,) = of_kind(tree.Name, children)
        return UseHead(domains[0] if domains else None, name, items(children), whole(children))

    def use_equation(self, children: Children) -> tree.UseText:
        head: UseHead = children[0]
        returns = next(position for position, child in enumerate(children) if is_word(child, "RETURNS"))
        inputs, outputs = items(children[:returns]), items(children[returns:])
        return tree.UseText(head.extension, head.system, head.parameters, inputs, outputs, span=whole(children))

    def loop(self, children: Children) -> tree.WhileText:
        _, domain, _, condition = children
        return tree.WhileText(domain, condition, span=whole(children))

    def _section(self, children: Children) -> Section:
        return Section(children[0].text, tuple(children[1:]), whole(children))

    inputs = outputs = locals = equations = given = returns = using = through = _section

    def system(self, children: Children) -> tree.SystemText:
        head: SystemHead = children[0]
        sections = {child.keyword: child.items for child in of_kind(Section, children)}
        loops = of_kind(tree.WhileText, children)
        is_in_pairs = not sections.keys().isdisjoint(FAMILY_OF_GIVEN)
        inputs, outputs, local, equations = (
            sections.get(one, ()) + sections.get(other, ())
            for one, other in zip(FAMILY_OF_INPUT, FAMILY_OF_GIVEN, strict=True)
        )
        return tree.SystemText(
            head.name,
            head.parameters,
            inputs,
            outputs,
            local,
            loops[0] if loops else None,
            equations,
            is_in_pairs,
            span=whole(children),
        )
