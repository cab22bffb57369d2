"""Hypothesis strategies: texts of small programs, right in names, arities and types; their domains may be wrong.

`programs()` gives a system with one parameter N, one or two inputs, up to three outputs and locals of one to three
dimensions, cases, nested restricts, reductions and shifted reads. Coefficients and constants are small: what is wrong
shows at small N.
"""

import re
from dataclasses import dataclass

from hypothesis import strategies as st

INDICES = ("i", "j", "k")

_BOUNDS = {
    "i": ("0<=i<N", "1<=i<=N", "0<=i<=N", "-1<=i<N"),
    "j": ("0<=j<N", "i<=j<N", "0<=j<=i", "0<=j<i"),
    "k": ("0<=k<N", "i<=k<=j", "0<=k<=2"),
}
_CONDITIONS = {
    1: ("i==0", "i>0", "i>=0", "i<N-1", "i==N-1", "i!=1", "2i<=N", "i<2", "1<=i<=N"),
    2: ("i==j", "i<j", "i>=j", "j>0", "j==0", "i+j<N", "i!=j", "0<=(i,j)<N"),
    3: ("k==0", "k>0", "i<=k<j", "k==j", "j<=k", "i+j==k"),
}

_INDEX = re.compile(r"(?<![A-Za-z_])[ijk]\b")


@dataclass(frozen=True, slots=True)
class Declared:
    name: str
    rank: int


@st.composite
def _affine(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """`i`, `j-1`, `N-1`, `i+j`; mostly one index and a small shift."""
    base = draw(st.sampled_from(names)) if names else "N"
    kind = draw(st.integers(0, 9))
    if kind < 4:
        return base
    if kind < 7:
        return base + draw(st.sampled_from(("-1", "+1")))
    return draw(
        st.sampled_from(("0", "N-1", f"N-{base}", f"2{base}", f"{base}+{draw(st.sampled_from(names or ('N',)))}"))
    )


@st.composite
def _read(draw: st.DrawFn, variables: tuple[Declared, ...], names: tuple[str, ...]) -> str:
    variable = draw(st.sampled_from(variables))
    same = names[: variable.rank]
    if len(same) == variable.rank and draw(st.booleans()):
        return f"{variable.name}[{','.join(same)}]"
    return f"{variable.name}[{','.join(draw(_affine(names)) for _ in range(variable.rank))}]"


@st.composite
def _restrict(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    known = [c for rank in range(1, len(names) + 1) for c in _CONDITIONS[rank]]
    conditions = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True))
    return f"{{| {' && '.join(conditions)}}}" if names else "{| N>1}"


@st.composite
def _expression(draw: st.DrawFn, variables: tuple[Declared, ...], names: tuple[str, ...], depth: int) -> str:
    kind = draw(st.integers(0, 9)) if depth else draw(st.integers(0, 2))
    inner = _expression(variables, names, depth - 1)
    if kind <= 1:
        return draw(_read(variables, names))
    if kind == 2:
        return draw(st.sampled_from(("0", "1", "[N]", *(f"[{n}]" for n in names))))
    if kind <= 4:
        return f"({draw(inner)} {draw(st.sampled_from(('+', '*', 'max')))} {draw(inner)})"
    if kind == 5:
        renamed = len(names) > 0 and draw(st.booleans())
        return f"({draw(_renamed(variables, names, depth) if renamed else _limited(inner, names))})"
    if kind == 6 and names and draw(st.integers(0, 3)) == 0:
        outputs = ",".join(draw(_affine(names)) for _ in names)
        return f"({','.join(names)} -> {outputs}) @ ({draw(inner)})"
    if kind <= 7 and len(names) < 3:
        return draw(_reduction(variables, names, depth))
    if len(names) < 3 and draw(st.integers(0, 2)) == 0:
        return draw(_yielding(variables, names, depth))
    branches = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    texts = [(f"{draw(_restrict(names))}: " if limited else "") + draw(inner) for limited in branches]
    return f"case {' '.join(f'{text};' for text in texts)} esac"


@st.composite
def _limited(draw: st.DrawFn, inner: st.SearchStrategy[str], names: tuple[str, ...]) -> str:
    return f"{draw(_restrict(names))}: {draw(inner)}"


@st.composite
def _renamed(draw: st.DrawFn, variables: tuple[Declared, ...], names: tuple[str, ...], depth: int) -> str:
    """A restrict with names of its own, at times those of the equation in another order; both are used behind it."""
    own = draw(st.permutations(("p", "q", "r")[: len(names)] if draw(st.integers(0, 4)) else names))
    new = dict(zip(names, own, strict=True))
    limit = _INDEX.sub(lambda name: new[name[0]], draw(_restrict(names)).removeprefix("{|"))
    body = draw(_expression(variables, names, depth - 1))
    # A function and a set with names of its own know no others.
    if set(own) & set("pqr") and not re.search(r"->|\{\w", body):
        body = _INDEX.sub(lambda name: draw(st.sampled_from((name[0], new.get(name[0], name[0])))), body)
    return f"{{{','.join(own)} |{limit}: {body}"


@st.composite
def _yielding(draw: st.DrawFn, variables: tuple[Declared, ...], names: tuple[str, ...], depth: int) -> str:
    """Branches that overlap where the reduction of one of them is over nothing."""
    reads = _read(variables, names)
    sum_ = _reduction(variables, names, depth)
    first = f"{{| {names[-1]}==0}}: {draw(reads)}" if names else f"{{| N==1}}: {draw(reads)}"
    second = f"{draw(_restrict(names)) if draw(st.booleans()) else '{| N>=1}'}: {draw(sum_)}"
    return f"case {first}; {second}{draw(st.sampled_from((' + 1', '')))}; esac"


@st.composite
def _reduction(draw: st.DrawFn, variables: tuple[Declared, ...], names: tuple[str, ...], depth: int) -> str:
    new = INDICES[len(names)]
    bounds = [b for b in (f"0<={new}<N", f"0<={new}<=2", f"{names[0]}<={new}<N" if names else "") if b]
    bounds += [f"0<={new}<{names[-1]}"] if names else []
    body = draw(_expression(variables, (*names, new), depth - 1))
    operator = draw(st.sampled_from(("+", "max", "*")))
    return f"reduce({operator}, [{new}], {{| {draw(st.sampled_from(bounds))}}}: {body})"


def _left(rank: int) -> st.SearchStrategy[str]:
    """The indices of a left-hand side, which may be left to the declaration."""
    return st.sampled_from((f"[{','.join(INDICES[:rank])}]", ""))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of a program with one system, `test`."""
    ranks = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    kinds = ["input", "output", *(draw(st.sampled_from(("input", "output", "local"))) for _ in ranks[2:])]
    declared = tuple(Declared(f"V{at}", rank) for at, rank in enumerate(ranks))
    texts: dict[str, list[str]] = {"input": [], "output": [], "local": []}
    for kind, variable in zip(kinds, declared, strict=True):
        names = INDICES[: variable.rank]
        bounds = " && ".join(draw(st.sampled_from(_BOUNDS[name])) for name in names)
        texts[kind].append(f"    int {variable.name} {{{','.join(names)} | {bounds}}};")
    equations = [
        f"    {v.name}{draw(_left(v.rank))} = {draw(_expression(declared, INDICES[: v.rank], 2))};"
        for kind, v in zip(kinds, declared, strict=True)
        if kind != "input"
    ]
    sections = [line for kind, lines in texts.items() if lines for line in (kind, *lines)]
    return "\n".join(["affine test {N | N>=1}", *sections, "let", *equations, "."]) + "\n"
