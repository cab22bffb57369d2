"""PrintAST: the tree of a program, every node with its number (see `nodes`) and its domains.

The format is that of the original tool: a node after a bar for each level, its properties after `+--`, and before every
variable and constant the function of its read, as a node of its own."""

from collections.abc import Iterator

from alphaz.analysis.texts.domain_texts import affine_text, domain_text, function_text
from alphaz.analysis.texts.node_numbers import roots
from alphaz.diagnostics import NOWHERE, Rejected
from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Case,
    Compose,
    Constant,
    Expression,
    Facts,
    If,
    IndexValue,
    Nary,
    Reduce,
    Restrict,
    Unary,
)  # fmt: skip
from alphaz.model.program import Equation, Program, System, UseEquation
from alphaz.model.walk import children
from alphaz.poly import AffineFunction, Domain
from alphaz.syntax.printer import print_affine, print_domain, print_function

_KINDS: dict[type[Expression], str] = {
    Compose: "DependenceExpression", IndexValue: "IndexExpression", Unary: "UnaryExpression",
    Binary: "BinaryExpression", Nary: "MultiArgExpression", Case: "CaseExpression", Restrict: "RestrictExpression",
    If: "IfExpression", Call: "ExternalFunctionCall", Reduce: "ReduceExpression",
}  # fmt: skip
_OPERATORS = {
    "+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV", "%": "MOD", "min": "MIN", "max": "MAX", "and": "AND", "or": "OR",
    "xor": "XOR", "nand": "NAND", "==": "EQ", "!=": "NE", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "not": "NOT",
}  # fmt: skip

Line = tuple[int, str]


def print_ast(program: Program, facts: Facts, system: str | None = None) -> str:
    """Returns the tree of a checked program, or of one system of it (numbered as in the whole)."""
    lines = [line for position, system_ in enumerate(program.systems) if system in (None, system_.name)
             for line in _system(system_, position, facts)]  # fmt: skip
    return "".join(f"{'   |' * depth}{text}\n" for depth, text in [(0, "_Program"), *lines])


def _system(system: System, position: int, facts: Facts) -> Iterator[Line]:
    yield 1, "_AffineSystem"
    yield 2, f"nodeId = ({position})"
    yield 2, f"_{system.name}"
    yield 2, "_ParameterDomain"
    parameters = " ".join(system.parameters)
    yield 3, f"+-- {{{','.join(system.parameters)} | {_conditions(system.context)}}}" if parameters else "+-- {|}"
    for variable in system.variables:
        yield 2, "_VariableDeclaration"
        yield from ((3, f"+-- {text}") for text in (variable.name, _domain(variable.domain), str(variable.type)))
    for number, equation in enumerate(system.equations):
        yield from _equation(equation, (position, number), facts)


def _equation(equation: Equation | UseEquation, number: tuple[int, ...], facts: Facts) -> Iterator[Line]:
    yield 2, "_StandardEquation" if isinstance(equation, Equation) else "_UseEquation"
    yield 3, f"nodeId = {_number(number)}"
    if isinstance(equation, Equation):
        yield 3, f"+-- {equation.variable}"
    else:
        parameters = ", ".join(print_affine(affine_text(a)) for a in equation.parameters)
        yield 3, f"+-- {_domain(equation.extension)}"
        yield 3, f"+-- {equation.system}[{parameters}]"
        yield from ((3, f"+-- {name}") for name in equation.outputs)
    waiting = [(3, (*number, position), root) for position, root in reversed(list(enumerate(roots(equation))))]
    while waiting:
        depth, here, node = waiting.pop()
        yield from _node(node, depth, here, facts)
        inside = [(depth + 1, (*here, position), child) for position, child in enumerate(children(node))]
        waiting.extend(reversed(inside))


def _node(node: Expression, depth: int, number: tuple[int, ...], facts: Facts) -> Iterator[Line]:
    domains = [
        (depth + 1, f"+--expression--{_domain(facts.expression_domain[node])}"),
        (depth + 1, f"+--context--{_domain(facts.context_domain[node])}"),
    ]
    yield depth, f"_{_KINDS.get(type(node), 'DependenceExpression')}"
    yield from domains
    yield depth + 1, f"nodeId = {_number(number)}"
    yield from ((depth + 1, f"+-- {text}") for text in _properties(node))
    if isinstance(node, Access | Constant):
        read = _domain_at(node, facts)
        yield depth + 1, f"_{_leaf(node)}"
        yield depth + 2, f"+--context--{read}"
        yield depth + 2, f"nodeId = {_number((*number, 0))}"
        yield depth + 2, f"+-- {node.variable if isinstance(node, Access) else _constant(node)}"


def _domain_at(node: Access | Constant, facts: Facts) -> str:
    """The domain where the variable is read; a constant is a value at the one point without indices."""
    if isinstance(node, Constant):
        return "{|}"
    names = tuple(f"x{position}" for position in range(len(node.function.outputs)))
    return _domain(facts.context_domain[node].image(node.function, names))


def _properties(node: Expression) -> Iterator[str]:
    match node:
        case Access(_, function) | Compose(function):
            yield _function(function)
        case Constant():
            yield "(->)"
        case IndexValue(affine):
            yield print_affine(affine_text(affine))
        case Unary(operator) | Binary(operator) | Nary(operator):
            yield "NEG" if isinstance(node, Unary) and operator == "-" else _OPERATORS[operator]
        case Restrict(domain):
            yield _domain(domain)
        case Call(function):
            yield function
        case Reduce(operator, projection):
            yield _OPERATORS.get(operator, operator)
            yield _function(projection)


def _leaf(node: Access | Constant) -> str:
    if isinstance(node, Access):
        return "VariableExpression"
    kinds = {bool: "BooleanExpression", int: "IntegerExpression", str: "RealExpression"}
    return kinds[type(node.value)]


def _constant(node: Constant) -> str:
    return str(node.value).lower() if isinstance(node.value, bool) else str(node.value)


def _number(number: tuple[int, ...]) -> str:
    return f"({','.join(map(str, number))})"


def _domain(domain: Domain) -> str:
    """The domain in the syntax of the language; a set without a notation in it (such as every other point) in that of
    isl."""
    try:
        return print_domain(domain_text(domain, domain.space.names, NOWHERE))
    except Rejected:
        return str(domain)


def _conditions(context: Domain) -> str:
    return _domain(context).removeprefix("{").removesuffix("}").partition("|")[2].strip()


def _function(function: AffineFunction) -> str:
    return print_function(function_text(function))
