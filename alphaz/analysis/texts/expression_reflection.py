"""Expressions -> syntax tree, in array form (`V[i,j-1]`, `[k]`, `{| ..}`) or point-free (`(i,j->i,j-1)@V`).

After a composition the indices have no names for array notation: there the text is always point-free. Point-free
equations name no indices, so that those of the declaration are used instead of the equation's."""

from dataclasses import dataclass, replace

from alphaz.analysis.texts.domain_texts import affine_text, domain_text, function_text, names_text
from alphaz.model import expression as model
from alphaz.poly import Affine, AffineFunction
from alphaz.syntax import tree


def expression_tree(
    node: model.Expression, indices: tuple[str, ...], array: bool = True, written: tuple[str, ...] | None = None
) -> tree.ExpressionNode:
    """Returns the syntax tree of an expression whose context space has these indices; point-free, they may be `written`
    otherwise."""
    return _Writer(indices, array, written or indices).text(node)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes expressions in a context with these indices and their names in the text."""

    indices: tuple[str, ...]
    array: bool
    written: tuple[str, ...]

    def text(self, node: model.Expression) -> tree.ExpressionNode:
        match node:
            case model.Constant():
                return _constant(node.value)
            case model.IndexValue():
                return self._index_value(node)
            case model.Access():
                return self._access(node)
            case model.Compose():
                inner = _Writer(node.names, array=False, written=node.names)
                return tree.ComposeExpression(self._function(node.function), inner.text(node.body))
            case model.Restrict():
                there = node.domain.renamed(self.written)
                domain = domain_text(there, () if self.array else self.written, node.span)
                return tree.RestrictExpression(domain, self.text(node.body))
            case model.Reduce():
                return self._reduction(node)
            case model.Call():
                arguments = tuple([self.text(argument) for argument in node.arguments])
                return tree.FunctionCall(tree.Name(node.function), arguments)
        return self._operation(node)

    def _operation(self, node: model.Expression) -> tree.ExpressionNode:
        match node:
            case model.Unary():
                return tree.UnaryExpression(node.operator, self.text(node.operand))
            case model.Binary():
                return tree.BinaryExpression(node.operator, self.text(node.left), self.text(node.right))
            case model.Nary():
                return tree.OperatorCall(node.operator, tuple([self.text(operand) for operand in node.operands]))
            case model.If():
                return tree.IfExpression(self.text(node.condition), self.text(node.then), self.text(node.otherwise))
            case model.Case():
                return tree.CaseExpression(tuple([self.text(branch) for branch in node.branches]))
        raise TypeError(f"{type(node).__name__} has no text")

    def _index_value(self, node: model.IndexValue) -> tree.ExpressionNode:
        names = dict(zip(self.indices, map(Affine.name, self.written), strict=True))
        value = affine_text(node.affine.substitute(names))
        return tree.IndexExpression(value) if self.array else tree.ValExpression(names_text(self.written), value)

    def _access(self, node: model.Access) -> tree.ExpressionNode:
        bare = tree.Reference(tree.Name(node.variable))
        if not node.function.outputs:
            return bare
        if self.array:
            return replace(bare, indices=tuple(affine_text(output) for output in node.function.outputs))
        return bare if node.function.is_identity else tree.ComposeExpression(self._function(node.function), bare)

    def _function(self, function: AffineFunction) -> tree.FunctionText:
        return function_text(function.renamed(self.written))

    def _reduction(self, node: model.Reduce) -> tree.ExpressionNode:
        inner = node.projection.domain.names
        inner_tree = self._inside(inner)
        body = _Writer(inner, self.array, inner_tree).text(node.body)
        if self.array and _forgets(node.projection, self.indices):
            return tree.ReduceExpression(node.operator, names_text(inner[len(self.indices) :]), body)
        return tree.ReduceExpression(node.operator, function_text(node.projection.renamed(inner_tree)), body)

    def _inside(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names of the indices of a body: indices with the same names as here keep their text."""
        own = names[len(self.indices) :]
        if names != self.indices + own or set(own) & set(self.written):
            return names
        return self.written + own


def _forgets(projection: AffineFunction, indices: tuple[str, ...]) -> bool:
    """Returns True if the projection only drops new indices after those of the context: `[k]`."""
    inner = projection.domain.names
    outputs = tuple(Affine.name(name) for name in indices)
    return inner[: len(indices)] == indices and len(inner) > len(indices) and projection.outputs == outputs


def _constant(value: int | bool | str) -> tree.ExpressionNode:
    if isinstance(value, bool):
        return tree.BooleanLiteral(value)
    if isinstance(value, str):
        negative = value.startswith("-")
        literal: tree.ExpressionNode = tree.RealLiteral(value.removeprefix("-"))
        return tree.UnaryExpression("-", literal) if negative else literal
    return tree.IntegerLiteral(value) if value >= 0 else tree.UnaryExpression("-", tree.IntegerLiteral(-value))
