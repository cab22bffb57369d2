"""Mistakes in affine expressions: products, powers, indices that are data, adjacent operands."""

from collections.abc import Sequence

from alphaz.diagnostics import Span
from alphaz.syntax.lexeme import END, Lexeme
from alphaz.syntax.unexpected_word import Advice, Repair, Situation

_OPENING, _CLOSING = frozenset(("LPAR", "LSQB")), frozenset(("RPAR", "RSQB"))
_NOT_AFFINE = (
    "an index or bound is a sum of names with integer coefficients; make the product a parameter, or compute with "
    "values: `[i] * [i]`"
)


def product_advice(situation: Situation) -> Advice:
    """Returns advice for `2*i`, `N*(N+1)/2`: the found word is the `*`."""
    before, behind = situation.previous, situation.next(1)
    if before is not None and {before.type, behind.type} == {"INT", "NAME"}:
        number, name = (before, behind) if before.type == "INT" else (behind, before)
        remedy = f"write the number directly before the name: `{number.text}{name.text}`"
        return Advice("affine expressions have no `*`", remedy, repair=Repair(1))
    words = situation.lexemes[_first_factor(situation) : _last_factor(situation, situation.at) + 1]
    if before is not None and before.type == "INT":
        remedy = f"write out `{_whole(words).text}`: a number in front of each name, as in `2i+2`"
        return Advice("affine expressions have no `*`", remedy)
    return _written_out(words) if before is not None and before.type == "RPAR" else _no_product(words)


def in_parentheses(situation: Situation) -> Advice | None:
    """Returns advice for `x[2(i+1)]`, `i<N(N+1)/2`, `x[(i+1)*i]`, `x[max(i,0)]`."""
    here, before, opener = situation.found, situation.previous, situation.opener()
    if here.type not in ("LPAR", "MIN", "MAX") or before is None or opener is None or not _is_affine(situation):
        return None
    factor = before.type == "INT" or (before.type == "NAME" and (here.type != "LPAR" or situation.touches_previous()))
    first = situation.at - 1 if factor else situation.at
    words = situation.lexemes[first : _last_factor(situation, situation.at + 1) + 1]
    return _written_out(words) if here.type == "LPAR" and before.type != "NAME" else _no_product(words)


def _written_out(words: Sequence[Lexeme]) -> Advice:
    """The product multiplied out, if the result is affine."""
    if not all(_scales(words, position) for position in range(len(words))):
        return _no_product(words)
    whole = _whole(words)
    remedy = f"write `{whole.text}` out: a number in front of each name, as in `2i+2`"
    return Advice("affine expressions have no parentheses", remedy, span=whole)


def _no_product(words: Sequence[Lexeme]) -> Advice:
    whole = _whole(words)
    return Advice(f"`{whole.text}` is not affine", _NOT_AFFINE, span=whole)


def _whole(words: Sequence[Lexeme]) -> Span:
    return words[0].span.to(words[-1].span)


def _is_affine(situation: Situation) -> bool:
    """Returns True in an affine expression of an access or a domain, in which parentheses are not allowed."""
    opener, expected = situation.opener(), situation.expected
    if opener is None or opener.type not in ("LSQB", "LBRACE") or "CASE" in expected or "STAR" in expected:
        return False
    return {"PLUS", "MINUS"} <= expected or {"INT", "NAME"} <= expected


def _scales(words: Sequence[Lexeme], position: int) -> bool:
    """Returns True unless the word is an operator of a product without a number next to it."""
    if words[position].type == "STAR":
        return "INT" in (words[position - 1].type, words[min(position + 1, len(words) - 1)].type)
    return words[position].type != "SLASH"


def _first_factor(situation: Situation) -> int:
    """The start of the factor before the found word."""
    first = max(situation.at - 1, 0)
    depth = int(situation.lexemes[first].type in _CLOSING)
    while depth and first:
        first -= 1
        depth += (situation.lexemes[first].type in _CLOSING) - (situation.lexemes[first].type in _OPENING)
    return first


def _last_factor(situation: Situation, start: int) -> int:
    """The end of the product whose rest begins there."""
    last = start - 1
    depth = int(last == situation.at and situation.found.type in _OPENING)
    for lexeme in situation.lexemes[start:]:
        depth += (lexeme.type in _OPENING) - (lexeme.type in _CLOSING)
        if depth < 0 or (depth == 0 and lexeme.type not in ("STAR", "SLASH", "INT", "NAME", *_CLOSING)):
            break
        last += 1
    return last


def power(situation: Situation) -> Advice | None:
    """Returns advice for `N^2`, `(i+1)^n`, `x[i]**2`."""
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
    """Returns advice for `x[p[i]]`."""
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
