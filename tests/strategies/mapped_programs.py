"""Random small programs with random, and with mutated legal, target mappings.

A case is a program text and a list of script commands; both are plain text, so that a failing one can be written out
and run. Every choice is drawn from one `random.Random`, which hypothesis can shrink and a seed can repeat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, at_least
from alphaz.poly.algorithms.set_operations import disjoint_polyhedra

LETTERS = "ijk"


@dataclass(frozen=True)
class Step:
    """One command of a mapping (see `_SCRIPT`); the arguments are as a script says them."""

    verb: str
    arguments: tuple[str, ...]

    def text(self, system: str) -> str:
        name, *rest = _SCRIPT[self.verb], *(_quoted(a) for a in self.arguments)
        return f'{name}(prog, "{system}", {", ".join(rest)});'


_SCRIPT = {
    "time": "setSpaceTimeMap", "memory": "setMemoryMap", "kind": "setDimensionType", "order": "setStatementOrdering",
    "band": "setBandForTiling", "parallel": "setParallel", "ordering": "setOrderingDimensions",
    "reduction": "setReductionDimension", "tile": "setTiling", "tiles": "setTilingType",
}  # fmt: skip


def _quoted(argument: str) -> str:
    return argument if argument.lstrip("-").isdigit() else f'"{argument}"'


@dataclass(frozen=True)
class Sample:
    """A program and the mapping of one of its systems; `lines` are commands as they stand in a script."""

    program: str
    steps: tuple[Step, ...] = ()
    variables: tuple["Variable", ...] = ()
    system: str = "S"
    lines: tuple[str, ...] = ()

    def script(self, file: str) -> str:
        lines = [f'prog = ReadAlphabets("{file}");', *(s.text(self.system) for s in self.steps), *self.lines]
        return "\n".join([*lines, f'VerifyTargetMapping(prog, "{self.system}", "MIN");', ""])


@dataclass(frozen=True)
class Variable:
    name: str
    kind: str
    domain: Domain
    body: int = 0
    in_steps: bool = False

    @property
    def dimensions(self) -> int:
        return self.domain.space.dimensions


def sample(random: Random) -> Sample:
    """A program, and a mapping for it: half of the time a legal one that was mutated."""
    variables, text = _program(random)
    steps = _legal(random, variables) if random.random() < 0.7 else _wild(random, variables)
    for variable in variables:
        if variable.in_steps and random.random() < 0.6:
            names = LETTERS[: variable.dimensions]
            steps = [*steps, Step("memory", (variable.name, "V", f"({','.join(names)} -> {','.join(names[1:])})"))]
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        steps = _mutated(random, variables, steps)
    length = next((_length(s.arguments[1]) for s in steps if s.verb == "time"), 0)
    if random.random() < 0.4 and length > 1 and not any(s.verb in ("band", "tile") for s in steps):
        prefix = _prefix(random, steps)
        steps = [*steps, *_tiled(random, length, prefix, random.choice(("band", "tile", "tile")))]
    return Sample(text, tuple(steps), tuple(variables))


def with_memory(random: Random, case: Sample) -> Sample:
    """The same with another memory map for one variable, perhaps in the space of another."""
    one, two = random.choice(case.variables), random.choice(case.variables)
    step = _memory(random, one, two if random.random() < 0.5 else None)
    return replace(case, steps=(*case.steps, step))


# --- programs -----------------------------------------------------------------------------------------------------


def _space(names: Sequence[str]) -> Space:
    """Every function is over both parameters; a program may do without the second."""
    return Space(("N", "M"), tuple(names))


def _domain(random: Random, dimensions: int, parameters: str) -> Domain:
    """A box or a triangle, its bounds sometimes moved by one."""
    names = LETTERS[:dimensions]
    space = _space(names)
    constraints: list[Constraint] = []
    for at, name in enumerate(names):
        size = Affine.name(random.choice(parameters))
        low = (
            Affine.name(names[at - 1]) if at and random.random() < 0.3 else Affine.of(constant=random.choice((0, 0, 1)))
        )
        constraints.append(at_least(Affine.name(name), low))
        constraints.append(at_least(size - random.choice((0, 1, 1)), Affine.name(name)))
    return Domain.where(space, constraints)


def _program(random: Random) -> tuple[list[Variable], str]:
    parameters = random.choice(("N", "N", "N", "NNM"))
    value = "AB"[: random.choice((1, 1, 2))]
    inputs = [Variable(n, "input", _domain(random, random.choice((1, 1, 2)), parameters)) for n in value]
    computed: list[Variable] = []
    for name in "XYZ"[: random.choice((1, 2, 2, 3))]:
        dimensions = random.choice((0, 1, 1, 2, 2, 2, 3))
        computed.append(Variable(name, "local", _domain(random, dimensions, parameters)))
    last = len(computed) - 1
    outputs = {last} if random.random() < 0.7 else {last, random.randrange(len(computed))}
    computed = [replace(v, kind="output") if at in outputs else v for at, v in enumerate(computed)]
    equations = []
    for at, variable in enumerate(computed):
        equation, body = _equation(random, variable, [*inputs, *computed[:at]])
        equations.append(equation)
        computed[at] = replace(variable, body=max(0, body), in_steps=body < 0)
    every = [*inputs, *computed]
    declared = "\n".join(
        line
        for kind in ("input", "output", "local")
        for line in (kind, *(f"  int {v.name} {v.domain};" for v in every if v.kind == kind))
        if any(v.kind == kind for v in every)
    )
    body_text = "\n".join(f"  {e}" for e in equations)
    text = f"{declared}\nlet\n{body_text}\n.\n"
    head = "N,M | N>=1 && M>=1" if "M" in text else "N | N>=1"
    return every, f"affine S {{{head}}}\n{text}"


def _equation(random: Random, variable: Variable, known: list[Variable]) -> tuple[str, int]:
    """The equation, and the number of indices of its reduction's body (0 where it is not one, -1 if it is in steps)."""
    names = variable.domain.space.names
    left = f"{variable.name}[{','.join(names)}]" if names else variable.name
    kind = random.random()
    if kind < 0.25 and len(names) < 3:
        return f"{left} = {_reduction(random, variable, known)};", len(names) + 1
    if kind < 0.35:
        copy = _copy(random, variable, known)
        if copy is not None:
            return f"{left} = {copy};", 0
    if kind < 0.5 and len(names) > 1:
        return f"{left} = {_in_steps(random, variable, known)};", -1
    return f"{left} = {_cases(random, variable.domain, [variable, *known], variable)};", 0


def _copy(random: Random, variable: Variable, known: list[Variable]) -> str | None:
    source = random.choice(known)
    function = _function(random, variable.domain.space, source.dimensions)
    inside = variable.domain.is_subset(source.domain.preimage(function))
    return _access(source, function) if inside else None


def _in_steps(random: Random, variable: Variable, known: list[Variable]) -> str:
    """Every step changes a part of the points, and copies the others from the step before."""
    space = variable.domain.space
    step, place = (Affine.name(space.names[at]) for at in (0, -1))
    before = AffineFunction(space, (step - 1, *map(Affine.name, space.names[1:])))
    later = variable.domain & variable.domain.preimage(before)
    bound = random.choice((Affine.of(constant=1), Affine.of(constant=1), step, step - 1, Affine.name("N") - 2))
    same = Domain.where(space, [at_least(bound, place)] if random.random() < 0.5 else [at_least(place, bound)])
    texts = [_branch(piece, _access(variable, before)) for piece in _pieces(later & same)]
    for part in disjoint_polyhedra(later - same):
        reads = [_access(variable, before), *_reads(random, part, [variable, *known], variable)]
        texts += [_branch(piece, " + ".join(reads)) for piece in _pieces(part)]
    for part in disjoint_polyhedra(variable.domain - later):
        texts += [_branch(piece, " + ".join(_reads(random, part, known, None)) or "1") for piece in _pieces(part)]
    return "case " + " ".join(texts) + " esac"


def _reads(random: Random, domain: Domain, known: list[Variable], own: Variable | None) -> Iterable[str]:
    """Up to two that are inside their domains."""
    for _ in range(2):
        source = random.choice(known)
        at = _earlier(random, domain.space) if source is own else _function(random, domain.space, source.dimensions)
        if domain.is_subset(source.domain.preimage(at)):
            yield _access(source, at)


def _function(random: Random, space: Space, dimensions: int) -> AffineFunction:
    """Mostly an index each, moved by a constant."""
    outputs = []
    for at in range(dimensions):
        base = [Affine.name(n) for n in space.names]
        pick = (
            base[at] if at < len(base) and random.random() < 0.7 else random.choice([*base, Affine(), Affine.name("N")])
        )
        outputs.append(pick + random.choice((0, 0, 0, -1, -1, 1)))
    return AffineFunction(space, tuple(outputs))


def _access(variable: Variable, function: AffineFunction) -> str:
    return f"{variable.name}[{','.join(map(str, function.outputs))}]" if function.outputs else variable.name


def _cases(random: Random, domain: Domain, known: list[Variable], own: Variable | None) -> str:
    """Reads where they are inside their domains, a constant elsewhere."""
    reads, guard = [], domain
    for _ in range(random.choice((1, 1, 2))):
        source = random.choice(known)
        function = _function(random, domain.space, source.dimensions)
        if source is own and random.random() < 0.9:
            function = _earlier(random, domain.space)
        inside = guard & source.domain.preimage(function)
        if (source is own and function.is_identity) or inside.is_empty():
            continue
        reads.append(_access(source, function))
        guard = inside
    if not reads:
        return str(random.randrange(3))
    texts = [_branch(piece, " + ".join(reads)) for piece in _pieces(guard)]
    texts += [_branch(piece, str(random.randrange(3))) for piece in _pieces(domain - guard)]
    if len(texts) == 1 and random.random() < 0.5:
        return " + ".join(reads)
    return "case " + " ".join(texts) + " esac"


def _earlier(random: Random, space: Space) -> AffineFunction:
    """A point that comes lexicographically before."""
    outputs = [Affine.name(n) for n in space.names]
    if not outputs:
        return AffineFunction(space, ())
    at = random.randrange(len(outputs))
    outputs[at] += -1
    for later in range(at + 1, len(outputs)):
        outputs[later] += random.choice((0, 0, 1, -1))
    return AffineFunction(space, tuple(outputs))


def _pieces(domain: Domain) -> Iterable[str]:
    return (str(piece) for piece in domain.pieces())


def _branch(piece: str, text: str) -> str:
    return f"{{| {piece}}} : {text};" if piece else f"{{| 0<=0}} : {text};"


def _reduction(random: Random, variable: Variable, known: list[Variable]) -> str:
    names = variable.domain.space.names
    inner = LETTERS[len(names)]
    space = _space((*names, inner))
    index, size = Affine.name(inner), Affine.name("N")
    low = Affine.name(names[-1]) if names and random.random() < 0.3 else Affine.of(constant=random.choice((0, 0, 1)))
    bounds = Domain.where(space, [at_least(index, low), at_least(size - 1, index)])
    domain = bounds & variable.domain.embedded(space)
    body = _body(random, domain, known)
    (piece,) = [str(p) for p in bounds.pieces()]
    operator = random.choice(("+", "max"))
    return f"reduce({operator}, [{inner}], {{| {piece}}} : {body})"


def _body(random: Random, domain: Domain, known: list[Variable]) -> str:
    source = random.choice(known)
    function = _function(random, domain.space, source.dimensions)
    if domain.is_subset(source.domain.preimage(function)):
        return _access(source, function)
    return f"({_cases(random, domain, known, None)})"


# --- mappings -----------------------------------------------------------------------------------------------------


def _legal(random: Random, variables: list[Variable]) -> list[Step]:
    """Variables one after the other (by an ordering dimension, most of the time), each in lexicographic order."""
    computed = [v for v in variables if v.kind != "input"]
    depth = max(max(v.dimensions, v.body) for v in computed)
    steps = []
    for at, variable in enumerate(computed):
        count = variable.body if variable.body and random.random() < 0.8 else variable.dimensions
        names = LETTERS[:count]
        date = [str(at), *names, *["0"] * (depth - count)]
        arguments = [variable.name, f"({','.join(names)} -> {','.join(date)})"]
        if variable.body and count == variable.body and random.random() < 0.4:
            results = LETTERS[: variable.dimensions]
            first = [str(at), *results, *["-1"] * (depth - len(results))]
            arguments.append(f"({','.join(results)} -> {','.join(first)})")
        steps.append(Step("time", tuple(arguments)))
    if random.random() < 0.5:
        steps.append(Step("ordering", ("0",)))
    return steps


def _wild(random: Random, variables: list[Variable]) -> list[Step]:
    """Any dates of one length."""
    length = random.choice((1, 2, 2, 3))
    steps = []
    for variable in variables:
        if variable.kind == "input" and random.random() < 0.9:
            continue
        count = variable.body if variable.body and random.random() < 0.7 else variable.dimensions
        steps.append(Step("time", (variable.name, _map(random, LETTERS[:count], length))))
    names = [v.name for v in variables]
    random.shuffle(names)
    if random.random() < 0.5 and len(names) > 1:
        steps.append(Step("order", (names[0], names[1])))
    return steps


def _map(random: Random, names: str, length: int) -> str:
    space = _space(names)
    terms = [*map(Affine.name, names)]
    outputs = []
    for at in range(length):
        value = (
            terms[at]
            if at < len(terms) and random.random() < 0.7
            else random.choice([*terms, Affine(), Affine.name("N")])
        )
        if terms and random.random() < 0.25:
            value = value + random.choice(terms) * random.choice((1, -1))
        outputs.append(value + random.choice((0, 0, 0, 1, -1)))
    return str(AffineFunction(space, tuple(outputs)))


_MUTATIONS = (
    "parallel", "reduction", "reduction", "kind", "memory", "memory", "memory", "share", "band", "tile", "swap",
    "order", "flatten",
)  # fmt: skip


def _mutated(random: Random, variables: list[Variable], steps: list[Step]) -> list[Step]:
    """One thing is changed: kinds, memory, bands, ordering or a date."""
    length = next((_length(s.arguments[1]) for s in steps if s.verb == "time"), 0)
    verb = random.choice(_MUTATIONS)
    prefix = _prefix(random, steps)
    if verb in ("parallel", "reduction"):
        return [*steps, Step(verb, (prefix, str(random.randrange(length - bool(prefix)))))]
    if verb == "kind":
        return [*steps, *_kind(random, variables, length)]
    if verb in ("band", "tile") and not any(s.verb in ("band", "tile") for s in steps):
        return [*steps, *_tiled(random, length, prefix, verb)]
    if verb == "memory":
        return [*steps, _memory(random, random.choice(variables), None)]
    if verb == "share":
        one, two = random.choice(variables), random.choice(variables)
        return [*steps, _memory(random, one, two)]
    if verb == "order":
        before, after = random.choice(variables).name, random.choice(variables).name
        return [*steps, Step("order", (before, after))] if before != after else steps
    return _other_date(random, steps, verb)


def _prefix(random: Random, steps: list[Step]) -> str:
    """None, or that of a statement, where dimension 0 orders."""
    if not any(s.verb == "ordering" for s in steps) or random.random() < 0.5:
        return ""
    first = random.choice([s for s in steps if s.verb == "time"]).arguments[1]
    value, more, _ = first.rpartition("->")[2].strip(" )").partition(",")
    return value.strip() if more and value.strip().lstrip("-").isdigit() else ""


def _kind(random: Random, variables: list[Variable], length: int) -> Iterable[Step]:
    """One dimension of one variable, or of all that are computed, is of one kind."""
    dimension, kind = str(random.randrange(length)), random.choice("RRPSV")
    computed = [v.name for v in variables if v.kind != "input"]
    chosen = computed if random.random() < 0.7 else [random.choice(computed)]
    return (Step("kind", (name, dimension, kind)) for name in chosen)


def _tiled(random: Random, length: int, prefix: str, verb: str) -> Iterable[Step]:
    """A band of unknown sizes, below a prefix perhaps; or one of small sizes, in wavefronts perhaps, or recursive."""
    length -= bool(prefix) and verb == "band"
    start = random.randrange(max(1, length - 1))
    end = random.randrange(min(start + 1, length - 1), length)
    if verb == "band":
        return [Step("band", ("b", prefix, str(start), str(end)))]
    sizes = [Step("tile", (str(d), str(random.choice((1, 1, 2, 3))))) for d in range(start, end + 1)]
    return [*sizes, *([Step("tiles", (random.choice(("omp", "recursive")),))] if random.random() < 0.5 else [])]


def _length(text: str) -> int:
    return text.rpartition("->")[2].count(",") + 1


def _memory(random: Random, variable: Variable, other: Variable | None) -> Step:
    dimensions = other.dimensions if other else random.choice((variable.dimensions, max(0, variable.dimensions - 1)))
    names = LETTERS[: variable.dimensions]
    space = _space(names)
    left_out = max(0, len(names) - dimensions) if random.random() < 0.5 else 0
    rest = names[left_out:]
    function = AffineFunction(
        space,
        tuple(
            Affine.name(rest[at]) if at < len(rest) and random.random() < 0.8 else _component(random, names)
            for at in range(dimensions)
        ),
    )
    where = other.name if other else variable.name
    moduli = (",".join(str(random.choice((0, 0, 2, 2, 3))) for _ in range(dimensions)),)
    factors = moduli if dimensions and random.random() < 0.5 else ()
    return Step("memory", (variable.name, where, str(function), *factors))


def _component(random: Random, names: str) -> Affine:
    value = random.choice([*map(Affine.name, names), Affine()])
    if names and random.random() < 0.3:
        value = value - Affine.name(random.choice(names))
    return value + random.choice((0, 0, 1))


def _other_date(random: Random, steps: list[Step], verb: str) -> list[Step]:
    """One map with two components swapped, or one made constant."""
    places = [at for at, step in enumerate(steps) if step.verb == "time"]
    at = random.choice(places)
    step = steps[at]
    head, _, tail = step.arguments[1].rpartition("->")
    parts = tail.strip(" )").split(",")
    one, two = random.randrange(len(parts)), random.randrange(len(parts))
    if verb == "flatten":
        parts[one] = random.choice(("0", "0", "1"))
    else:
        parts[one], parts[two] = parts[two], parts[one]
    changed = (step.arguments[0], f"{head}-> {','.join(parts)})", *step.arguments[2:])
    return [*steps[:at], Step("time", changed), *steps[at + 1 :]]
