"""UniformizeInContext: a read becomes a translation if it equals one in its context.

V[f(z)], needed on C, where f(z) = z + c for every z of C:   V[z+c]"""

from dataclasses import dataclass, replace

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.program import Kind, System
from alphaz.model.walk import children, rebuild
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.algorithms.functional import hull_equalities
from alphaz.poly.plain.solve import constant_modulo
from alphaz.transform.engine.edit import roots, with_roots, with_system
from alphaz.transform.engine.refuse import find_system
from alphaz.transform.engine.rewrite import rewrite, without_context


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
        return rewrite(design, program)


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

    def into(self, node: Expression, asked: Domain, implicit: bool) -> Expression:
        """Rewrites a node. `asked`: where the context needs its value; `implicit`: the node itself limits that."""
        match node:
            case Access():
                return self._read(node, asked, implicit)
            case Restrict(domain, body):
                return rebuild(node, (self.into(body, asked & domain, implicit),))
            case Compose(function, names, body):
                return rebuild(node, (self.into(body, asked.image(function, names), implicit),))
            case Reduce(_, projection, body):
                return rebuild(node, (self.into(body, asked.preimage(projection), True),))
        inside = implicit or isinstance(node, Case)
        return rebuild(node, tuple(self.into(child, asked, inside) for child in children(node)))

    def _read(self, read: Access, asked: Domain, implicit: bool) -> Expression:
        variable = self.system.variable(read.variable)
        if self.without_inputs and variable.kind is Kind.INPUT:
            return read
        function = translation(read.function, self.checked.facts.context_domain[read])
        if function is None or function == read.function:
            return read
        changed = replace(read, function=function)
        before, after = (variable.domain.preimage(f) for f in (read.function, function))
        if implicit and not (asked & after).is_subset(before):
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
