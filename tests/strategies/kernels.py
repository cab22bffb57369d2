"""Random programs in the shapes of numerical kernels, with dates that make sense for them: contractions, stencils,
tables, solvers. More of what tiles, packing, registers and vectors do is proved for these than for any program.
"""

from dataclasses import dataclass
from random import Random

from tests.strategies.mapped_programs import Sample, Step


@dataclass(frozen=True)
class Kernel:
    """The declarations and equations of a program, and its dates: variable, dates and perhaps those of an init."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    equations: tuple[str, ...]
    dates: tuple[tuple[str, ...], ...]
    locals: tuple[str, ...] = ()
    memory: tuple[tuple[str, ...], ...] = ()
    ordered: bool = True

    def sample(self) -> Sample:
        sections = zip(("input", "output", "local"), (self.inputs, self.outputs, self.locals), strict=True)
        declared = "".join(f"{kind}\n" + "".join(f"  int {v};\n" for v in vs) for kind, vs in sections if vs)
        body = "".join(f"  {equation};\n" for equation in self.equations)
        steps = [*(Step("time", date) for date in self.dates), *(Step("memory", item) for item in self.memory)]
        if self.ordered:
            steps.append(Step("ordering", ("0",)))
        return Sample(f"affine S {{N,M | N>=1 && M>=1}}\n{declared}let\n{body}.\n", tuple(steps))


def sample(random: Random) -> Sample:
    return random.choice((*3 * (_contraction,), _stencil, _stencil, _table, _solver, _fused, _tensor))(random).sample()


def _contraction(random: Random) -> Kernel:
    """C[i,j] from A[i,k] and B[k,j], over rectangles, triangles and stripes."""
    result = random.choice(("0<=i<N && 0<=j<M", "0<=i<N && 0<=j<N", "0<=i<N && 0<=j<=i", "0<=i<N && i<=j<N"))
    rows = "N" if "j<M" not in result else "M"
    bounds = ["0<=k<N", "0<=k<N", "0<=k<M", "0<=k<=i", "i<=k<N", "0<=k<i", "0<=k<N && i-1<=k<=i+1"]
    inner = random.choice([*bounds, *(["0<=k<=j", "j<=k<N"] if rows == "N" else [])])
    deep = "M" if "k<M" in inner else "N"
    one, left = random.choice(
        (("A[i,k]", f"A {{i,k | 0<=i<N && 0<=k<{deep}}}"), ("A[k,i]", f"A {{k,i | 0<=k<{deep} && 0<=i<N}}"))
    )
    two, right = random.choice(
        (("B[k,j]", f"B {{k,j | 0<=k<{deep} && 0<=j<{rows}}}"), ("B[j,k]", f"B {{j,k | 0<=j<{rows} && 0<=k<{deep}}}"))
    )
    quotient = f"{one} / {random.choice((2, 3, 7))} + {two}"
    value = random.choice((*2 * (f"{one} * {two}",), f"{one} + {two}", one, f"{one} * {two} + {one}", quotient))
    loops = random.choice(("i,j,k", "i,k,j", "k,i,j", "j,k,i", "j,i,k", "k,j,i"))
    first = (f"(i,j -> 0,{loops.replace('k', '0')})",) if random.random() < 0.4 else ()
    contributions = ("T", f"(i,j,k -> 1,{loops})", *first)
    reduction = f"T[i,j] = reduce(+, [k], {{| {inner}}} : {value})"
    area = f"{{i,j | {result}}}"
    if random.random() < 0.5:
        return Kernel((left, right), (f"C {area}",), (reduction.replace("T", "C", 1),), (("C", *contributions[1:]),))
    later = random.choice(("C[i,j] = T[i,j] + D[i,j]", "C[i,j] = D[i,j] * 2 + T[i,j]", "C[i,j] = T[i,j]"))
    inputs = (left, right, *([f"D {area}"] if "D" in later else []))
    shared = random.choice(((), (("T", "C", "(i,j -> i,j)"),), (("D", "C", "(i,j -> i,j)"),) if "D" in later else ()))
    last = random.choice(("2,i,j,0", "2,j,i,0"))
    dates = (contributions, ("C", f"(i,j -> {last})"))
    return Kernel(inputs, (f"C {area}",), (reduction, later), dates, (f"T {area}",), shared)


def _tensor(random: Random) -> Kernel:
    """Arrays of three and four indices: contracted along one or two, or moved."""
    area = random.choice(("0<=i<N && 0<=j<M && 0<=k<N", "0<=i<N && 0<=j<M && 0<=k<=i"))
    cube = f"{{i,j,k | {area}}}"
    inner = random.choice(("0<=l<N", "0<=l<M", "0<=l<=i", "0<=l<N && i<=l"))
    rows = "M" if "l<M" in inner else "N"
    value = random.choice(("A[i,j,k,l]", "A[i,j,k,l] * B[l]", "A[i,j,k,l] + B[l]", "A[i,j,k,l] * B[l] / 3"))
    inputs = (f"A {{i,j,k,l | {area} && 0<=l<{rows}}}", *((f"B {{l | 0<=l<{rows}}}",) if "B" in value else ()))
    loops = random.choice(("i,j,k,l", "l,i,j,k", "k,j,i,l", "i,l,k,j"))
    if random.random() < 0.3:
        table = f"{{i,j,k,l | {area} && 0<=l<{rows}}}"
        moved = (f"X[i,j,k,l] = {value}",)
        return Kernel(inputs, (f"X {table}",), moved, (("X", f"(i,j,k,l -> 0,{loops})"),))
    first = (f"(i,j,k -> 0,{loops.replace('l', '0')})",) if random.random() < 0.4 else ()
    reduced = f"X[i,j,k] = reduce(+, [l], {{| {inner}}} : {value})"
    contributions = ("X", f"(i,j,k,l -> 1,{loops})", *first)
    if random.random() < 0.6:
        return Kernel(inputs, (f"X {cube}",), (reduced,), (contributions,))
    last = "Y[i,j] = reduce(max, [k], {| 0<=k<=i} : X[i,j,k])"
    dates = (contributions, ("Y", "(i,j,k -> 2,i,j,k,0)"))
    return Kernel(inputs, ("Y {i,j | 0<=i<N && 0<=j<M}",), (reduced, last), dates, (f"X {cube}",))


def _stencil(random: Random) -> Kernel:
    """Time steps over a line or a plane, from old values alone or from new ones too, perhaps skewed, perhaps folded."""
    flat = random.random() < 0.6
    place, box = ("i", "0<=i<N") if flat else ("i,j", "0<=i<N && 0<=j<M")
    inside = "0<i<N-1" if flat else "0<i<N-1 && 0<j<M-1"
    border = (
        ("i<1", "i>=1 && i>=N-1") if flat else ("i<1", "i>=1 && i>=N-1", "0<i<N-1 && j<1", "0<i<N-1 && j>=1 && j>=M-1")
    )
    fresh = random.random() < 0.4
    time = "t" if fresh else "t-1"
    moves = (
        (f"{time},i-1", "t-1,i", "t-1,i+1") if flat else (f"{time},i-1,j", f"{time},i,j-1", "t-1,i+1,j", "t-1,i,j+1")
    )
    reads = " + ".join(f"T[{at}]" for at in random.sample(moves, random.randint(1, len(moves))))
    branches = [f"{{| t==0}} : A[{place}]", f"{{| t>0 && {inside}}} : {reads}"]
    branches += [f"{{| t>0 && {part}}} : T[t-1,{place}]" for part in border]
    skews = ("t,i", "t,i+t", "t,i+2t") if flat else ("t,i,j", "t,t+i,t+j", "t,2t+i,t+i+j")
    kinds = [(f"(t,{place} -> t,{place})", f"2{',0' * (1 if flat else 2)}"), (f"(t,{place} -> {place})",)]
    folded = [("T", random.choice(("T", "Y")) if len(kind) == 1 else "T", *kind) for kind in kinds]
    memory = random.choice([(), *((item,) for item in folded)])
    dates = (("T", f"(t,{place} -> 0,{random.choice(skews)})"), ("Y", f"({place} -> 1,0,{place})"))
    equations = (f"T[t,{place}] = case {'; '.join(branches)}; esac", f"Y[{place}] = T[M,{place}]")
    table = f"T {{t,{place} | 0<=t<=M && {box}}}"
    return Kernel((f"A {{{place} | {box}}}",), (f"Y {{{place} | {box}}}",), equations, dates, (table,), memory)


def _table(random: Random) -> Kernel:
    """A table that is filled from its corner, or intervals from the short ones to the long ones."""
    if random.random() < 0.5:
        reads = random.sample(("X[i-1,j]", "X[i,j-1]", "X[i-1,j-1]", "A[i]", "B[j]"), random.randint(2, 4))
        branches = f"{{| i==0}} : 1; {{| i>0 && j==0}} : 2; {{| i>0 && j>0}} : {' + '.join(reads)};"
        dates = random.choice(("i,j", "j,i", "i+j,i", "i,i+j"))
        declared = "0<=i<N && 0<=j<M"
        memory = random.choice(((), (), (("X", "X", "(i,j -> i,j)", "2,0"),)))
        equations = (f"X[i,j] = case {branches} esac", "Y[j] = X[N-1,j]")
        return Kernel(
            ("A {i | 0<=i<N}", "B {j | 0<=j<M}"),
            ("Y {j | 0<=j<M}",),
            equations,
            (("X", f"(i,j -> 0,{dates})"), ("Y", "(j -> 1,0,j)")),
            (f"X {{i,j | {declared}}}",),
            memory,
        )
    body = random.choice(("X[i,k] + X[k+1,j]", "X[i,k] + X[k+1,j] * A[k]", "X[i,k]"))
    dates = random.choice(("j-i,i,k", "-i,j,k", "j,-i,k", "-i,j-i,k"))
    ends = dates.replace(",k", ",j")
    own = random.choice(("j-i,i,N", "-i,j,N")) if dates.startswith("j-i") else ends
    return Kernel(
        ("A {i | 0<=i<N}",),
        ("X {i,j | 0<=i<=j && j<N}",),
        (
            "S[i,j] = reduce(max, [k], {| i<=k<j} : " + body + ")",
            "X[i,j] = case {| i==j} : A[i]; {| i<j} : S[i,j] + A[j]; esac",
        ),
        (("S", f"(i,j,k -> {dates})"), ("X", f"(i,j -> {own})")),
        ("S {i,j | 0<=i<j && j<N}",),
        random.choice(((), (("S", "X", "(i,j -> i,j)"),))),
        ordered=False,
    )


def _solver(random: Random) -> Kernel:
    """Rows of a triangle, one after the other, with values in the place of the right-hand side."""
    equations = ("S[i] = reduce(+, [j], {| 0<=j<i} : L[i,j] * X[j])", "X[i] = B[i] + S[i]")
    order = random.choice((("i,j", "i,i"), ("j,i", "i,i")))
    memory = random.choice(((), (("S", "X", "(i -> i)"),), (("B", "X", "(i -> i)"),)))
    return Kernel(
        ("L {i,j | 0<=j<i<N}", "B {i | 0<=i<N}"),
        ("X {i | 0<=i<N}",),
        equations,
        (("S", f"(i,j -> {order[0]},0)"), ("X", f"(i -> {order[1]},{random.choice((1, 1, -1))})")),
        ("S {i | 0<=i<N}",),
        memory,
        ordered=False,
    )


def _fused(random: Random) -> Kernel:
    """Products of a matrix with vectors, along its rows and its columns, in nests of one or of two."""
    rows = "Y[i] = reduce(+, [j], {| 0<=j<M} : A[i,j] * U[j])"
    columns = "Z[j] = reduce(+, [i], {| 0<=i<N} : A[i,j] * V[i])"
    second = random.choice((0, 0, 1))
    loops, other = random.choice((("i,j", "i,j"), ("j,i", "j,i"), ("i,j", "j,i")))
    return Kernel(
        ("A {i,j | 0<=i<N && 0<=j<M}", "U {j | 0<=j<M}", "V {i | 0<=i<N}"),
        ("Y {i | 0<=i<N}", "Z {j | 0<=j<M}"),
        (rows, columns),
        (("Y", f"(i,j -> 0,{loops})"), ("Z", f"(j,i -> {second},{other})")),
    )
