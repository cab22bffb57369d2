"""Mistakes about what an affine expression is: products, powers, and indices that are data."""

from alphaz.diagnostics import Span
from alphaz.syntax.advice import Advice
from alphaz.syntax.situation import Repair, Situation

_OPENING, _CLOSING = frozenset(("LPAR", "LSQB")), frozenset(("RPAR", "RSQB"))


def product_advice(situation: Situation) -> Advice:
    """`2*i`, `N*(N+1)/2`: the found word is the `*`."""
    before, behind = situation.previous, situation.next(1)
    if before is not None and {before.type, behind.type} == {"INT", "NAME"}:
        number, name = (before, behind) if before.type == "INT" else (behind, before)
        remedy = f"write the number directly before the name: `{number.text}{name.text}`"
        return Advice("affine expressions have no `*`", remedy, repair=Repair(1))
    whole = _whole_product(situation)
    if before is not None and before.type == "INT":
        remedy = f"write out `{whole.text}`: a number in front of each name, as in `2i+2`"
        return Advice("affine expressions have no `*`", remedy)
    remedy = "an index or bound is a sum of names with integer coefficients; make the product a parameter, or"
    return Advice(f"`{whole.text}` is not affine", f"{remedy} compute with values: `[i] * [i]`", span=whole)


def _whole_product(situation: Situation) -> Span:
    """From the first factor to the last one."""
    first = situation.lexemes[max(situation.at - 1, 0)]
    last, depth = first, 0
    for each in situation.lexemes[situation.at :]:
        depth += (each.type in _OPENING) - (each.type in _CLOSING)
        if depth < 0 or (depth == 0 and each.type not in ("STAR", "SLASH", "INT", "NAME", *_CLOSING)):
            break
        last = each
    return first.span.to(last.span)


def power(situation: Situation) -> Advice | None:
    """`N^2`, `(i+1)^n`, `x[i]**2`."""
    here, before = situation.found, situation.previous
    if before is None:
        return None
    stars = before.type == "STAR" and situation.at > 1 and situation.lexemes[situation.at - 2].type == "STAR"
    if not stars and not here.text.startswith("^"):
        return None
    if before.type not in ("INT", "REAL", "NAME", "RPAR", "RSQB", "RBRACE", "STAR"):
        return None
    drop = 0 if stars else 1 if here.type == "NAME" else 2
    if stars or "OR" in situation.expected:
        remedy = "multiply, or call an external function"
    else:
        remedy = "powers are not affine: make the power a parameter of its own"
    return Advice("there is no power operator", remedy, repair=Repair(drop))


def index_from_data(situation: Situation) -> Advice | None:
    """`x[p[i]]`."""
    here, before, opener = situation.found, situation.previous, situation.opener()
    if here.type != "LSQB" or before is None or before.type != "NAME" or "RSQB" not in situation.expected:
        return None
    if opener is None or opener.type != "LSQB":
        return None
    outer = situation.lexemes[max(situation.lexemes.index(opener) - 1, 0)].text
    selected = f"reduce(+, [u], if [u] == {before.text}[..] then {outer}[u] else 0)"
    return Advice(
        f"an index is affine: it cannot be read from `{before.text}`",
        f"select by comparing: `{selected}`; scheduled code does not look at every u",
    )
