"""RaiseDependence, UniformizeInContext and StandardizeNames: other forms of dependence functions."""

from dataclasses import dataclass, replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Case,
    Compose,
    Constant,
    Expression,
    If,
    Nary,
    Reduce,
    Restrict,
    Unary,
)
from alphaz.model.program import Equation, Kind, System, UseEquation
from alphaz.model.walk import children, rebuild
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.algorithms.functional_relations import hull_equalities
from alphaz.poly.plain.solve import constant_modulo
from alphaz.transform.engine.checked_rewrite import with_program, without_context
from alphaz.transform.engine.edit import map_roots, roots, with_roots, with_system
from alphaz.transform.engine.push import with_names
from alphaz.transform.engine.refusals import find_system


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
        return with_program(design, program)


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
        if not moving or any(moved_function is None for moved_function in moving):
            return node
        functions = [moved_function for moved_function in moving if moved_function is not None]
        function, names = functions[0].function, functions[0].names
        if function.is_identity or any(
            moved_function.function.outputs != function.outputs for moved_function in functions
        ):
            return node
        bodies = iter(with_names(moved_function.body, moved_function.names, names) for moved_function in functions)
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


def uniformize_in_context(
    design: Design, system: str | None = None, without_inputs: bool = False, span: Span = NOWHERE
) -> Design:
    """Make every read a translation of the indices if it equals one in its context.

    *Rewrites*: reads of variables with as many indices as their context (of the program, or of one system; with
    `without_inputs` not those of inputs) at a function that differs from a translation only outside their context.

    *Checks*: none: a read that is not uniform in its context stays. Mappings stay."""
    program = design.program
    chosen = program.systems if system is None else (find_system(program, system, span),)
    with deep():
        for one in chosen:
            program = with_system(program, one.name, _uniform(one, design.checked, without_inputs))
        return with_program(design, program)


def _uniform(system: System, checked: Checked, without_inputs: bool) -> System:
    work = _Uniformizer(system, checked, without_inputs)
    facts = checked.facts
    equations = tuple(
        with_roots(e, tuple(work.into(root, facts.context_domain[root], False) for root in roots(e)))
        for e in system.equations
    )
    return replace(system, equations=equations)


@dataclass(frozen=True, slots=True, eq=False)
class _Uniformizer:
    system: System
    checked: Checked
    without_inputs: bool

    def into(self, node: Expression, needed_points: Domain, implicit: bool) -> Expression:
        """Rewrites a node. `needed_points`: where the context needs its value; `implicit`: the node limits that."""
        match node:
            case Access():
                return self._read(node, needed_points, implicit)
            case Restrict(domain, body):
                return rebuild(node, (self.into(body, needed_points & domain, implicit),))
            case Compose(function, names, body):
                return rebuild(node, (self.into(body, needed_points.image(function, names), implicit),))
            case Reduce(_, projection, body):
                return rebuild(node, (self.into(body, needed_points.preimage(projection), True),))
        inside = implicit or isinstance(node, Case)
        return rebuild(node, tuple(self.into(child, needed_points, inside) for child in children(node)))

    def _read(self, read: Access, needed_points: Domain, implicit: bool) -> Expression:
        variable = self.system.variable(read.variable)
        if self.without_inputs and variable.kind is Kind.INPUT:
            return read
        function = translation(read.function, self.checked.facts.context_domain[read])
        if function is None or function == read.function:
            return read
        changed = replace(read, function=function)
        before, after = (variable.domain.preimage(f) for f in (read.function, function))
        if implicit and not (needed_points & after).is_subset(before):
            return Restrict(without_context(before, self.system), changed, span=read.span)
        return changed


def translation(function: AffineFunction, context: Domain) -> AffineFunction | None:
    """Returns `(z -> z+c)` if the function equals it on the context, by its equalities; None otherwise."""
    names = function.domain.names
    if len(function.outputs) != len(names):
        return None
    equalities = hull_equalities(context.renamed(names))
    outputs: list[Affine] = []
    for name, output in zip(names, function.outputs, strict=True):
        step = constant_modulo(output - Affine.name(name), equalities)
        if step is None:
            return None
        outputs.append(Affine.name(name) + step)
    return AffineFunction(function.domain, tuple(outputs))


def standardize_names(design: Design) -> Design:
    """Rename the indices of each equation to those in the declaration of its variable.

    *Rewrites*: the names of the left-hand side, of restricts and index expressions; the body of a reduction has these
    and then its own; after `f @` with the same number of indices, they name the positions there. Mappings stay.

    *Checks*: none."""
    program = design.program
    with deep():
        for system in program.systems:
            equations = tuple(_standard(system, equation) for equation in system.equations)
            program = with_system(program, system.name, replace(system, equations=equations))
        return with_program(design, program)


def _standard(system: System, equation: Equation | UseEquation) -> Equation | UseEquation:
    """The equation with the standard names; use equations have those of the called system already."""
    if isinstance(equation, UseEquation):
        return equation
    names = system.variable(equation.variable).domain.space.names
    return replace(equation, indices=names, expression=with_names(equation.expression, equation.indices, names))
