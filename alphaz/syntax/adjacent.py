"""Adjacent operands: `d = j D[M,N];`, `x = 2 y;`. An operator is missing, not the end of the equation."""

from alphaz.syntax.advice import Advice
from alphaz.syntax.lexeme import END
from alphaz.syntax.situation import Repair, Situation

_ENDS = frozenset(("NAME", "INT", "REAL", "RSQB", "RPAR"))
_BEGINS = frozenset(("NAME", "INT", "REAL", "LPAR", "CASE", "REDUCE", "VAL"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE", "CASE"))
_CLOSERS = frozenset(("RPAR", "RSQB", "RBRACE", "ESAC"))
# An equation whose head was mistaken for an operand would come to its `=` within these words.
_SIGHT = 60


def missing_operator(situation: Situation) -> Advice | None:
    """Returns advice for `j D[M,N];`: the following words reach the end of the statement without a `=` of their own."""
    before, here = situation.previous, situation.found
    if before is None or before.type not in _ENDS or here.type not in _BEGINS or situation.starts_line():
        return None
    repair = Repair(0, ("STAR",))
    if "STAR" not in situation.expected or not situation.fits(repair) or not _ends_statement(situation):
        return None
    return Advice(
        f"an operator is missing between `{before.text}` and `{here.text}`",
        f"write it: a product is `{before.text} * {here.text}`",
        label="expected an operator",
        repair=repair,
        span=situation.gap,
    )


def _ends_statement(situation: Situation) -> bool:
    depth = 0
    for distance in range(_SIGHT):
        kind = situation.next(distance).type
        if kind in _OPENERS:
            depth += 1
        elif kind in _CLOSERS and depth:
            depth -= 1
        elif depth == 0 and kind in ("EQUALS", END):
            return False
        elif depth == 0 and (kind in _CLOSERS or kind in ("SEMICOLON", "COMMA")):
            return True
    return False
