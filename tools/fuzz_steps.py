"""Random recurrences in steps, whose points blocks and threads of a GPU share: rows with barriers between steps, a
launch for each step, wavefronts, triangles that shrink, and phases of a block.
"""

from random import Random

from tests.strategies.mapped_programs import Sample
from tools.fuzz_tiles import step_expression

_TYPES = ("int", "double", "float", "long", "short", "longlong", "unsigned int")


def recurrence(random: Random) -> Sample:
    """Returns a program with a recurrence, and a mapping that may be wrong."""
    return random.choice((_stencil, _stencil, _stencil, _wavefronts, _triangles, _phases))(random)


def _stencil(random: Random) -> Sample:
    names = random.choice(("i", "i", "ij"))
    has_rows, has_two = random.random() < 0.5, random.random() < 0.3
    variables = "XY" if has_two else "X"
    type_ = random.choice(_TYPES)
    row, rows = ("r,", "0<=r<R && ") if has_rows else ("", "")
    at = ",".join(names)
    whole = " && ".join(f"0<={name}<N" for name in names)
    equations = "".join(f"{name}[t,{at}] = {step_expression(random, name, names, has_two)}; " for name in variables)
    for name in (*variables, "A"):
        equations = equations.replace(f"{name}[", f"{name}[{row}")
    least = random.choice((0, 3))
    context = f"{'R>=0 && ' * has_rows}N>={least} && T>=0"
    total = " - ".join(f"{name}[{row}T,{at}]" for name in variables)
    program = f"""affine S {{N,T{",R" * has_rows} | {context}}}
input {type_} A {{{row}{at} | {rows}{whole}}}; output {type_} B {{{row}{at} | {rows}{whole}}};
local {type_} {", ".join(variables)} {{{row}t,{at} | {rows}0<=t<=T && {whole}}};
let {equations}B[{row}{at}] = {total}; .
"""
    dates = _orders(random, has_rows, names)
    lines = [
        f'setSpaceTimeMap(prog, "S", "{name}", "({row}t,{at} -> {dates.format("t", number)})");'
        for number, name in enumerate(variables)
    ]
    lines.append(f'setSpaceTimeMap(prog, "S", "B", "({row}{at} -> {dates.format("T+1", 0)})");')
    places = [part.strip() for part in dates.split(",")]
    if "{1}" in places:
        lines.append(f'setOrderingDimensions(prog, "S", {places.index("{1}")});')
    if random.random() < 0.6:
        modulo = ",".join(("0" * has_rows, str(random.choice((1, 2, 2, 3, 3))), *("0" for _ in names))).lstrip(",")
        lines += [
            f'setMemoryMap(prog, "S", "{name}", "({row}t,{at} -> {row}t,{at})", "{modulo}");' for name in variables
        ]
    shared = [place for place, part in enumerate(places) if part in (*names, "r")]
    return Sample(program, system="S", lines=(*lines, *_shares(random, shared), *_tiles(random, shared)))


def _orders(random: Random, has_rows: bool, names: str) -> str:
    inner = list(names)
    if random.random() < 0.3:
        random.shuffle(inner)
    outer = ["{0}", "{1}"]
    if has_rows:
        outer.insert(random.choice((0, 0, 0, 2)), "r")
    return ",".join((*outer, *inner))


def _wavefronts(random: Random) -> Sample:
    type_ = random.choice(_TYPES)
    operation = random.choice(("W[i-1,j] + W[i,j-1]", "W[i-1,j] - W[i-1,j-1] * 3", "max(W[i-1,j], W[i,j-1]) + A[i,j]"))
    program = f"""affine S {{N,M | N>={random.choice((0, 1))} && M>=0}}
input {type_} A {{i,j | 0<=i<N && 0<=j<M}}; output {type_} W {{i,j | 0<=i<N && 0<=j<M}};
let W[i,j] = case {{| i==0}} || {{| i>0 && j==0}}: A[i,j]; {{| i>0 && j>0}}: {operation}; esac; .
"""
    date = random.choice(("i+j,i", "i+j,j", "2i+j,i", "i,j"))
    return Sample(
        program, system="S", lines=(f'setSpaceTimeMap(prog, "S", "W", "(i,j -> {date})");', *_shares(random, [1]))
    )


def _triangles(random: Random) -> Sample:
    type_ = random.choice(_TYPES)
    below = random.random() < 0.3
    also = " && j<=i" * below
    whole = f"0<=i<N && 0<=j<N{also}"
    pivot = "U[k-1,j,k-1]" if below else "U[k-1,k-1,j]"
    program = f"""affine S {{N | N>=0}}
input {type_} A {{i,j | {whole}}}; output {type_} B {{i,j | {whole}}};
local {type_} U {{k,i,j | 0<=k && k<=i<N && k<=j<N{also}}};
let U[k,i,j] = case {{| k==0}}: A[i,j]; {{| k>0}}: U[k-1,i,j] - U[k-1,i,k-1] * {pivot}; esac;
B[i,j] = case {{| i<=j}}: U[i,i,j]; {{| j<i}}: U[j,i,j]; esac; .
"""
    lines = [
        'setSpaceTimeMap(prog, "S", "U", "(k,i,j -> 0,k,i,j)"); setSpaceTimeMap(prog, "S", "B", "(i,j -> 1,0,i,j)");',
        'setOrderingDimensions(prog, "S", 0);',
    ]
    if random.random() < 0.7:
        lines.append('setMemoryMap(prog, "S", "U", "(k,i,j -> i,j)");')
    return Sample(program, system="S", lines=(*lines, *_shares(random, [2, 3])))


def _phases(random: Random) -> Sample:
    type_ = random.choice(_TYPES)
    operator = random.choice(("+", "max", "min"))
    read = random.choice(("D[r,N-1-i]", "D[r,i]", "D[r,0] + D[r,i]", "D[r,N-1-i] - E[r,i]"))
    terms = random.choice(("0<=k<N", "0<=k<=i", "i<=k<N"))
    program = f"""affine S {{R,N | R>=0 && N>={random.choice((0, 1))}}}
input {type_} A {{r,i | 0<=r<R && 0<=i<N}}; output {type_} B {{r,i | 0<=r<R && 0<=i<N}};
local {type_} D, E {{r,i | 0<=r<R && 0<=i<N}};
let D[r,i] = reduce({operator}, [k], {{| {terms}}}: A[r,k]); E[r,i] = D[r,i] + A[r,N-1-i]; B[r,i] = {read}; .
"""
    lines = [
        'setSpaceTimeMap(prog, "S", "D", "(r,i,k -> r,0,i,k)"); setSpaceTimeMap(prog, "S", "E", "(r,i -> r,1,i,0)");',
        'setSpaceTimeMap(prog, "S", "B", "(r,i -> r,2,i,0)"); setOrderingDimensions(prog, "S", 1);',
    ]
    if random.random() < 0.3:
        lines.append('setMemoryMap(prog, "S", "E", "D", "(r,i -> r,i)");')
    return Sample(program, system="S", lines=(*lines, *_shares(random, [0, 2], first=0)))


def _shares(random: Random, shared: list[int], first: int | None = None) -> list[str]:
    """Returns commands with which blocks and threads share some of the dimensions: `first` is one of blocks alone."""
    if random.random() < 0.15:
        return []
    axes = random.sample("xyz", len(shared)) if random.random() < 0.3 else list("xyz"[: len(shared)][::-1])
    axis = dict(zip(shared, axes, strict=True))
    blocks = [one for one in shared if one == first or random.random() < 0.6]
    threads = [one for one in shared if one != first and (one not in blocks or random.random() < 0.7)]
    lines = []
    if blocks:
        words = ",".join(map(str, blocks)), ",".join(axis[block] for block in blocks)
        lines.append(f'setBlockDimensions(prog, "S", "", "{words[0]}", "{words[1]}");')
    if threads:
        sizes = ",".join(f"{axis[thread]}={random.choice((1, 2, 3, 4, 8))}" for thread in threads)
        lines.append(f'setThreadDimensions(prog, "S", "", "{",".join(map(str, threads))}", "{sizes}");')
    return lines


def _tiles(random: Random, shared: list[int]) -> list[str]:
    if not shared or random.random() < 0.8:
        return []
    return [f'setTiling(prog, "S", {one}, {random.choice((2, 3, 5))});' for one in shared]
