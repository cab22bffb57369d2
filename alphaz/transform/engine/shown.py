"""Domains as people would write them: nothing that the context of the system says already."""

from alphaz.model.program import System
from alphaz.poly import Domain


def shown(domain: Domain, system: System) -> Domain:
    """The same points for every legal value of the parameters, in few pieces and constraints: for a restrict."""
    context = Domain.universe(domain.space).in_context(system.context)
    short = (domain & context).simplify().gist(context).simplify()
    return min((short, domain), key=_length)


def declared(domain: Domain, system: System) -> Domain:
    """The points for legal values of the parameters, as every declared domain has: for a variable."""
    return shown(domain, system).in_context(system.context)


def shorter(domain: Domain, context: Domain) -> Domain:
    """The same points inside `context`, in fewer words if there are any; outside it may have others."""
    return min((domain, domain.gist(context).simplify()), key=_length)


def _length(domain: Domain) -> int:
    return sum(1 + len(piece.constraints) + len(piece.floors) for piece in domain.pieces())
