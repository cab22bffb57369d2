"""What a set states of its parameters and indices, for folding."""

from alphaz.poly.domain import Domain
from alphaz.poly.plain.integer import Number, Operation, of_affine
from alphaz.poly.plain.known import Known


def stated(domain: Domain) -> Known:
    """What its constraints say, where they are those of one piece."""
    pieces, found = domain.pieces(), Known()
    for each in pieces[0].constraints if len(pieces) == 1 and not pieces[0].floors else ():
        found = found.where(Operation("==" if each.equality else ">=", (of_affine(each.affine), Number(0))))
    return found
