"""AddLocal: an expression gets a name.

... e ...   becomes   ... new ...;   new[z] = e      for the z where e is needed
"""

from alphaz.analysis.depth import deep
from alphaz.analysis.nodes import find_node
from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access
from alphaz.model.program import Equation, Kind, Variable
from alphaz.model.walk import walk
from alphaz.poly import AffineFunction
from alphaz.transform.edit import added, map_roots, replaced, with_system
from alphaz.transform.refuse import find_system, refusal, require_new
from alphaz.transform.rewrite import rewrite
from alphaz.transform.shown import declared


def add_local(design: Design, system: str, name: str, node: str, span: Span = NOWHERE) -> Design:
    """Make an expression the right-hand side of a new local variable, and read that instead.

    *Rewrites*: the expression at `node` into a read of `name`, a new local over the domain where the expression is
    needed, of the expression's type. Mappings stay.

    *Checks*: the node is in the system, and the new name is free.
    """
    home = find_system(design.program, system, span)
    require_new(design.program, home, name, span)
    site = find_node(design.program, node)
    if site.system is not home:
        raise refusal(f"the node {node} is in {site.system.name}, not in {system}", span)
    chosen, facts = site.expression, design.checked.facts
    with deep():
        domain = declared(facts.context_domain[chosen], home)
        read = Access(name, AffineFunction.identity(domain.space), span=chosen.span)
        changed = map_roots(home, lambda root: replaced(root, lambda n: read if n is chosen else None))
        local = Variable(name, Kind.LOCAL, facts.types[chosen], domain, chosen.span)
        changed = added(changed, [local], [Equation(name, domain.space.names, chosen, span=chosen.span)])
        new = rewrite(design, with_system(design.program, system, changed))
    for part in walk(chosen):
        if new.checked.facts.types[part] != facts.types[part]:
            raise refusal(
                f"in an equation of its own, this would be computed in {new.checked.facts.types[part]} "
                f"instead of {facts.types[part]}",
                part.span,
            )
    return new
