"""RaiseDependence: a function that all operands share moves in front of their operator.

f@a op f@b  =  f@(a op b)        op f@a  =  f@(op a)        f@g@a  =  (g o f)@a
"""

from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Call, Compose, Constant, Expression, If, Nary, Unary
from alphaz.model.program import System
from alphaz.model.walk import children, rebuild
from alphaz.poly import AffineFunction
from alphaz.transform.engine.edit import map_roots, with_system
from alphaz.transform.engine.naming import with_names
from alphaz.transform.engine.rewrite import rewrite


def raise_dependence(design: Design) -> Design:
    """Move functions out of operators, conditions and calls whose operands share them.

    *Rewrites*: `A[i-1] + B[i-1]` into `(i->i-1)@(A + B)`, from inside out; constants are the same anywhere. Restricts,
    cases and reductions stay where they are, and functions inside them too. Mappings stay.

    *Checks*: none. Normalize is the inverse."""
    program = design.program
    with deep():
        for system in program.systems:
            raised = map_roots(system, _Raising(system).raised)
            program = with_system(program, system.name, raised)
        return rewrite(design, program)


@dataclass(frozen=True, slots=True, eq=False)
class _Raising:
    system: System

    def raised(self, node: Expression) -> Expression:
        inside = rebuild(node, tuple(self.raised(child) for child in children(node)))
        match inside:
            case Compose(function, _, Compose(further, names, body)):
                return Compose(function.then(further), names, body, span=node.span)
            case Compose(function, _, Access(variable, read)):
                return Access(variable, function.then(read), span=node.span)
            case Unary() | Binary() | Nary() | If() | Call():
                return self._out_of(inside)
        return inside

    def _out_of(self, node: Expression) -> Expression:
        operands = children(node)
        moving = [self._apart(operand) for operand in operands if not isinstance(operand, Constant)]
        if not moving or any(each is None for each in moving):
            return node
        found = [each for each in moving if each is not None]
        function, names = found[0].function, found[0].names
        if function.is_identity or any(each.function.outputs != function.outputs for each in found):
            return node
        bodies = iter(with_names(each.body, each.names, names) for each in found)
        inside = tuple(operand if isinstance(operand, Constant) else next(bodies) for operand in operands)
        return Compose(function, names, rebuild(node, inside), span=node.span)

    def _apart(self, node: Expression) -> "Compose | None":
        """The expression as a function and its operand."""
        if isinstance(node, Compose):
            return node
        if not isinstance(node, Access):
            return None
        names = self.system.variable(node.variable).domain.space.names
        there = node.function.domain.with_names(names)
        return Compose(node.function, names, Access(node.variable, AffineFunction.identity(there), span=node.span))
