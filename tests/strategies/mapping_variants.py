"""Random samples in more of what scripts can say: other dates that mean the same, tiles in tiles, register tiles,
vectors, buffers, other types and operators.

Each change is small, so that much of what was proved stays so; the verifier is asked again.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from random import Random

from alphaz.analysis.elaborate.programs import elaborate_function
from alphaz.diagnostics import Source, Span
from alphaz.model.types import SCALAR_TYPES
from alphaz.poly import Affine, AffineFunction
from alphaz.syntax.parser import parse_function_at
from tests.strategies.mapped_programs import Sample, Step

TYPES = (
    "longlong", "long", "short", "char", "float", "double", "bool", "unsigned int", "unsigned char", "unsigned long",
)  # fmt: skip
# Operators of the user's own.
_OWN = {
    type_: f"mix_{type_.replace(' ', '_')}" for type_ in ("int", *TYPES) if type_ not in ("float", "double", "bool")
}
HEADER = "".join(
    f"static inline {c} {name}({c} a, {c} b) {{ return ({c})(a ^ b); }}\n"
    for c, name in ((SCALAR_TYPES[type_].c_name, name) for type_, name in _OWN.items())
)
EXTERNALS = {name: lambda a, b: int(a) ^ int(b) for name in _OWN.values()}

_FIXED = ("kind", "parallel", "reduction", "ordering", "band", "tile")
# What counts dimensions, or names prefixes.
_NUMBERED = re.compile(r"set(Tiling|BandFor|Register|Vector|Packing|Parallel|Reduction)")
_DATED = re.compile(r'setSpaceTimeMap\(prog, "\w+", "\w+", "([^"]*)"')
_DECLARED = re.compile(r"(?m)^  (?:int|" + "|".join(TYPES) + r") (\w+)")
_INDEXED = re.compile(_DECLARED.pattern + r"(?: *\{([^|]*)\|)?")
_BOXED = re.compile(r"(?m)^  (int|" + "|".join(TYPES) + r") (\w+) (\{[\w,]+ \|[^}]*\});")
_TILED = re.compile(r'setTiling\(prog, "\w+", (\d+)')
_SHARED = re.compile(r'set(?:Parallel|ReductionDimension)\(prog, "\w+", "(\d*)", "(\d+)[,"]')
_REGISTERS = re.compile(r"(setRegisterTile\(prog, .*), \d+\);")
_BAND = re.compile(r'setBandForTiling\(prog, "\w+", "(\w+)", (?:(\d+), )?"[\d,]*", (\d+), (\d+)[,)]')

Dates = list[Affine]
Change = Callable[[Random, Sample, int], Sample]


def dressed(random: Random, sample: Sample, changes: "Sequence[Change] | None" = None) -> Sample:
    """The same with one thing changed, or added: one of `changes`, which are any if they are not given."""
    length = _length(sample)
    if not length:
        return sample
    change = random.choice(changes or _CHANGES)
    return change(random, sample, length)


def typed(random: Random, sample: Sample) -> Sample:
    """The same in another type, and reductions by other operators. Sums of floats are kept in lanes of their own."""
    type_ = random.choice((*TYPES, "double", "double", "float"))
    program = re.sub(r"(?m)^  int ", f"  {type_} ", sample.program)
    if type_ == "bool":
        program = program.replace(" + ", f" {random.choice(('or', 'and', 'xor'))} ").replace(" * ", " and ")
        program = re.sub(r"(?<=[:=] )(\d)(?=[;)])", lambda m: "true" if int(m[1]) % 2 else "false", program)
        return replace(sample, program=_reduced(program, random, ("or", "and", "xor")))
    if type_ in ("float", "double"):
        return replace(sample, program=_reduced(program, random, ("+", "min", "max")))
    if "reduce(" in program and random.random() < 0.4:
        own = _OWN[type_]
        head = f"//@ identity {own} = 0\n{type_} {own}({type_}, {type_});\n"
        return replace(sample, program=head + _reduced(program, random, (own,)))
    return replace(sample, program=_reduced(program, random, ("+", "*", "min", "max")))


def nested(random: Random, sample: Sample) -> Sample:
    """The same, some cases below an operation: what is read in one of them has no value in the others."""
    nothing = "false or" if "\n  bool " in sample.program else "0 +"

    def below(match_: re.Match[str]) -> str:
        return f"({nothing} {match_[0]})" if random.random() < 0.7 else match_[0]

    return replace(sample, program=re.sub(r"(?s)\bcase\b(?:(?!\bcase\b).)*?\besac\b", below, sample.program))


def parametrised(random: Random, sample: Sample) -> Sample:
    """The same for some of its parameters alone."""
    conditions = ("N%2==0", "N%3!=1", "N>=3", *(("N>=M", "M>=N", "(N+M)%2==0") if "{N,M |" in sample.program else ()))
    head = rf"(?m)^(affine {sample.system} \{{[^}}]*)\}}"
    return replace(sample, program=re.sub(head, rf"\1 && {random.choice(conditions)}}}", sample.program, count=1))


def _reduced(program: str, random: Random, operators: Sequence[str]) -> str:
    return re.sub(r"reduce\((\+|max),", lambda _: f"reduce({random.choice(operators)},", program)


# --- dates --------------------------------------------------------------------------------------------------------


def _length(sample: Sample) -> int:
    dates = [s.arguments[1] for s in sample.steps if s.verb == "time"]
    dates += [match_[1] for line in sample.lines if (match_ := _DATED.match(line))]
    return next((date.rpartition("->")[2].count(",") + 1 for date in dates), 0)


def _prefix(random: Random, sample: Sample) -> str:
    """None, or a first component that dates of the sample have."""
    dates = [s.arguments[1] for s in sample.steps if s.verb == "time"]
    firsts = {date.rpartition("->")[2].partition(",")[0].strip() for date in dates}
    numbers = sorted(first for first in firsts if first.isdigit())
    is_ordered = any(s.verb == "ordering" and s.arguments == ("0",) for s in sample.steps)
    return random.choice(numbers) if is_ordered and numbers and random.random() < 0.5 else ""


def _with_dates(sample: Sample, change: Callable[[str, Dates], Dates]) -> Sample:
    """Every date of a variable is changed; so is that of its initialisation."""

    def changed(step: Step) -> Step:
        if step.verb != "time":
            return step
        name, *maps = step.arguments
        return Step("time", (name, *(_changed(text, lambda dates: change(name, dates)) for text in maps)))

    return replace(sample, steps=tuple(map(changed, sample.steps)))


def _changed(text: str, change: Callable[[Dates], Dates]) -> str:
    span = Span(Source("dates", text), 0, len(text))
    function = elaborate_function(parse_function_at(span), ("N", "M"))
    return str(AffineFunction(function.domain, tuple(change(list(function.outputs)))))


def _skew(random: Random, sample: Sample, length: int) -> Sample:
    """Later components get what earlier ones are: the order stays."""
    if length < 2:
        return sample
    to = random.randrange(1, length)
    source, factor = random.randrange(to), random.choice((1, 1, 1, -1, 2))

    def change(_: str, dates: Dates) -> Dates:
        dates[to] = dates[to] + dates[source] * factor
        return dates

    return _with_dates(sample, change)


def _stride(random: Random, sample: Sample, length: int) -> Sample:
    """The values of a dimension are spread, and each variable has a place of its own in the gaps."""
    at, factor = random.randrange(length), random.choice((2, 2, 3))
    if at == 0 and any(step.verb in _FIXED for step in sample.steps):
        return sample
    places: dict[str, int] = {}

    def change(name: str, dates: Dates) -> Dates:
        dates[at] = dates[at] * factor + places.setdefault(name, random.randrange(factor))
        return dates

    return _with_dates(sample, change)


def _reverse(random: Random, sample: Sample, length: int) -> Sample:
    at, by = random.randrange(length), Affine.name("N") * random.choice((0, 1))

    def change(_: str, dates: Dates) -> Dates:
        dates[at] = dates[at] * -1 + by
        return dates

    return _with_dates(sample, change)


def _pad(random: Random, sample: Sample, length: int) -> Sample:
    """One more component, which is a constant or orders the statements further inside."""
    if any(step.verb in _FIXED for step in sample.steps) or any(_NUMBERED.match(line) for line in sample.lines):
        return sample
    at, apart = random.randrange(length + 1), random.random() < 0.4
    places: dict[str, int] = {}

    def change(name: str, dates: Dates) -> Dates:
        place = places.setdefault(name, len(places) if apart else 0)
        return [*dates[:at], Affine.of(constant=place), *dates[at:]]

    changed = _with_dates(sample, change)
    if random.random() < 0.5:
        changed = replace(changed, steps=(*changed.steps, Step("ordering", (str(at),))))
    return changed


# --- commands -----------------------------------------------------------------------------------------------------


def _line(sample: Sample, command: str, *arguments: object) -> Sample:
    """With a command, unless it is there: to say it twice changes nothing."""
    text = ", ".join(str(a) if isinstance(a, int) else f'"{a}"' for a in (sample.system, *arguments))
    line = f"{command}(prog, {text});"
    return sample if line in sample.lines else replace(sample, lines=(*sample.lines, line))


def _register(random: Random, sample: Sample, length: int) -> Sample:
    prefix = _prefix(random, sample)
    length -= bool(prefix)
    for at in sorted(random.sample(range(length), min(random.choice((1, 1, 2)), length))):
        below = (prefix,) if prefix else ()
        sample = _line(sample, "setRegisterTile", *below, at, random.choice((1, 1, 2, 2, 3, 4, 8)))
    return sample


def _vector(random: Random, sample: Sample, length: int) -> Sample:
    size, prefix = random.choice(((), (), (1,), (2,), (3,), (4,), (8,))), _prefix(random, sample)
    length = max(1, length - bool(prefix))
    return _line(sample, "setVectorDimension", prefix, random.choice((length - 1, random.randrange(length))), *size)


def _parallel(random: Random, sample: Sample, length: int) -> Sample:
    command, prefix = random.choice(("setParallel", "setParallel", "setReductionDimension")), _prefix(random, sample)
    return _line(sample, command, prefix, str(random.randrange(max(1, length - bool(prefix)))))


def _chunks(random: Random, sample: Sample, length: int) -> Sample:
    """Of a dimension that threads share, or that they share from now on."""
    sample = sample if random.random() < 0.5 else _parallel(random, sample, length)
    shared = _SHARED.findall("\n".join((*(step.text(sample.system) for step in sample.steps), *sample.lines)))
    if not shared:
        return sample
    prefix, at = random.choice(shared)
    return _line(sample, "setChunks", prefix, int(at), random.choice((1, 1, 2, 3, 8)))


def summed(random: Random, sample: Sample, length: int) -> Sample:
    """A reduction dimension, where it can be one along which something is summed up."""
    ranks = {variable.name: variable.dimensions for variable in sample.variables}
    along = {
        at
        for step in sample.steps
        if step.verb == "time" and step.arguments[0] in ranks
        for at in _along(step.arguments[1], ranks[step.arguments[0]])
    }
    if along and random.random() < 0.8:
        return _line(sample, "setReductionDimension", "", str(random.choice(sorted(along))))
    prefix = _prefix(random, sample)
    return _line(sample, "setReductionDimension", prefix, str(random.randrange(max(1, length - bool(prefix)))))


def _along(function: str, rank: int) -> Iterator[int]:
    """The components of dates that have an index which is none of the result's."""
    indices, _, dates = function.strip(" ()").partition("->")
    inner = [name.strip() for name in indices.split(",")][rank:]
    for at, date in enumerate(dates.split(",")):
        if any(name and name in date for name in inner):
            yield at


def _kind(random: Random, sample: Sample, length: int) -> Sample:
    """One dimension of one variable, or of all that have dates."""
    names = [step.arguments[0] for step in sample.steps if step.verb == "time"]
    if not names:
        return sample
    chosen = ",".join(names) if random.random() < 0.5 else random.choice(names)
    return _line(sample, "setDimensionType", chosen, random.randrange(length), random.choice("RRPVVOS"))


def _collapse(random: Random, sample: Sample, length: int) -> Sample:
    at = random.randrange(length)
    return _line(sample, "setParallel", "", ",".join(str(d) for d in range(at, length)))


def _band(random: Random, sample: Sample, length: int) -> Sample:
    """Several levels, each in sequence, in wavefronts or recursive."""
    prefix = _prefix(random, sample)
    length = max(1, length - bool(prefix))
    start = random.randrange(length)
    end = random.randrange(start, length)
    levels = random.choice((1, 2, 2, 3))
    line = _line(sample, "setBandForTiling", f"b{len(sample.lines)}", levels, prefix, start, end)
    for level in range(1, levels + 1):
        if random.random() < 0.6:
            part = (random.randint(start, end), end) if random.random() < 0.7 else ()
            order = "openmp" if part or random.random() < 0.5 else "recursive"
            line = _line(line, "setSubTilingWithinBand", f"b{len(sample.lines)}", level, *part, order)
    return _sized(random, line) if random.random() < 0.4 else line


def _sized(random: Random, sample: Sample) -> Sample:
    """A band has sizes; some levels leave some dimensions whole."""
    at = next((at for at in reversed(range(len(sample.lines))) if _BAND.match(sample.lines[at])), None)
    if at is None:
        return sample
    stated = _BAND.match(sample.lines[at])
    assert stated
    _, levels, start, end = stated.groups()
    width = int(end) - int(start) + 1
    sizes = "; ".join(
        ",".join(str(random.choice((0, 0, 1, 2, 3, 8))) for _ in range(width)) for _ in range(int(levels or 1))
    )
    return replace(sample, lines=(*sample.lines[:at], f'{stated[0][:-1]}, "{sizes}");', *sample.lines[at + 1 :]))


def _default(random: Random, sample: Sample, length: int) -> Sample:
    return _line(sample, "setDefaultDTilerConfiguration", random.choice(("sequential", "openmp", "recursive")))


def _sizes(random: Random, sample: Sample, length: int) -> Sample:
    start = random.randrange(length)
    tiled = range(start, random.randrange(start, length) + 1)
    for at in tiled:
        size = random.choice(((), (1,), (2,), (3,), (4,), (4,), (6,), (8,), (24,)))
        sample = _line(sample, "setTiling", at, *_told(size, tiled))
    return _line(sample, "setTilingType", random.choice(("omp", "recursive"))) if random.random() < 0.4 else sample


def _recursive(random: Random, sample: Sample, length: int) -> Sample:
    """All dimensions, or those that are tiled already."""
    return _line(sample, "setTilingType", "recursive")


def _other_sizes(random: Random, sample: Sample, length: int) -> Sample:
    """Tiles have other sizes, numbers or parameters: what is proved for all sizes holds for all."""
    tiles = [s.arguments[0] for s in sample.steps if s.verb == "tile"]
    tiles += [match_[1] for line in sample.lines if (match_ := _TILED.match(line))]
    for at in dict.fromkeys(tiles):
        size = random.choice(((), (), (1,), (2,), (3,), (5,)))
        sample = _line(sample, "setTiling", int(at), *_told(size, set(map(int, tiles))))
    return sample


def _told(size: tuple[int, ...], tiled: Collection[int]) -> tuple[int, ...]:
    """The size; where dimension 0 alone is tiled there has to be one, which tells it from all dimensions."""
    return size or ((2,) if set(tiled) == {0} else ())


def _waves(random: Random, sample: Sample, length: int) -> Sample:
    """Tiles of one level of a band, or of a part of it, run in wavefronts; or those of a level are recursive."""
    stated = [s.arguments for s in sample.steps if s.verb == "band"]
    bands = [(name, 1, int(start), int(end)) for name, _, start, end in stated]
    remaining = filter(None, map(_BAND.match, sample.lines))
    bands += [(item[1], int(item[2] or 1), int(item[3]), int(item[4])) for item in remaining]
    if not bands:
        return sample
    name, levels, start, end = random.choice(bands)
    first = random.randint(start, end)
    part = (first, random.randint(first, end)) if random.random() < 0.7 else ()
    order = "openmp" if part or random.random() < 0.5 else "recursive"
    return _line(sample, "setSubTilingWithinBand", name, random.randint(1, levels), *part, order)


def packed(random: Random, sample: Sample, length: int) -> Sample:
    """Tiles, and what they read in a buffer."""
    if not any("iling" in line for line in sample.lines) and not any(s.verb in ("tile", "band") for s in sample.steps):
        sample = _sizes(random, sample, length)
    own = sample.program.partition(f"affine {sample.system} ")[2].partition("\nlet\n")[0]
    computed, every = _DECLARED.findall(own.partition("output\n")[2]), _DECLARED.findall(own)
    into = random.choice(computed or every)
    equation = re.search(rf"(?m)^  {into}\b.*?= (.*)$", sample.program)
    read = random.choice([name for name in every if equation and f"{name}[" in equation[1]] or every)
    drawn = random.random()
    where = (random.randrange(length),) if drawn < 0.3 else ("final",) if drawn < 0.5 else ()
    sample = _line(sample, "setPacking", into, read, *where)
    pieces = [match for match in map(_REGISTERS.fullmatch, sample.lines) if match]
    if where != ("final",) or not pieces:
        return sample
    line = f'{random.choice(pieces)[1]}, {random.choice((2, 3, 4, 8))}, "final");'
    return replace(sample, lines=(*sample.lines, line))


def _stored(random: Random, sample: Sample, length: int) -> Sample:
    """A variable lies packed, or along its diagonals."""
    own = sample.program.partition(f"affine {sample.system} ")[2].partition("\nlet\n")[0]
    format_ = f"{random.choice(('packed', 'packed', 'banded'))} {random.choice(('row', 'column'))}"
    if format_.startswith("banded") and random.random() < 0.3:
        named = re.findall(r"\w+", sample.program.partition(f"affine {sample.system} {{")[2].partition("|")[0])
        format_ = f"{random.choice(('banded', 'full'))} row leading {random.choice([*named, 'N'])}"
    return _line(sample, "setStorageFormat", random.choice(_DECLARED.findall(own)), format_)


def _given_up(random: Random, sample: Sample, length: int) -> Sample:
    """An input may be overwritten, and what is computed lives in its array."""
    own = sample.program.partition(f"affine {sample.system} ")[2].partition("\nlet\n")[0]
    inputs, computed = (_INDEXED.findall(part) for part in own.partition("output\n")[::2])
    if not inputs or not computed:
        return sample
    (value, box), (name, indices) = random.choice(inputs), random.choice(computed)
    names, width = [word.strip() for word in indices.split(",") if word.strip()], len(box.split(",")) if box else 0
    chosen = [*random.sample(names, min(width, len(names))), *("0" for _ in range(width - len(names)))]
    sample = _line(sample, "setOverwritable", value)
    return _line(sample, "setMemoryMap", name, value, f"({','.join(names)} -> {','.join(chosen)})")


def _in_place(random: Random, sample: Sample, length: int) -> Sample:
    """An output begins as an input of its own, which the caller may pass as the same array; others may read it too."""
    before, head, rest = sample.program.partition(f"affine {sample.system} ")
    declared, let, equations = rest.partition("\nlet\n")
    every = {name: (type_, box) for type_, name, box in _BOXED.findall(declared)}
    outputs = [name for _, name, _ in _BOXED.findall(declared.partition("output\n")[2].partition("\nlocal")[0])]
    fit = [name for name in outputs if re.search(rf"(?m)^  {name}\[[^=]*\] = (?!reduce)", equations)]
    if not fit or re.search(r"\bP\b", sample.program) or "input\n" not in declared:
        return sample
    chosen = random.choice(fit)
    type_, box = every[chosen]
    readers = {chosen, *(name for name in every if every[name][1] == box and random.random() < 0.5)}
    join = "xor" if type_ == "bool" else "+"
    for name in readers:
        begun = rf"(?m)^  {name}\[([^=]*)\] = (?!reduce)(.*);$"
        equations = re.sub(begun, rf"  {name}[\1] = P[\1] {join} (\2);", equations)
    declared = declared.replace("input\n", f"input\n  {type_} P {box};\n", 1)
    sample = replace(sample, program=f"{before}{head}{declared}{let}{equations}")
    return _line(_line(sample, "setOverwritable", "P"), "setMemorySpace", chosen, "P")


_CHANGES = (
    _skew, _skew, _stride, _stride, _reverse, _pad, _register, _register, _register, _vector, _vector, _parallel,
    _parallel, _chunks, _chunks, _collapse, _band, _band, _default, _sizes, _sizes, _recursive, _other_sizes,
    _other_sizes, _waves, _waves, packed, packed, packed, _stored, _given_up, _in_place,
)  # fmt: skip

# Where sums, register tiles, vectors and buffers meet.
MEETING = (
    (_skew, _stride, _reverse, _pad, _default, _collapse, _other_sizes, _waves, _recursive)
    + 2 * (_band, _parallel, _chunks)
    + 3 * (_kind, _sizes, _vector, _stored, _given_up, _in_place)
    + 4 * (summed, _register)
    + 6 * (packed,)
)
