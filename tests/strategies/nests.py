"""Random programs of several statements that share one nest, at dates that differ: sums below other dimensions, scalars
behind the last iteration, operators of the user's own, remainders, diagonals, triangles, reversed and stretched dates.

Of each kind of program for which code was once wrong there is a family, with its bounds, dates and operators drawn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from alphaz.poly import Domain, Space
from tests.strategies.mapped_programs import LETTERS, Sample, Step, Variable
from tests.strategies.mapping_variants import packed

HEAD = "//@ identity mix_int = 0\nint mix_int(int, int);\n"
_LARGE = "-N-M-3<={0}<=2N+2M+3"
_INPUTS = ("x {i | " + _LARGE.format("i") + "}", "A {i,j | " + _LARGE.format("i") + " && " + _LARGE.format("j") + "}")


@dataclass(frozen=True)
class Value:
    """A variable and its equation; `letters` are the indices of its dates, those that are summed over at the end.

    `extra` is a constraint beside those of the box.
    """

    name: str
    rank: int
    letters: str
    extra: str
    equation: str
    is_output: bool = False

    @property
    def indices(self) -> str:
        return self.letters[: self.rank]


@dataclass(frozen=True)
class Sizes:
    """The number of values of each index."""

    of: dict[str, str]

    def box(self, letters: str, extra: str = "") -> str:
        """Constraints, in a text."""
        return " && ".join([*(f"0<={n}<{self.of[n]}" for n in letters), *([extra] if extra else [])])

    def domain(self, letters: str, extra: str = "") -> str:
        message = self.box(letters, extra)
        return f"{{{','.join(letters)} | {message}}}" if letters else ""


def sample(random: Random) -> Sample:
    (family,) = random.choices(FAMILIES, (8, 4, 3, 3, 3, 2, 1))
    return family(random)


def _finished(values: Sequence[Value], sizes: Sizes, steps: Sequence[Step], inputs: Sequence[str] = _INPUTS) -> Sample:
    """The program of these variables. What nobody reads is an output."""
    text = " ".join(v.equation for v in values)
    used = [input_ for input_ in inputs if f"{input_[0]}[" in text]
    shown = {v.name for v in values if v.is_output or not any(_reads(w, v.name) for w in values if w is not v)}
    lines = ["input", *(f"  int {item};" for item in used)]
    for kind, chosen in (("output", True), ("local", False)):
        those = [v for v in values if (v.name in shown) is chosen]
        lines += [*([kind] if those else []), *(f"  int {v.name} {sizes.domain(v.indices, v.extra)};" for v in those)]
    head = HEAD if "mix_int" in text else ""
    program = f"{head}affine S {{N,M | N>=1 && M>=1}}\n" + "\n".join(lines)
    body = "".join(f"  {v.equation};\n" for v in values)
    variables = tuple(_shape(v, "output" if v.name in shown else "local") for v in values)
    return Sample(f"{program}\nlet\n{body}.\n", tuple(steps), variables)


def _reads(value: Value, name: str) -> bool:
    right = value.equation.partition("=")[2]
    return f"{name}[" in right or f" {name} " in f"{right} "


def _shape(value: Value, kind: str) -> Variable:
    """Returns a variable for callers that read only its name and its number of indices."""
    return Variable(value.name, kind, Domain.universe(Space(("N", "M"), tuple(LETTERS[: value.rank]))))


# --- statements of one nest ---------------------------------------------------------------------------------------


def _nest(random: Random) -> Sample:
    sizes = Sizes({"i": "N", "j": random.choice("NNM"), "k": random.choice("NNM")})
    values: list[Value] = []
    for name in "stuv"[: random.choice((2, 2, 3, 3, 4))]:
        values.append(random.choice((_pointwise, _sum, _sum, _sum, _recurrence))(random, name, sizes, values))
    return _finished(values, sizes, _dates(random, values, sizes))


def _extra(random: Random, letters: str, sizes: Sizes) -> str:
    """A triangle or a remainder, sometimes."""
    if not letters or random.random() < 0.65:
        return ""
    last, first = letters[-1], letters[0]
    chosen = [f"{last}%2==0", f"{last}%3!=1", f"2{last}<={sizes.of[last]}", f"{last}!={sizes.of[last]}-2"]
    if len(letters) > 1 and sizes.of[first] == sizes.of[last]:
        chosen += [f"{last}<={first}", f"{first}<={last}", f"{first}+{last}<{sizes.of[last]}", f"({first}+{last})%2==0"]
    return random.choice(chosen)


def _letters(random: Random, count: int) -> str:
    return "".join(sorted(random.sample("ijk", count)))


def _named(name: str, letters: Iterable[str]) -> str:
    places = ",".join(letters)
    return f"{name}[{places}]" if places else name


def _term(random: Random, letters: str, sizes: Sizes, known: Sequence[Value], extra: str = "") -> str:
    """A read of an input, or of what is known, inside its domain."""
    readable = [v for v in known if not v.extra or (v.extra == extra and set(v.indices) <= set(letters))]
    if readable and random.random() < 0.6:
        source = random.choice(readable)
        return _named(source.name, [_place(random, n, letters, sizes, bool(source.extra)) for n in source.indices])
    if not letters:
        return f"x[{random.choice(('0', 'N', '-1', 'M'))}]"
    one, two = random.choice(letters), random.choice(letters)
    single = random.choice((one, one, f"{one}+1", f"N-{one}", f"2{one}-1", f"{one}-{two}", f"-{one}"))
    pair = random.choice((f"{one},{two}", f"{one},{two}", f"{two}-1,{one}", f"{one}+{two},{two}", f"-{one},N-{two}"))
    return random.choice((f"x[{single}]", f"A[{pair}]"))


def _place(random: Random, name: str, letters: str, sizes: Sizes, is_exact: bool) -> str:
    """For an index of what is read: the same, or another with as many values, or one end."""
    same = [n for n in letters if sizes.of[n] == sizes.of[name]]
    if name in letters and (is_exact or random.random() < 0.7):
        return name
    if same and random.random() < 0.6:
        other = random.choice(same)
        return random.choice((other, f"{sizes.of[name]}-1-{other}"))
    return random.choice(("0", f"{sizes.of[name]}-1"))


def _right(random: Random, letters: str, sizes: Sizes, known: Sequence[Value], extra: str = "") -> str:
    terms = [_term(random, letters, sizes, known, extra) for _ in range(random.choice((1, 2, 2)))]
    return random.choice((" + ", " + ", " * ", " - ")).join([*terms, *(["1"] if random.random() < 0.3 else [])])


def _pointwise(random: Random, name: str, sizes: Sizes, known: Sequence[Value]) -> Value:
    letters = _letters(random, random.choice((0, 1, 1, 1, 2, 2)))
    extra = _extra(random, letters, sizes)
    right = _right(random, letters, sizes, known, extra)
    return Value(name, len(letters), letters, extra, f"{_named(name, letters)} = {right}", random.random() < 0.4)


def _operator(random: Random) -> str:
    return random.choice(("+", "+", "+", "max", "min", "*", "mix_int"))


def _sum(random: Random, name: str, sizes: Sizes, known: Sequence[Value]) -> Value:
    """`s[i] = reduce(+, [k], D : ..)`; there is something to sum up everywhere where the operator needs it."""
    inside = random.choice((1, 1, 1, 2))
    results = _letters(random, random.choice((0, 1, 1, 2)) if inside == 1 else random.choice((0, 1)))
    inner = "".join(random.sample(sorted(set("ijk") - set(results)), inside))
    operator, extra = _operator(random), _extra(random, results, sizes)
    bounds = [f"0<={n}<{sizes.of[n]}" for n in inner]
    last = inner[-1]
    if random.random() < 0.3 and operator not in ("max", "min"):
        bounds.append(random.choice((f"{last}%2==0", f"({last}+N)%3==1", f"{last}!=1")))
    if random.random() < 0.3:
        bounds[-1] = f"0<={last}<={sizes.of[last]}" if operator in ("max", "min") else bounds[-1]
    if results and random.random() < 0.3:
        bounds.append(f"{last}<={results[-1]}")
    letters = results + inner
    plain = [v for v in known if not v.extra]
    domain = " && ".join(bounds)
    known_here = plain if f"<={sizes.of[last]}" not in domain else []
    right = _right(random, letters, sizes, known_here)
    equation = f"{_named(name, results)} = reduce({operator}, [{','.join(inner)}], {{| {domain}}} : {right})"
    return Value(name, len(results), letters, extra, equation, random.random() < 0.4)


def _recurrence(random: Random, name: str, sizes: Sizes, known: Sequence[Value]) -> Value:
    """Along the first index, from its beginning or its end."""
    letters = _letters(random, random.choice((1, 1, 2)))
    first, rest = letters[0], letters[1:]
    end, before, after = random.choice(
        ((f"{first}==0", f"{first}-1", f"{first}>0"), (f"{first}=={sizes.of[first]}-1", f"{first}+1", ""))
    )
    after = after or f"{first}<{sizes.of[first]}-1"
    start, step = (_right(random, letters, sizes, known) for _ in range(2))
    own = _named(name, [before, *rest])
    equation = f"{_named(name, letters)} = case {{| {end}}} : {start}; {{| {after}}} : {own} + {step}; esac"
    return Value(name, len(letters), letters, "", equation, random.random() < 0.4)


def _dates(random: Random, values: Sequence[Value], sizes: Sizes) -> list[Step]:
    """Dates of one length, in which one component has most of the order of the statements."""
    deepest = max(len(v.letters) for v in values)
    length = max(2, min(4, deepest + random.choice((0, 1, 1, 1))))
    phase = random.randrange(length)
    steps, factor = [], random.choice((1, 1, 1, 2))
    end = random.choice(("", "", "N+", "2N+M+"))
    for at, value in enumerate(values):
        slots = list(range(length))
        date = [""] * length
        if len(value.letters) < length and random.random() < 0.85:
            slots.remove(phase)
            date[phase] = f"{end if at else ''}{at * factor}"
        chosen = random.sample(slots, len(value.letters))
        chosen = sorted(chosen) if random.random() < 0.6 else chosen
        for slot, name in zip(chosen, value.letters, strict=True):
            date[slot] = _moved(random, name, sizes)
        for slot in range(length):
            date[slot] = date[slot] or _constant(random, value, sizes)
        steps.append(Step("time", (value.name, f"({','.join(value.letters)} -> {','.join(date)})")))
    if random.random() < 0.3:
        steps.append(Step("ordering", (str(phase),)))
    return steps


def _moved(random: Random, name: str, sizes: Sizes) -> str:
    if random.random() < 0.7:
        return name
    return random.choice((f"{name}+1", f"2{name}+1", f"-{name}", f"{sizes.of[name]}-{name}", f"3{name}", f"2{name}"))


def _constant(random: Random, value: Value, sizes: Sizes) -> str:
    """Of a component that no index has: early, late, or beside an index."""
    beside: list[str] = [*value.letters, *(f"{n}+1" for n in value.letters)]
    return random.choice(["0", "0", "0", "-1", "1", "7", "N", "N-1", "N+1", "N+M", *beside[:2]])


# --- families -----------------------------------------------------------------------------------------------------


def _timed(name: str, function: str) -> Step:
    return Step("time", (name, function))


def _intervals(random: Random) -> Sample:
    """From the short intervals to the long ones, or from the last to the first; and what comes of all."""
    read, (dates, end) = (
        random.choice(("T[i+1,j]", "T[i,j-1]", "T[i+1,j-1]")),
        random.choice(
            (
                ("-i,j", "1,N"),
                ("j-i,i", "N,0"),
                ("-i,j", "N,N"),
                ("j-i,j", "N+1,1"),
                ("-2i,j", "1,2N"),
                ("N-i,j", "N+1,0"),
            )
        ),
    )
    apart = "i+1" if read == "T[i+1,j-1]" else "i"
    first, later = ("i<=j && j<=i+1", "i+1<j") if apart != "i" else ("i==j", "i<j")
    program = (
        "affine S {N | N>=1}\ninput\n  int a {i,j | 0<=i<=j && j<N};\n"
        "output\n  int T {i,j | 0<=i<=j && j<N};\n  int r;\nlet\n"
        f"  T[i,j] = case {{| {first}}} : a[i,j]; {{| {later}}} : a[i,j] + {read}; esac;\n  r = T[0,N-1];\n.\n"
    )
    steps = (_timed("T", f"(i,j -> {dates})"), _timed("r", f"( -> {end})"))
    variables = (_variable("a", 2, "input"), _variable("T", 2, "output"), _variable("r", 0, "output"))
    result = Sample(program, steps, variables)
    return packed(random, result, 2) if random.random() < 0.4 else result


def _variable(name: str, rank: int, kind: str = "local") -> Variable:
    return Variable(name, kind, Domain.universe(Space(("N", "M"), tuple(LETTERS[:rank]))))


def _columns(random: Random) -> Sample:
    """Sums of rows and columns of a matrix, and of its diagonal, in one loop nest."""
    sizes = Sizes({"i": "N", "j": "N", "k": "N"})
    possible = (
        ("c", "j", "i", "A[i,j]"),
        ("r", "i", "j", "A[i,j]"),
        ("g", "", "i", "A[i,i]"),
        ("d", "", "j", "A[j,N-1-j]"),
        ("w", "j", "i", "A[i,j] * x[i]"),
        ("e", "", "ij", "A[i,j] + x[j]"),
    )
    values: list[Value] = []
    dates: dict[str, str] = {}
    places = {"i": "i", "j": "j"}
    loops = random.choice(("ij", "ij", "ji"))
    third = random.random() < 0.3
    for name, results, inner, right in random.sample(possible, random.choice((1, 2, 2, 3))):
        letters = results + inner
        equation = f"{_named(name, results)} = reduce({_operator(random)}, [{','.join(inner)}], {right})"
        inside = f"{{| 0<=i<N && 0<=j<N}} : {right}" if len(letters) > 1 else f"{{| 0<={inner}<N}} : {right}"
        values.append(Value(name, len(results), letters, "", equation.replace(right, inside, 1), True))
        own = [places[n] if n in letters else random.choice(("0", "0", "N", letters[0])) for n in loops]
        dates[name] = ",".join([*own, *([str(len(dates) - 1)] if third else [])])
    steps = [_timed(v.name, f"({','.join(v.letters)} -> {dates[v.name]})") for v in values]
    return _finished(values, sizes, steps)


def _product(random: Random) -> Sample:
    """Sums over products, perhaps of a triangle, and what uses them."""
    inner = random.choice(("0<=k<N", "i<=k<N", "0<=k<=i", "0<=k<M", "0<=k<N && k%2==1"))
    loops = random.choice(("i,j,k", "k,i,j", "k,j,i", "i,k,j", "2j+1,k,i+1", "k,2i,j", "j,-k,i"))
    values = [Value("C", 2, "ijk", "", f"C[i,j] = reduce({_operator(random)}, [k], {{| {inner}}} : A[i,k] * A[k,j+1])")]
    first = random.choice(("0", "1", "1"))
    dates = [f"{first},{loops}"]
    if random.random() < 0.5:
        values.append(Value("D", 2, "ij", "", f"D[i,j] = C[i,j] {random.choice('+*-')} A[i,j]"))
        dates.append(random.choice(("2,i,j,0", "2,j,i,N", "2,0,i,j", f"{first},2N+M,i,j")))
    elif random.random() < 0.5:
        values.append(Value("e", 1, "ji", "", "e[j] = reduce(+, [i], {| 0<=i<N} : C[i,j])"))
        dates.append(random.choice(("2,i,j,0", "2,j,i,0", "2,0,i,j")))
    steps = [_timed(v.name, f"({','.join(v.letters)} -> {d})") for v, d in zip(values, dates, strict=True)]
    return _finished(values, Sizes({"i": "N", "j": "M", "k": "N"}), steps)


def _solve(random: Random) -> Sample:
    """A triangular solve with many right-hand sides."""
    dates = random.choice(
        (("k,2i,j", "i,2i,j"), ("i,k,j", "i,i,j"), ("k,i,j", "i,i,j"), ("i,j,k", "i,j,i"), ("j,k,i", "j,i,i"))
    )
    operator = random.choice("++-")
    values = [
        Value("Z", 2, "ijk", "", "Z[i,j] = reduce(+, [k], {| 0<=k<i} : A[i,k] * X[k,j])"),
        Value("X", 2, "ij", "", f"X[i,j] = case {{| i==0}} : A[i,j]; {{| i>0}} : A[i,j] {operator} Z[i,j]; esac", True),
    ]
    steps = [_timed(v.name, f"({','.join(v.letters)} -> {d})") for v, d in zip(values, dates, strict=True)]
    return _finished(values, Sizes({"i": "N", "j": "M", "k": "N"}), [*steps, Step("order", ("Z", "X"))])


def _diagonals(random: Random) -> Sample:
    """Sums along diagonals, and over remainders, in four dimensions that few indices fill."""
    sums = random.choice(
        (
            ("y[i] = reduce(+, [j,k], {i,j,k | i<=j<N && 0<=k<=M && k%2==0} : A[j,k] * A[i,k])", "{i | 0<=i<N}"),
            ("y[i] = reduce(+, [j,k], {i,j,k | 0<=j<=i && 0<=k<M && (j+k)%3==0} : A[j,k])", "{i | 0<=i<N}"),
            ("y[i] = reduce(mix_int, [j,k], {i,j,k | 0<=j<N && 0<=k<=j} : A[j,i] - A[i,k])", "{i | 0<=i<N}"),
        )
    )
    along, place = random.choice((("i-j", "{d | -M<=d<N}"), ("i+j", "{d | 0<=d<N+M}"), ("2i-j", "{d | -M<=d<2N-1}")))
    head = HEAD if "mix_int" in sums[0] else ""
    program = (
        f"{head}affine S {{N,M | N>=2 && M>=1}}\n"
        f"input\n  int {_INPUTS[1]};\noutput\n  int y {sums[1]};\n  int z {place};\n"
        f"let\n  {sums[0]};\n  z[d] = reduce(+, (i,j -> {along}), {{i,j | 0<=i<N && 0<=j<=M}} : A[i,j]);\n.\n"
    )
    one = random.choice(("j,k,7,i", "i,j,k,0", "k,0,j,i", "0,i,j,k"))
    two = random.choice(("i,0,8,j", "i,j,0,1", "j,1,i,0", "1,i,j,0", "i,7,j,8"))
    steps = (_timed("y", f"(i,j,k -> {one})"), _timed("z", f"(i,j -> {two})"))
    return Sample(program, steps, (_variable("y", 1, "output"), _variable("z", 1, "output")))


def _own_sums(random: Random) -> Sample:
    """Returns a sample that reads a sum together with values computed from it: partial sums must not be read."""
    sizes = Sizes({"i": "N", "j": random.choice("NM"), "k": "N"})
    factor = random.choice("*+")
    values = [
        Value(
            "s",
            1,
            "ij",
            "",
            f"s[i] = reduce({_operator(random)}, [j], {{| {sizes.box('ij')}}} : A[i,j])",
        ),
        Value("y", 2, "ij", "", f"y[i,j] = A[i,j] {factor} s[i]"),
    ]
    dates = random.choice(
        (("i,0,j", "i,1,j"), ("i,j,0", "i,j,1"), ("i,0,j", "i+1,1,j"), ("0,i,j", "1,i,j"), ("i,0,j", "i,N,j"))
    )
    steps = [_timed(v.name, f"({','.join(v.letters)} -> {d})") for v, d in zip(values, dates, strict=True)]
    return _finished(values, sizes, [*steps, *([Step("ordering", ("1",))] if random.random() < 0.5 else [])])


FAMILIES = (_nest, _columns, _own_sums, _intervals, _product, _solve, _diagonals)
