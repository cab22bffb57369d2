"""Random stencils in overlapped tiles, and random tiles that a program states itself: `setOverlap`, `setPrivateMemory`
and `setKeptOnce`, for threads of a processor and of a GPU.
"""

from random import Random

from tests.strategies.mapped_programs import Sample

_AXES = ("x", "y")


def overlapped_tiles(random: Random, *, is_cuda: bool) -> Sample:
    """Returns a stencil over one or two dimensions, and a mapping in overlapped tiles: half of the time with another
    memory map, private memory of other dimensions, or other parallel dimensions, which are wrong in most cases.
    """
    names = random.choice(("i", "i", "i", "i", "ij"))
    has_two = random.random() < 0.25
    variables = "XY" if has_two else "X"
    equations = "".join(
        f"{name}[t,{','.join(names)}] = {step_expression(random, name, names, has_two)}; " for name in variables
    )
    at, whole = ",".join(names), " && ".join(f"0<={name}<N" for name in names)
    program = f"""affine S {{N,T | N>=3 && T>=0}} input int A {{{at} | {whole}}}; output int B {{{at} | {whole}}};
local int {", ".join(variables)} {{t,{at} | 0<=t<=T && {whole}}};
let {equations}B[{at}] = {" - ".join(f"{name}[T,{at}]" for name in variables)}; .
"""
    sizes = ",".join(str(random.choice((2, 3, 4, 7))) for _ in names)
    steps = random.choice((1, 2, 2, 3, 4))
    lines = [f'setSpaceTimeMap(prog, "S", "{name}", "(t,{at} -> 0,t,{number},{at})");'
             for number, name in enumerate(variables)]  # fmt: skip
    lines += [
        f'setSpaceTimeMap(prog, "S", "B", "({at} -> 1,0,0,{at})"); setOrderingDimensions(prog, "S", "0");',
        f'setOverlap(prog, "S", "0", "{", ".join(variables)}", 0, {steps}, "{sizes}");',
    ]
    count = len(names)
    if random.random() < 0.3:
        lines.append(_changed(random, names, steps))
    if is_cuda:
        lines += _roles(random, count, first=2, points=4 + count)
    return Sample(program, system="S", lines=tuple(lines))


def step_expression(random: Random, name: str, names: str, has_two: bool) -> str:
    """Returns the right-hand side of a variable, with reads of one step before, and within a distance."""
    reach = random.choice((1, 1, 2))
    back = random.choice((1, 1, 1, 2))
    point = ",".join(names)

    def read() -> str:
        place = ",".join(f"{n}+{random.randint(-reach, reach)}".replace("+-", "-") for n in names)
        return f"{random.choice('XY') if has_two else name}[t-{random.randint(1, back)},{place}]"

    inner = " && ".join(f"{reach}<={n}<N-{reach}" for n in names)
    edges = [edge for n in names for edge in (f"{n}<{reach}", f"{n}>=N-{reach}")]
    rest, before = [], list[str]()
    for edge in edges:
        rest.append(" && ".join([f"t>={back}", *before, edge]))
        before.append(f"{n}>={reach}" if edge.endswith(f"<{reach}") else f"{n}<N-{reach}") if (n := edge[0]) else None
    terms = " - ".join(read() for _ in range(random.choice((1, 2, 3))))
    border = " || ".join(f"{{| {where}}}" for where in rest)
    return (
        f"case {{| t<{back}}}: A[{point}] + [t]; {{| t>={back} && {inner}}}: {terms}; "
        f"{border}: {name}[t-1,{point}]; esac"
    )


def _changed(random: Random, names: str, steps: int) -> str:
    numbers = ",".join(f"b{at}" for at in range(len(names)))
    at = ",".join(names)
    return random.choice(
        (
            f'setMemoryMap(prog, "S", "X_kept", "(g,t,{at} -> {at})");',
            f'setMemoryMap(prog, "S", "X_tile", "(g,{numbers},t,{at} -> {at})");',
            f'setMemoryMap(prog, "S", "X_tile", "(g,{numbers},t,{at} -> t,{at})", "2{",0" * len(names)}");',
            f'setPrivateMemory(prog, "S", "X_tile", {random.randint(1, 5)});',
            f'setParallel(prog, "S", "0", "{random.randint(0, 4)}");',
            f'setKeptOnce(prog, "S", "{random.choice(("X", "X_kept"))}");' if steps else "",
        )
    )


def own_tiles(random: Random, *, is_cuda: bool) -> Sample:
    """Returns a program with tiles of its own, whose halo and kept points may be wrong, in private memory."""
    size, halo = random.choice((2, 3, 4)), random.choice((0, 1, 1, 2))
    low, high = random.choice((0, 0, 0, 0, 1)), size - 1 + random.choice((0, 0, 0, 0, 1))
    operator, unit = random.choice((("*", "int"), ("*", "double"), ("+", "int")))
    reads = " - ".join(f"L[b,i+{random.randint(-halo, halo)}]".replace("+-", "-") for _ in range(2))
    tiles = f"0<={size}b<N"
    program = f"""affine S {{N | N>=1}} input {unit} A {{i | -4<=i<N+8}}; output {unit} B {{i | 0<=i<N}};
local {unit} L {{b,i | {tiles} && {size}b-{halo}<=i<={size}b+{size - 1 + halo} && i<N+{halo}}}; {unit} K {{i | 0<=i<N}};
let L[b,i] = A[i-1] + A[i+1];
K[i] = reduce({operator}, [b], {{| {tiles} && {size}b+{low}<=i<={size}b+{high}}}: {reads}); B[i] = K[i]; .
"""
    modulo = random.choice(("", "", f', "{size + 2 * halo}"', f', "{size + 2 * halo - 1}"', f', "{size}"'))
    place = random.choice((f"i-{size}b", f"i-{size}b", "i"))
    lines = [
        'setSpaceTimeMap(prog, "S", "L", "(b,i -> 0,b,0,i)"); setSpaceTimeMap(prog, "S", "K", "(i,b -> 0,b,1,i)");',
        'setSpaceTimeMap(prog, "S", "B", "(i -> 1,0,0,i)"); setOrderingDimensions(prog, "S", "0,2");',
        f'setMemoryMap(prog, "S", "L", "(b,i -> {place})"{modulo});',
    ]
    if random.random() < 0.8:
        lines.append(f'setPrivateMemory(prog, "S", "L", {random.choice((1, 2, 2, 2, 3, 4))});')
    if random.random() < 0.8:
        lines.append('setKeptOnce(prog, "S", "K");')
    if is_cuda:
        lines += _roles(random, 1, first=1, points=3)
    elif random.random() < 0.7:
        lines.append('setParallel(prog, "S", "0", "0");')
    return Sample(program, system="S", lines=tuple(lines))


def _roles(random: Random, count: int, *, first: int, points: int) -> list[str]:
    """Returns the commands with which blocks share `count` dimensions of tiles, and threads those of points."""
    if random.random() < 0.15:
        return []
    first -= 1
    points -= 1
    axes = _AXES[:count][::-1]
    blocks = ",".join(str(first + at) for at in range(count))
    lines = [f'setBlockDimensions(prog, "S", "0", "{blocks}", "{",".join(axes)}");']
    if random.random() < 0.85:
        threads = ",".join(f"{axis}={random.choice((1, 2, 3, 4, 8))}" for axis in axes)
        inner = ",".join(str(points + at) for at in range(count))
        lines.append(f'setThreadDimensions(prog, "S", "0", "{inner}", "{threads}");')
    return lines
