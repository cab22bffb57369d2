"""Whether a matrix is its own transpose, as far as its formula shows it."""

from alphaz.matrix.kernel import Kernel
from alphaz.matrix.storage import Form
from alphaz.matrix.tree import Binary, Call, Expression, Negated, Number, Operator, Transposed, Variable


def is_symmetric(node: Expression, kernel: Kernel) -> bool:
    """A symmetric variable, sums and multiples of such, e + e', e*e', e*s*e' and what is equal to its own transpose."""
    if not kernel.extents[node].sizes:
        return True
    match node:
        case Variable():
            return kernel.arrays[node.name].storage.form is Form.SYMMETRIC
        case Transposed() | Negated():
            return is_symmetric(node.body, kernel)
        case Binary(Operator.ADD | Operator.SUBTRACT):
            each = all(is_symmetric(e, kernel) for e in (node.left, node.right))
            return each or (node.operator is Operator.ADD and mirrored(node.left) == same(node.right))
        case Binary(Operator.DIVIDE):
            return is_symmetric(node.left, kernel)
        case Binary(Operator.MULTIPLY, left, right):
            scalars = [not kernel.extents[e].sizes for e in (left, right)]
            if any(scalars):
                return is_symmetric(right if scalars[0] else left, kernel)
            return _is_congruence(left, right, kernel)
    return False


def _is_congruence(left: Expression, right: Expression, kernel: Kernel) -> bool:
    """`e * e'`, or `e * s * e'` where s is symmetric."""
    if mirrored(left) == same(right):
        return True
    match left:
        case Binary(Operator.MULTIPLY, outer, inner) if not kernel.extents[outer].sizes:
            return _is_congruence(inner, right, kernel)
        case Binary(Operator.MULTIPLY, outer, inner):
            return mirrored(outer) == same(right) and is_symmetric(inner, kernel)
    return False


def same(node: Expression) -> str:
    """The formula, transposes pushed to its variables: equal texts are equal matrices."""
    match node:
        case Variable():
            return node.name
        case Number():
            return node.text
        case Transposed():
            return mirrored(node.body)
        case Negated():
            return f"-({same(node.body)})"
        case Call():
            return f"{node.function}({same(node.argument)})"
        case Binary():
            return f"({same(node.left)} {node.operator} {same(node.right)})"


def mirrored(node: Expression) -> str:
    """The same of its transpose."""
    match node:
        case Variable():
            return f"{node.name}'"
        case Number() | Call():
            return same(node)
        case Transposed():
            return same(node.body)
        case Negated():
            return f"-({mirrored(node.body)})"
        case Binary(Operator.MULTIPLY):
            return f"({mirrored(node.right)} * {mirrored(node.left)})"
        case Binary():
            return f"({mirrored(node.left)} {node.operator} {mirrored(node.right)})"
