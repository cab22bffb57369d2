"""NormalizeReduction: every reduction becomes the whole right-hand side of an equation of its own.

    V[z] = ... reduce(op, p, e) ...    becomes    V[z] = ... NR_V[z] ...;    NR_V[z] = reduce(op, p, e)

for all z of the context domain of the reduction, which is the domain of NR_V. Only the body of such a reduction can
have dates (AlphaZ Verifier thesis, 3.1.4)."""

from collections.abc import Callable
from dataclasses import dataclass, field

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.analysis.texts.node_numbers import find_node
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Expression, Facts, Reduce
from alphaz.model.program import Equation, Kind, Program, System, Variable, defined_by
from alphaz.model.walk import children, rebuild
from alphaz.poly import AffineFunction
from alphaz.transform.engine.checked_rewrite import declared_domain, with_program
from alphaz.transform.engine.edit import (
    AnyEquation,
    add_to_system,
    fresh,
    roots,
    with_equation,
    with_roots,
    with_system,
)
from alphaz.transform.engine.refusals import find_equation, find_system, names_of, refusal


def normalize_reduction(
    design: Design, system: str | None = None, variable: str | None = None, node: str | None = None
) -> Design:
    """Give every reduction that is not a whole right-hand side an equation of its own.

    *Rewrites*: each such reduction of the program (of the system; of the equation of the variable; or the one at
    `node`) into a read of a new local `NR_<variable>`, then `NR_<variable>_1`, ... in the order of the text. Its domain
    is where the reduction is needed, its type that of the reduction. A reduction inside another one follows, named
    after the equation in which it then stands.

    *Checks*: the system, the variable or the node exists, and the node is a reduction. Every mapping is kept.
    """
    with deep():
        return with_program(design, reductions_normalized(design.checked, system, variable, node))


def reductions_normalized(
    checked: Checked, system: str | None = None, variable: str | None = None, node: str | None = None
) -> Program:
    """Returns the program with its reductions (the selected ones) hoisted into equations of their own."""
    program = checked.program
    if node is not None:
        return _one(checked, node)
    chosen = program.systems if system is None else (find_system(program, system),)
    if variable is not None:
        find_equation(chosen[0], variable)
    for one in chosen:
        hoist = _Hoist(one, checked.facts, set(names_of(program, one)), lambda _: True)
        program = with_system(program, one.name, _hoist(one, hoist, variable))
    return program


def _one(checked: Checked, node: str) -> Program:
    site = find_node(checked.program, node)
    if not isinstance(site.expression, Reduce):
        raise refusal(
            f"the node {node} is no reduction", site.expression.span, help="PrintAST shows the nodes with their numbers"
        )
    hoist = _Hoist(
        site.system, checked.facts, set(names_of(checked.program, site.system)), lambda n: n is site.expression
    )
    system = _hoist(site.system, hoist, None)
    return with_system(checked.program, site.system.name, system)


def _hoist(system: System, hoist: "_Hoist", variable: str | None) -> System:
    for equation in system.equations:
        if variable is None or variable in defined_by(equation):
            system = with_equation(system, equation, hoist.equation(equation))
    return add_to_system(system, hoist.variables, hoist.equations)


@dataclass(slots=True, eq=False)
class _Hoist:
    """The hoisted reductions of one system."""

    system: System
    facts: Facts
    used_names: set[str]
    selects: Callable[[Reduce], bool]
    variables: list[Variable] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)

    def equation(self, equation: AnyEquation) -> AnyEquation:
        owner = defined_by(equation)[0]
        if isinstance(equation, Equation) and isinstance(equation.expression, Reduce):
            return with_roots(equation, (self._inside(equation.expression, owner),))
        return with_roots(equation, tuple(self._out_of(root, owner) for root in roots(equation)))

    def _inside(self, node: Expression, owner: str) -> Expression:
        return rebuild(node, tuple(self._out_of(child, owner) for child in children(node)))

    def _out_of(self, node: Expression, owner: str) -> Expression:
        if isinstance(node, Reduce) and self.selects(node):
            return self._read(node, owner)
        return self._inside(node, owner)

    def _read(self, node: Reduce, owner: str) -> Access:
        """Names the reduction and reads it; its own body is processed after its siblings have their names."""
        name = fresh(f"NR_{owner}", self.used_names)
        self.used_names.add(name)
        domain = declared_domain(self.facts.context_domain[node], self.system)
        self.variables.append(
            Variable(name=name, kind=Kind.LOCAL, type=self.facts.types[node], domain=domain, span=node.span)
        )
        position = len(self.equations)
        self.equations.append(Equation(name, domain.space.names, node, span=node.span))
        inside = self._inside(node, name)
        self.equations[position] = Equation(name, domain.space.names, inside, span=node.span)
        return Access(name, AffineFunction.identity(domain.space), span=node.span)
