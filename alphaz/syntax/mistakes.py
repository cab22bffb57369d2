"""Messages for a word that the grammar does not allow: first common mistakes, by example; then a general message.

Each function of `_MISTAKES` recognises one mistake, shown in its docstring, and returns None for any other."""

from collections.abc import Callable
from difflib import get_close_matches

from alphaz.diagnostics import Diagnostic, Label, Span
from alphaz.diagnostics.rules import LITERAL, UNREADABLE
from alphaz.syntax.affine_mistakes import missing_operator, product_advice
from alphaz.syntax.build import OperatorToken
from alphaz.syntax.foreign_notations import HABITS, ORDER
from alphaz.syntax.lexeme import END, Lexeme
from alphaz.syntax.script_mistakes import SCRIPT_MISTAKES
from alphaz.syntax.unexpected_word import Advice, Repair, Situation, alternatives_text, described, phrases, spelled
from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT, KEYWORDS, SCALAR_TYPES

_PAIRS = dict(zip(FAMILY_OF_INPUT, FAMILY_OF_GIVEN, strict=True))
_PARTNER = _PAIRS | {given: plain for plain, given in _PAIRS.items()}

# Signs of other languages, of books and of word processors, with their equivalents, by type and by spelling.
_FOREIGN = {
    "→": ("ARROW", "->"), "≤": ("RELATION", "<="), "≥": ("RELATION", ">="), "≠": ("RELATION", "!="),
    "−": ("MINUS", "-"), "–": ("MINUS", "-"), "×": ("STAR", "*"), "∧": ("ALSO", "&&"), "&": ("ALSO", "&&"),
    "!": ("NOT", "not"),
}  # fmt: skip

# Words that may be missing, the likeliest first.
_INSERTED = (
    "SEMICOLON", "RPAR", "RSQB", "RBRACE", "COLON", "COMMA", "BAR", "EQUALS", "ARROW", "LPAR", "LSQB", "AT", "ESAC",
    "THEN", "ELSE", "DOT",
)  # fmt: skip
_CLOSER = {"LPAR": "RPAR", "VAL": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "CASE": "ESAC"}


def explain(situation: Situation) -> tuple[Diagnostic, Repair | None]:
    """Returns the finding, and the repair with which parsing continues, if there is one."""
    for mistake in _ALPHA_MISTAKES if situation.start == "bundle" else _MISTAKES:
        advice = mistake(situation)
        if advice is not None:
            break
    else:
        advice = _general(situation)
    primary = Label(advice.span or situation.found.span, advice.label)
    usable = advice.repair is not None and (situation.fits(advice.repair) or _ends_statement(situation, advice.repair))
    repair = advice.repair if usable else None
    return Diagnostic(advice.rule, advice.message, primary, advice.secondary, help=advice.help), repair


def _ends_statement(situation: Situation, repair: Repair) -> bool:
    """Returns True for a missing `;` outside of brackets, which may be assumed before any word."""
    return repair == Repair(0, ("SEMICOLON",)) and "SEMICOLON" in situation.expected and situation.opener() is None


def _in(situation: Situation, preposition: str = "in") -> str:
    inside = situation.inside()
    return f" {preposition} {inside}" if inside else ""


# --- the mistakes that people make ---------------------------------------------------------------------------------


def _open_comment(situation: Situation) -> Advice | None:
    """`/* never closed`."""
    if situation.found.type != "OPEN_COMMENT":
        return None
    span = situation.found.span
    return Advice(
        "this comment is never closed", "end it with `*/`", span=Span(span.source, span.start, span.start + 2)
    )


def _open_string(situation: Situation) -> Advice | None:
    """`"(i -> i)` without the second quote, at the end of a script."""
    if situation.found.type != "OPEN_STRING":
        return None
    span, quote = situation.found.span, situation.found.text[0]
    place = Span(span.source, span.start, span.start + 1)
    return Advice("this string is never closed", f"end it with `{quote}`", span=place)


def _string_over_lines(situation: Situation) -> Advice | None:
    """`f("(i -> i), p);` and a string on a later line: the quotes pair up wrongly."""
    before = situation.previous
    if before is None or before.type != "STRING" or "\n" not in before.text:
        return None
    place = Span(before.span.source, before.span.start, before.span.start + 1)
    return Advice(
        f"unexpected {described(situation.found)} after a string of several lines",
        f"close the string on its line with `{before.text[0]}`",
        secondary=(Label(place, "the string begins here: is its closing quote missing?"),),
    )


def _hash_comment(situation: Situation) -> Advice | None:
    """`# a remark` in a program, `// a remark` and `/* a remark */` in a script."""
    here, behind = situation.found, situation.next(1)
    if here.type == "JUNK" and here.text == "#":
        line = here.span.position[0]
        rest = sum(
            lexeme.span.position[0] == line and lexeme.type != END for lexeme in situation.lexemes[situation.at :]
        )
        return Advice("unexpected `#`", "comments in programs are written `// ...` or `/* ... */`", repair=Repair(rest))
    if here.type == "JUNK" and here.text == "/" and behind.text in ("/", "*"):
        return Advice(
            f"unexpected `/{behind.text}`", "comments in scripts begin with `#`", span=here.span.to(behind.span)
        )
    return None


def _bad_number(situation: Situation) -> Advice | None:
    """`1.`, `.5`, `1.5e3`, `2.0L`."""
    before, here, behind = situation.previous, situation.found, situation.next(1)
    digits = before is not None and before.type in ("INT", "REAL") and situation.touches_previous()
    if digits and before and here.type == "DOT" and here.span.end == behind.span.start and behind.type == "NAME":
        return None
    if digits and before and here.type == "DOT" and "SEMICOLON" in situation.expected:
        return _literal(before.span.to(here.span), f"{before.text}.0", Repair(1))
    if digits and before and here.type == "NAME" and here.text[0] != "^" and "OR" in situation.expected:
        return _literal(
            before.span.to(here.span), before.text if before.type == "REAL" else f"{before.text}.0", Repair(1)
        )
    if here.type == "DOT" and behind.type == "INT" and behind.span.start == here.span.end:
        return _literal(here.span.to(behind.span), f"0.{behind.text}", Repair(2, ("REAL",)))
    return None


def _literal(span: Span, instead: str, repair: Repair) -> Advice:
    return Advice(
        f"`{span.text}` is not a number of the language",
        f"write digits on both sides of the point and nothing else (but an `f` behind a float), as in `{instead}`",
        span=span,
        rule=LITERAL,
        repair=repair,
    )


def _comparison_sign(situation: Situation) -> Advice | None:
    """`{i | i = 0}`, `if a = b then`, a second `=` in an equation, or `x[i] == 0;` as an equation."""
    here = situation.found
    if here.text == "==" and "EQUALS" in situation.expected:
        return Advice("an equation is written with one `=`", "write `=`", repair=Repair(1, ("EQUALS",)))
    if here.type != "EQUALS" or "RELATION" not in situation.expected:
        return None
    if situation.opener() is not None or any(
        isinstance(value, Lexeme) and value.type == "IF" for value in situation.values
    ):
        return Advice("`=` does not compare", "write `==`", repair=Repair(1, ("RELATION",)))
    return Advice(
        f"a second `=`{_in(situation)}",
        "write `==` to compare; if this is the next equation, end the one before it with `;`",
    )


def _missing_esac(situation: Situation) -> Advice | None:
    """`x[i] = case {..}: a; {..}: b;  y[i] = ...`."""
    case = situation.opener()
    if situation.found.type != "EQUALS" or case is None or case.type != "CASE":
        return None
    back = _words_since_semicolon(situation)
    first = situation.lexemes[situation.at - back]
    if first.type != "NAME" or case.span.start >= first.span.start:
        return None
    return Advice(
        f"the `case`{_in(situation)} is not closed before the next equation",
        "write `esac;` after the last branch",
        secondary=(Label(case.span, "this `case` is open"),),
        label="this looks like the next equation",
        repair=Repair(0, item="equation", back=back),
    )


def _words_since_semicolon(situation: Situation) -> int:
    count = 0
    while count < situation.at and situation.lexemes[situation.at - count - 1].type != "SEMICOLON":
        count += 1
    return count


def _join_sign(situation: Situation) -> Advice | None:
    """`{i | 0<=i and i<N}`, `a && b`, `a || b` as values."""
    here, expected = situation.found.type, situation.expected
    if here == "AND" and "ALSO" in expected:
        return Advice("constraints are not joined by `and`", "write `&&`", repair=Repair(1, ("ALSO",)))
    if here == "ALSO" and "AND" in expected:
        return Advice("`&&` joins constraints, not values", "write `and`", repair=Repair(1, ("AND",)))
    if here == "UNION" and "OR" in expected:
        return Advice("`||` joins domains, not values", "write `or`", repair=Repair(1, ("OR",)))
    return None


def _union_in_domain(situation: Situation) -> Advice | None:
    """`{i | i<2 || i>5}`, `{i | i<2 or i>5}`."""
    opener = situation.opener()
    if situation.found.type not in ("UNION", "OR") or opener is None or opener.type != "LBRACE":
        return None
    if "OR" in situation.expected:
        return None
    whole = _union_of_domains(situation, opener)
    return Advice("a domain is not a union inside its braces", f"write `{whole or '{i | ...} || {i | ...}'}`")


def _union_of_domains(situation: Situation, opener: Lexeme) -> str:
    """Returns `{i | i<2} || {i | i>5}`; empty where the domain has inner braces or no end."""
    inside = [lexeme for lexeme in situation.lexemes if lexeme.span.start > opener.span.start]
    brace = next((lexeme for lexeme in inside if lexeme.type in ("LBRACE", "RBRACE")), None)
    bar = next((lexeme for lexeme in inside if lexeme.type == "BAR"), None)
    if brace is None or brace.type == "LBRACE" or bar is None or bar.span.start > situation.found.span.start:
        return ""
    text, head = opener.span.source.text, opener.span.to(bar.span).text
    starts, ends = [bar.span.end], []
    for lexeme in inside:
        if lexeme.type in ("UNION", "OR") and lexeme.span.start < brace.span.start:
            ends.append(lexeme.span.start)
            starts.append(lexeme.span.end)
    parts = [text[start:end].strip() for start, end in zip(starts, [*ends, brace.span.start], strict=True)]
    return " || ".join(f"{head} {part}}}" for part in parts) if all(parts) else ""


def _foreign_sign(situation: Situation) -> Advice | None:
    """`(i → i)`, `0 ≤ i`, `a & b`, `!a`."""
    here = situation.found
    if here.type != "JUNK":
        return None
    if here.text in "“”„‘’«»":
        return Advice(f"`{here.text}` is not a quotation mark of the language", 'write `"`')
    if here.text not in _FOREIGN:
        return Advice(f"the character `{here.text}` has no meaning{_in(situation)}", "leave it out", repair=Repair(1))
    meant, spelling = _FOREIGN[here.text]
    if meant == "ALSO" and "AND" in situation.expected:
        meant, spelling = "AND", "and"
    return Advice(f"`{here.text}` is not a sign of the language", f"write `{spelling}`", repair=Repair(1, (meant,)))


def _product_in_affine(situation: Situation) -> Advice | None:
    """`{i | 2*i < N}`, `A[i/2]`."""
    here, expected = situation.found.type, situation.expected
    # After a tuple of a domain, `(i,j)<N`, only a remainder is allowed: `(i+j)%3`.
    goes_on = {"PLUS", "MINUS"} <= expected or {"RELATION", "PERCENT"} <= expected
    if here not in ("STAR", "SLASH", "PERCENT") or not goes_on or "STAR" in expected:
        return None
    if here == "STAR":
        return product_advice(situation)
    return Advice(
        f"affine expressions have no `{situation.found.text}`",
        "an index is a sum of names with integer coefficients; say `2j == i` or `i-2j` in a domain instead",
    )


def _mixed_family(situation: Situation) -> Advice | None:
    """`given ... output ...`."""
    word = situation.found.text
    partner = _PARTNER.get(word)
    if partner is None or partner.upper() not in situation.expected:
        return None
    return Advice(
        f"`{word}` does not go with the words that this system began with",
        f"write `{partner}`: one system uses either {'/'.join(FAMILY_OF_INPUT)} or {'/'.join(FAMILY_OF_GIVEN)}",
        repair=Repair(1, (partner.upper(),)),
    )


def _near_keyword(situation: Situation) -> Advice | None:
    """`ouput`, `flaot`."""
    here = situation.found
    if here.type != "NAME":
        return None
    words = {word: "SCALAR_TYPE" if word in SCALAR_TYPES else word.upper() for word in KEYWORDS}
    possible = [word for word, meant in words.items() if meant in situation.expected]
    near = get_close_matches(here.text, possible, 1, 0.7)
    if not near:
        return None
    return Advice(
        f"`{here.text}` is not a word that can stand here",
        f"did you mean `{near[0]}`?",
        repair=Repair(1, (words[near[0]],)),
    )


def _keyword_as_name(situation: Situation) -> Advice | None:
    """`float max {i | ..};`."""
    here = situation.found
    repair = Repair(1, ("NAME",))
    # Where any expression is allowed, a reserved word is misplaced rather than a bad name.
    wanted = "NAME" in situation.expected and "CASE" not in situation.expected
    if here.text not in KEYWORDS or not wanted or not situation.fits(repair):
        return None
    return Advice(f"`{here.text}` is a reserved word", f"choose another name, or write `^{here.text}`", repair=repair)


def _bare_projection(situation: Situation) -> Advice | None:
    """`reduce(+, k, A[k])`."""
    if situation.found.type != "NAME" or situation.expected != {"LPAR", "LSQB"}:
        return None
    name = situation.found.text
    index = "i" if name != "i" else "j"
    remedy = f"write `[{name}]`, or a function such as `({index},{name}->{index})`"
    return Advice(f"`{name}` alone is not a projection", remedy)


def _two_signs(situation: Situation) -> Advice | None:
    """`not not a`, `- -a`, `f @ -a`."""
    before, here = situation.previous, situation.found
    if before is None or here.type not in ("NOT", "MINUS") or before.type not in ("NOT", "MINUS", "AT"):
        return None
    if "CASE" not in situation.expected:
        return None
    return Advice(
        f"`{here.text}` cannot follow `{before.text}`",
        f"put `{here.text}` and its operand in parentheses",
        repair=Repair(1),
    )


def _single_argument(situation: Situation) -> Advice | None:
    """`max(a)`."""
    if situation.found.type != "RPAR" or "COMMA" not in situation.expected:
        return None
    opener = situation.opener()
    for value, behind in zip(situation.values, situation.values[1:], strict=False):
        if isinstance(value, OperatorToken) and behind is opener:
            return Advice(
                f"`{value.text}(...)` takes two arguments or more", "write both values, with `,` between them"
            )
    return None


def _bare_operand(situation: Situation) -> Advice | None:
    """`1 + if c then a else b`, `a * {|i>0} : b`."""
    here, expected = situation.found, situation.expected
    if here.type not in ("IF", "LBRACE") or here.type in expected or not {"CASE", "LPAR"} <= expected:
        return None
    what = "an `if`" if here.type == "IF" else "a restrict"
    instead = "(if ... then ... else ...)" if here.type == "IF" else "({...} : ...)"
    return Advice(f"{what} inside an operation needs parentheses", f"write `{instead}`")


def _text_ends(situation: Situation) -> Advice | None:
    """A system without its full stop; a text that breaks off."""
    if situation.found.type != END:
        return None
    if situation.previous is None:
        needed = (
            alternatives_text(phrases(situation.expected)) if situation.start != "program" else "at least one system"
        )
        return Advice("the text is empty", f"write {needed}")
    if "DOT" in situation.expected:
        return Advice(f"expected `.`{_in(situation, 'at the end of')}", "end the system with `.`", span=situation.gap)
    opener = situation.opener()
    secondary = (Label(opener.span, f"this `{opener.text}` is open"),) if opener else ()
    return Advice(
        f"the text ends{_in(situation, 'inside')}" if situation.inside() else "the text ends too early",
        f"go on with {alternatives_text(phrases(situation.expected))}",
        span=situation.gap,
        secondary=secondary,
    )


# --- the general sentence ------------------------------------------------------------------------------------------


def _open_call(situation: Situation) -> Advice | None:
    """`setParallel(p, "s"` without `);`, and the next statement of a script."""
    begins = situation.found.type == "NAME" and situation.next(1).text in ("(", "=") and situation.starts_line()
    if situation.start != "script" or not begins or not situation.fits(Repair(0, ("RPAR", "SEMICOLON"))):
        return None
    return _insertion(situation, "RPAR", "SEMICOLON")


def _missing_word(situation: Situation) -> Advice | None:
    """`x[i] = a[i]` without `;`, `(a + b;` without `)`."""
    if situation.found.type == "JUNK":
        return None
    for terminal in _INSERTED:
        if terminal in situation.expected and situation.fits(Repair(0, (terminal,))):
            return _insertion(situation, terminal)
    opener = situation.opener()
    breaks = situation.starts_line() or situation.found.type == "SEMICOLON"
    if breaks and opener is not None and _CLOSER[opener.type] in situation.expected:
        return _insertion(situation, _CLOSER[opener.type])
    if situation.starts_line() and opener is None and "SEMICOLON" in situation.expected:
        return _insertion(situation, "SEMICOLON")
    return None


def _insertion(situation: Situation, *missing: str) -> Advice:
    sign, actual = "".join(map(spelled, missing)), described(situation.found)
    return Advice(
        f"expected `{sign}`{_where_missing(situation, missing[0])}",
        f"write `{sign}` after `{situation.previous.text}`" if situation.previous else f"write `{sign}`",
        label=f"expected `{sign}`, found {actual}",
        span=situation.gap,
        repair=Repair(0, missing),
        secondary=_open_labels(situation, missing[0]),
    )


def _where_missing(situation: Situation, missing: str) -> str:
    if missing == "SEMICOLON" and situation.opener_is("CASE"):
        return " after the branch of a `case`"
    return _in(situation, "after" if missing == "SEMICOLON" else "in")


def _open_labels(situation: Situation, missing: str) -> tuple[Label, ...]:
    opener = situation.opener()
    if opener is None or _CLOSER[opener.type] != missing:
        return ()
    return (Label(opener.span, f"this `{opener.text}` is open"),)


def _general(situation: Situation) -> Advice:
    actual = described(situation.found)
    could = alternatives_text(phrases(situation.expected))
    instead = alternatives_text(phrases(situation.expected - {END})) or could
    repair = Repair(1)
    opener = situation.opener()
    secondary = (Label(opener.span, f"inside this `{opener.text}`"),) if opener else ()
    # A `;` is never the mistake itself: it ends the wrong part.
    useless = situation.found.type != "SEMICOLON" and situation.fits(repair)
    return Advice(
        f"unexpected {actual}{_in(situation)}",
        f"leave out `{situation.found.text}`, or write {instead} before it"
        if useless or END in situation.expected
        else f"write {instead} here",
        label=f"expected {could}",
        repair=repair if useless else None,
        secondary=secondary,
    )


def _unread(situation: Situation) -> Advice | None:
    """`conv(..)` in a program of the successor's language."""
    if situation.found.type != "UNREAD":
        return None
    word = situation.found.text
    remedy = (
        "write the number in its place"
        if word == "constant"
        else "write an equivalent expression with supported operators"
    )
    return Advice(f"`{word}` of the successor's language is not read", remedy, rule=UNREADABLE)


_ALPHA_MISTAKES: tuple[Callable[[Situation], Advice | None], ...] = (_open_comment, _unread)
_MISTAKES: tuple[Callable[[Situation], Advice | None], ...] = (
    _open_comment,
    _open_string,
    _string_over_lines,
    _hash_comment,
    _bad_number,
    _missing_esac,
    _comparison_sign,
    _join_sign,
    _union_in_domain,
    *SCRIPT_MISTAKES,
    *HABITS,
    _foreign_sign,
    _product_in_affine,
    _mixed_family,
    *ORDER,
    _near_keyword,
    _keyword_as_name,
    _bare_projection,
    _two_signs,
    _single_argument,
    _bare_operand,
    _text_ends,
    missing_operator,
    _open_call,
    _missing_word,
)


def oversized(lexemes: list[Lexeme], limit: int) -> list[Diagnostic]:
    """Returns findings for integers beyond the widest type."""
    diagnostics = []
    digits = len(str(limit))
    for lexeme in lexemes:
        if lexeme.type != "INT":
            continue
        significant = lexeme.text.lstrip("0")
        # Compared as texts: Python refuses to convert a number of thousands of digits.
        if (len(significant), significant) > (digits, str(limit)):
            shown = lexeme.text if len(lexeme.text) <= 30 else lexeme.text[:27] + "..."
            diagnostics.append(
                Diagnostic(
                    LITERAL,
                    f"the integer `{shown}` is too large",
                    Label(lexeme.span),
                    help=f"the largest integer of any type is {limit}",
                )
            )
    return diagnostics
