"""`#pragma omp` lines as data. Unsupported directives are refused, never ignored."""

import re
from dataclasses import dataclass, replace

from alphaz.c.preparation import without_comments
from alphaz.diagnostics import Span
from alphaz.scop.unsupported import outside

_CLAUSE = re.compile(r"\s*,?\s*(?P<name>\w+)\s*(?:\((?P<inside>(?:[^()]|\([^()]*\))*)\))?")
# These clauses choose threads, lanes and schedules, or name shared data: a proof for any order does not depend on them.
_FREE = frozenset(
    {"schedule", "num_threads", "shared", "simdlen", "aligned", "proc_bind", "if", "nontemporal", "dist_schedule"}
)
_DIRECTIVES = (
    "parallel for simd", "parallel for", "parallel sections", "for simd", "parallel", "sections", "section", "for",
    "simd", "critical", "atomic update", "atomic", "single", "master", "barrier",
)  # fmt: skip
CLAUSES = frozenset({"private", "firstprivate", "reduction", "collapse", "nowait", "default", "none", *_FREE})
WORDS = CLAUSES | {word for directive in _DIRECTIVES for word in directive.split()}
"""Words of directives: compilers differ in whether they expand macros there."""
# An assignment, a call or a division by 0 in a clause.
_EFFECT = re.compile(r"\+\+|--|[/%](?!\s*[1-9])|(?<![=<>!])=(?!=)|\b(?!omp_get_|sizeof\b)[A-Za-z_]\w*\s*\(")
_REDUCTION = re.compile(r"\s*(?P<operator>[-+*]|&&|\|\||\w+)\s*:\s*(?P<names>[\w\s,:\[\]]+)$")
# Hints to one compiler that change no meaning.
_HARMLESS = re.compile(
    r"^(GCC\s+(unroll|diagnostic)\b|(no)?unroll(_and_jam)?\b|loop_count\b|(no)?prefetch\b|novector\b|nofusion\b|"
    r"STDC\s+FP_CONTRACT\b|once\b|(end)?scop$)"
)
_NO_DEPENDENCE = re.compile(r"^(GCC\s+ivdep|ivdep|vector\b)")


# A clause of a directive that limits its team, perhaps to one thread, and one that may give all iterations of a loop to
# one thread. Two threads may have any two iterations, unless the schedule is static.
_OF_TEAM = r"\bnum_threads\b(?![ \t]*\([ \t]*(?:[2-9]|[1-9][0-9]+)[ \t]*\))|\bif[ \t]*\("
_OF_ORDER = r"\bschedule[ \t]*\([^)]*,"
_LIMITED, _LIMITED_OR_ORDERED = (
    re.compile(rf"omp_set_\w+|#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*(?:{clauses})")
    for clauses in (_OF_TEAM, f"{_OF_TEAM}|{_OF_ORDER}")
)
_OF_FEW, _OF_STATIC = (
    re.compile(rf"#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\b{clause}")
    for clause in (r"num_threads\b", r"schedule[ \t]*\([^)]*\bstatic\b")
)
_OF_MASTER = re.compile(r"#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\bmas(?:ter|ked)\b")


def limits_teams(text: str) -> bool:
    """Returns True if a text may say that there is one thread, or which of a few threads has an iteration."""
    plain = without_comments(text)
    return _LIMITED.search(plain) is not None or _deals_to_few(plain)


def limits_threads(text: str) -> bool:
    """Returns True if a text says more about threads than which loops and statements they share out."""
    plain = without_comments(text)
    return _LIMITED_OR_ORDERED.search(plain) is not None or _deals_to_few(plain)


def _deals_to_few(plain: str) -> bool:
    return _OF_FEW.search(plain) is not None and _OF_STATIC.search(plain) is not None


def has_master(text: str) -> bool:
    """Returns True if a text names the thread that executes a block."""
    return _OF_MASTER.search(without_comments(text)) is not None


@dataclass(frozen=True, slots=True)
class Pragma:
    """A `directive` of OpenMP ("for simd") with its relevant clauses. `reductions`: by variable (with its section,
    `y[:N]`), the operator. `is_inner`: it continues a directive in a loop that is collapsed into the outer one."""

    directive: str
    span: Span
    collapse: int = 1
    nowait: bool = False
    private: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    reductions: tuple[tuple[str, str], ...] = ()
    name: str = ""
    promised: tuple[str, ...] = ()
    is_inner: bool = False

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.directive.split())


def read_pragma(text: str, span: Span) -> Pragma | None:
    """Returns the directive; None for a line without effect. Raises Rejected for unsupported directives."""
    text = " ".join(text.split())
    if _HARMLESS.match(text):
        return None
    if _NO_DEPENDENCE.match(text):
        return Pragma("simd", span)
    if not text.startswith("omp "):
        raise outside(span, f"`#pragma {text}` is not supported", "remove it, or use OpenMP")
    rest = text.removeprefix("omp ").strip()
    directive = next((d for d in _DIRECTIVES if rest == d or rest.startswith((d + " ", d + "("))), None)
    if directive is None:
        raise outside(span, f"`#pragma omp {rest}` is not supported")
    rest = rest.removeprefix(directive)
    if directive == "critical":
        match_ = re.fullmatch(r"\s*(?:\(\s*(\w+)\s*\))?\s*", rest)
        if match_ is None:
            raise outside(span, "clauses of `omp critical` are not supported, except a name")
        return Pragma(directive, span, name=match_.group(1) or "")
    pragma = _with_clauses(Pragma(directive.removesuffix(" update"), span), rest)
    # `omp master` is executed by one thread, without a barrier.
    return replace(pragma, directive="single", nowait=True) if directive == "master" else pragma


def join_pragmas(outer: Pragma, inner: Pragma) -> Pragma | None:
    """Returns `omp parallel` before `omp for` as one parallel loop, with a barrier at its end, and hints that the
    iterations of a loop are independent, as `ivdep`, once. None for other directives."""
    hint = Pragma("simd", outer.span)
    if outer.directive == "simd" and replace(inner, span=outer.span) == hint:
        return outer
    if inner.directive == "simd" and outer == hint:
        return inner
    if outer.directive != "parallel" or inner.directive not in ("for", "for simd", "sections"):
        return None
    return replace(
        inner, directive=f"parallel {inner.directive}", nowait=False, private=(*outer.private, *inner.private),
        copied=(*outer.copied, *inner.copied), reductions=(*outer.reductions, *inner.reductions),
    )  # fmt: skip


def _with_clauses(pragma: Pragma, text: str) -> Pragma:
    collapse, nowait, at = 1, False, 0
    private: list[str] = []
    copied: list[str] = []
    reductions: list[tuple[str, str]] = []
    promised: list[str] = []
    while text[at:].strip(" ,"):
        clause_match = _CLAUSE.match(text, at)
        if clause_match is None:
            raise outside(pragma.span, f"cannot parse the clauses `{text[at:].strip()}`")
        at = clause_match.end()
        name, inside = clause_match["name"], clause_match["inside"] or ""
        match name:
            case "collapse" if inside.strip().isdigit():
                collapse = int(inside)
            case "nowait":
                nowait = True
            case "ordered" if not inside:
                # `omp ordered` blocks are not supported; without them the clause orders nothing.
                pass
            case "private":
                private += _names(inside)
            case "firstprivate":
                copied += _names(inside)
            case "reduction" if (reduction := _REDUCTION.match(inside)) is not None:
                operator = {"-": "+", "&&": "and", "||": "or"}.get(reduction["operator"], reduction["operator"])
                reductions += [(variable, operator) for variable in _names(reduction["names"])]
            case "default" if inside.strip() in ("none", "shared"):
                pass
            case _ if name not in _FREE or _EFFECT.search(inside):
                clause = clause_match.group().strip(" ,")
                raise outside(pragma.span, f"the clause `{clause}` is not supported")
            case "aligned":
                promised.append(f"the alignment that `{clause_match.group().strip(' ,')}` states")
    return Pragma(
        directive=pragma.directive,
        span=pragma.span,
        collapse=collapse,
        nowait=nowait,
        private=tuple(private),
        copied=tuple(copied),
        reductions=tuple(reductions),
        promised=tuple(promised),
        name=pragma.name,
    )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
