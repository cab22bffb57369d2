"""Random sums of products, with tiles, packed values and register tiles that the threads of a GPU share, and random
reductions that blocks merge.
"""

from random import Random

from tests.strategies.mapped_programs import Sample

_RESULTS = (("i",), ("i", "j"), ("i", "j", "l"))
_DOMAINS = ("0<=k<K", "0<=k<=i", "i<=k<K+i", "0<=k<K && k<=i+2")
_AXES = "xyz"
_TYPES = ("double", "double", "double", "float", "int", "long", "short", "char", "unsigned int", "longlong")
_FMIN = "//@ identity fmin = INFINITY\ndouble fmin(double, double);\n"
_FMAX = "//@ identity fmax = -INFINITY\ndouble fmax(double, double);\n"
_OPERATORS = (("+", ""), ("+", ""), ("max", ""), ("fmin", _FMIN), ("fmax", _FMAX))


def sum_of_products(random: Random) -> Sample:
    """Returns a program with a sum, and a mapping in which blocks and threads share the dimensions of its result."""
    result = random.choice(_RESULTS)
    terms = random.choice(_DOMAINS)
    first = "i" if terms.startswith("i") else "0"
    at = ",".join(result)
    domain = " && ".join(f"0<={name}<N" for name in result)
    if len(result) > 1 and random.random() < 0.3:
        domain += " && j<=i"
    one, other = (_operand(random, result) for _ in range(2))
    value = random.choice(("S[{0}]", "2 * S[{0}]", "a[{0}] - S[{0}]")).format(at)
    type_, least = random.choice(_TYPES), random.choice((0, 1))
    operator, head = random.choice(_OPERATORS if type_ == "double" else _OPERATORS[:3])
    program = f"""{head}affine S {{N,K | N>={least} && K>={least}}}
input {type_} A {{p,q | 0<=p<=3N+2K+9 && 0<=q<=3N+2K+9}}; {type_} B {{p,q | 0<=p<=3N+2K+9 && 0<=q<=3N+2K+9}};
{type_} a {{{at} | {domain}}};
output {type_} C {{{at} | {domain}}};
local {type_} S {{{at} | {domain}}};
let S[{at}] = reduce({operator}, [k], {{| {terms}}}: A[{one}] * B[{other}]); C[{at}] = {value}; .
"""
    return Sample(program, system="S", lines=(*_dates(random, result, first), *_roles(random, result)))


_TERMS = ("0<=k<100N", "3<=k<=90N+i", "i<=k<100N", "0<=k<100N && k<=i+260")
_REDUCED = (
    ("+", "double"), ("+", "int"), ("max", "int"), ("min", "double"), ("*", "float"), ("+", "float"), ("+", "long"),
    ("xor", "unsigned int"), ("or", "bool"), ("min", "short"), ("max", "char"), ("fmin", "double"), ("fmax", "double"),
)  # fmt: skip
_MERGES = ("partials", "last-block", "shuffles")
_ADDED = {("+", type_) for type_ in ("double", "float", "int")}


def merged_reductions(random: Random) -> Sample:
    """Returns a program with reductions in one pass, for each row or whole, which blocks of threads merge."""
    has_rows = random.random() < 0.5
    point, of_rows = ("i", " {i | 0<=i<N}") if has_rows else ("", "")
    terms = random.choice(_TERMS if has_rows else _TERMS[:1])
    names = [f"s{number}" for number in range(random.choice((1, 1, 2, 3)))]
    inputs, locals_, equations, lines = "", "", "", list[str]()
    heads, terms_of_total, drawn = set[str](), list[str](), set[tuple[str, str]]()
    for name in names:
        operator, type_ = random.choice(_REDUCED)
        drawn.add((operator, type_))
        bodies = ("x_{0}[{1}k]", "x_{0}[{1}k] - x_{0}[{1}k+1]", "x_{0}[{1}k] * x_{0}[{1}k]")
        body = bodies[0] if type_ == "bool" else random.choice(bodies)
        heads.add({"fmin": _FMIN, "fmax": _FMAX}.get(operator, ""))
        result = f"{name}[{point}]"
        terms_of_total.append(f"(if {result} then 1 else 0)" if type_ == "bool" else result)
        index = "i," if has_rows else ""
        extent = f"{index}k | {'0<=i<N && ' if has_rows else ''}0<=k<=101N"
        inputs += f"{type_} x_{name} {{{extent}}}; "
        locals_ += f"{type_} {name}{of_rows}; "
        equations += f"{name}[{point}] = reduce({operator}, [k], {{| {terms}}}: {body.format(name, index)}); "
        date = "(i,k->0,i,k)" if has_rows else "(k->0,k,0)"
        lines.append(f'setSpaceTimeMap(prog, "S", "{name}", "{date}");')
    total = " + ".join(terms_of_total)
    merges = (*_MERGES, "atomic") if drawn <= _ADDED else _MERGES
    date = "(i->1,i,0)" if has_rows else "(->1,0,0)"
    lines += [f'setSpaceTimeMap(prog, "S", "t", "{date}");', 'setOrderingDimensions(prog, "S", 0);']
    lines.append(f'setReductionOver(prog, "S", "0", {int(has_rows)}, "{random.choice(merges)}");')
    if random.random() < 0.3:
        lines.append(f'setTiling(prog, "S", {1 + has_rows}, {random.choice((256, 300, 7))});')
    head = f"{''.join(sorted(heads))}affine S {{N | N>={random.choice((0, 1))}}}"
    program = f"{head} input {inputs} output double t{of_rows}; local {locals_}"
    return Sample(f"{program}\nlet {equations} t[{point}] = {total}; .\n", system="S", lines=tuple(lines))


def _operand(random: Random, result: tuple[str, ...]) -> str:
    def subscript() -> str:
        return random.choice((*result, "k", "k", *(f"{name}+1" for name in result), f"{result[-1]}+k"))

    return f"{subscript()},{subscript()}"


def _dates(random: Random, result: tuple[str, ...], first: str) -> list[str]:
    at = ",".join(result)
    dates = [
        f'setSpaceTimeMap(prog, "S", "S", "({at},k->{at},k)", "({at}->{at},{first})");',
        f'setSpaceTimeMap(prog, "S", "C", "({at}->{at},2K+2N)");',
    ]
    if random.random() < 0.7:
        dates.append(f'setMemoryMap(prog, "S", "S", "C", "({at}->{at})");')
    return dates


def _roles(random: Random, result: tuple[str, ...]) -> list[str]:
    count = len(result)
    axes = [_AXES[count - 1 - at] for at in range(count)]
    dimensions = ",".join(map(str, range(count)))
    threads = [random.choice((1, 2, 3, 4)) for _ in range(count)]
    values = [random.choice((1, 1, 2, 3)) for _ in range(count)]
    sizes = ",".join(f"{axis}={number}" for axis, number in zip(axes, threads, strict=True))
    lines = [
        f'setBlockDimensions(prog, "S", "", "{dimensions}", "{",".join(axes)}");',
        f'setThreadDimensions(prog, "S", "", "{dimensions}", "{sizes}");',
    ]
    tiles = [number * value for number, value in zip(threads, values, strict=True)]
    if random.random() < 0.9:
        sides = [*tiles, random.choice((2, 3, 4))]
        lines += [f'setTiling(prog, "S", {at}, {size});' for at, size in enumerate(sides)]
        lines += (
            [f'setRegisterTile(prog, "S", {at}, {value});' for at, value in enumerate(values) if value > 1]
            if random.random() < 0.8
            else []
        )
        for variable in ("A", "B"):
            if random.random() < 0.6:
                place = random.choice(("", "", f", {random.randint(0, count)}"))
                lines.append(f'setPacking(prog, "S", "S", "{variable}"{place});')
    return lines
