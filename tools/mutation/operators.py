"""The operators that make mutants: each replaces one node of a syntax tree."""

import ast
from collections.abc import Callable, Mapping

# What is replaced, and by what.
Edit = tuple[ast.expr | ast.stmt, ast.AST]
Operator = Callable[[ast.expr | ast.stmt, ast.AST, str], Edit | None]

COMPARISONS: Mapping[str, type[ast.cmpop]] = {
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq, "is": ast.Is,
    "is not": ast.IsNot, "in": ast.In, "not in": ast.NotIn,
}  # fmt: skip
ARITHMETIC: Mapping[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "//": ast.FloorDiv, "%": ast.Mod, "|": ast.BitOr, "&": ast.BitAnd,
}  # fmt: skip
_LOGIC: Mapping[str, type[ast.boolop]] = {"and": ast.And, "or": ast.Or}


def parsed(text: str) -> ast.expr | ast.stmt:
    """The expression, or the statement where the text is none."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        (statement,) = ast.parse(text).body
        return statement


def is_same(one: ast.AST, other: ast.AST) -> bool:
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)


def _constant(text: str) -> Operator:
    return lambda node, parent, argument: (node, parsed(text)) if isinstance(node, ast.expr) else None


def _negated(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    match node:
        case ast.UnaryOp(op=ast.Not()):
            return node, node.operand
        case ast.expr():
            return node, ast.UnaryOp(ast.Not(), node)
    return None


def _swapped(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    """The two arguments, sides, or elements change places."""
    match node:
        case ast.Call(args=[one, other]):
            return node, ast.Call(node.func, [other, one], node.keywords)
        case ast.Compare(left=one, comparators=[other]):
            return node, ast.Compare(other, node.ops, [one])
        case ast.BinOp(left=one, right=other):
            return node, ast.BinOp(other, node.op, one)
        case ast.Tuple(elts=[one, other]):
            return node, ast.Tuple([other, one], node.ctx)
    return None


def _one_first(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    if not isinstance(node, ast.expr) or isinstance(node, ast.Starred):
        return None
    return node, ast.Subscript(node, ast.Slice(upper=ast.Constant(1)), ast.Load())


def _shifted(sign: str) -> Operator:
    def shift(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
        match node:
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                return node, ast.Constant(value + int(f"{sign}1"))
            case ast.expr():
                return node, ast.BinOp(node, ARITHMETIC[sign](), ast.Constant(1))
        return None

    return shift


def _dropped(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    """From a condition, a sum, a display or a call: what stands beside it is left."""
    match parent:
        case ast.BoolOp(values=values):
            rest = _without(values, node)
            return (parent, rest[0] if len(rest) == 1 else ast.BoolOp(parent.op, rest)) if rest else None
        case ast.BinOp(left=left, right=right):
            return parent, left if right is node else right
        case ast.Tuple(elts=elements):
            return parent, ast.Tuple(_without(elements, node), parent.ctx)
        case ast.List(elts=elements):
            return parent, ast.List(_without(elements, node), parent.ctx)
        case ast.Call(args=arguments) if node is not parent.func:
            return parent, ast.Call(parent.func, _without(arguments, node), parent.keywords)
    return None


def _without(nodes: list[ast.expr], node: ast.AST) -> list[ast.expr]:
    return [other for other in nodes if other is not node]


def _unwrapped(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    """A call is its argument, an element its index is not taken of, a sign is not there."""
    match node:
        case ast.Call(args=[inner, *_]) | ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            return node, inner
        case ast.Call(func=ast.Attribute(value=inner)) | ast.Starred(value=inner):
            return node, inner
    return None


def _with_operator(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    match node:
        case ast.Compare(ops=[_]) if argument in COMPARISONS:
            return node, ast.Compare(node.left, [COMPARISONS[argument]()], node.comparators)
        case ast.BinOp() if argument in ARITHMETIC:
            return node, ast.BinOp(node.left, ARITHMETIC[argument](), node.right)
        case ast.BoolOp() if argument in _LOGIC:
            return node, ast.BoolOp(_LOGIC[argument](), node.values)
    return None


def _replaced(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    return node, parsed(argument)


def _deleted(node: ast.expr | ast.stmt, parent: ast.AST, argument: str) -> Edit | None:
    match node:
        case ast.stmt():
            return node, ast.Pass()
        case _ if isinstance(parent, ast.Expr):
            return parent, ast.Pass()
    return None


OPERATORS: Mapping[str, Operator] = {
    "never": _constant("False"),
    "always": _constant("True"),
    "empty": _constant("()"),
    "negate": _negated,
    "swap": _swapped,
    "first of": _one_first,
    "one more than": _shifted("+"),
    "one less than": _shifted("-"),
    "drop": _dropped,
    "unwrap": _unwrapped,
    "delete": _deleted,
    "replace operator of": _with_operator,
    "replace": _replaced,
}
