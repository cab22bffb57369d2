"""Agreement of the verifier and brute force on a sample: the comparison of the tests and of the fuzzer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import MAPPING
from alphaz.legality.mapping_obligations import sized_order
from alphaz.legality.verdicts import Options, SystemVerdict
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.mapping.factors import Factor
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.poly import Affine
from alphaz.proof import Refuted, Undecided
from alphaz.scripting.interpreter.run import run_script
from tests.legality.bruteforce import World
from tests.legality.features import features
from tests.legality.mapped import Mapped
from tests.legality.plain_order import EXACT, TILED
from tests.legality.plain_reads import Reader
from tests.strategies.mapped_programs import Sample

TILING = "AZ702"


@dataclass(frozen=True)
class Agreement:
    """`kind` is "invalid" (no legal program or mapping), "proved", "refuted", "proved for tile sizes" (and no others)
    or "undecided"; `complaints` should be empty; `codes` are the rules that were refuted (for all tile sizes),
    `features` what the mapping has."""

    kind: str
    codes: frozenset[str] = frozenset()
    complaints: tuple[str, ...] = ()
    features: frozenset[str] = frozenset()


@lru_cache(maxsize=16)
def _checked(program: str) -> Checked:
    """Several mappings of one program are tried."""
    return read_program(Source("program.ab", program))


def mapped(sample: Sample) -> Mapped:
    """The design of a sample. Raises Rejected where the program or a map is wrong."""
    result = Mapped(sample.program, checked=_checked(sample.program))
    for step in sample.steps:
        result = _with(result, step.verb, step.arguments)
    sizes = {int(s.arguments[0]): int(s.arguments[1]) for s in sample.steps if s.verb == "tile"}
    if not sizes:
        return result
    if sorted(sizes) != list(range(min(sizes), max(sizes) + 1)):
        raise Rejected(Diagnostic(MAPPING, "the tiled dimensions do not follow each other", Label(NOWHERE)))
    order = {step.arguments for step in sample.steps if step.verb == "tiles"}
    value = [sizes[d] for d in sorted(sizes)]
    return result.band(min(sizes), max(sizes), (), value, ("omp",) in order, ("recursive",) in order)


def design_of(sample: Sample) -> Design:
    """The same; where there are use equations, by running the script. Raises Rejected."""
    if not sample.lines:
        return mapped(sample).design
    with TemporaryDirectory() as folder:
        Path(folder, "program.ab").write_text(sample.program, encoding="utf-8")
        script = sample.script("program.ab").replace("VerifyTargetMapping", "# VerifyTargetMapping")
        session = run_script(Source("script.cs", script), Path(folder))
    errors = [finding for finding in session.findings if finding.is_error]
    if errors:
        raise Rejected(*errors)
    design = session.values["prog"]
    assert isinstance(design, Design)
    return design


def _with(result: Mapped, verb: str, arguments: tuple[str, ...]) -> Mapped:
    match verb:
        case "time":
            return result.time(*arguments)
        case "memory":
            name, space, function, *moduli = arguments
            return result.memory(name, function, space, [_factor(m) for t in moduli for m in t.split(",")])
        case "parallel":
            return result.kind(arguments[1], "P", prefix=_numbers(arguments[0]))
        case "reduction":
            return result.kind(arguments[1], "R", prefix=_numbers(arguments[0]))
        case "kind":
            return result.kind(arguments[1], arguments[2], arguments[0])
        case "ordering":
            return result.kind(arguments[0], "O")
        case "order":
            return result.order(*arguments)
        case "band":
            return result.band(int(arguments[2]), int(arguments[3]), _numbers(arguments[1]))
    return result


def _factor(text: str) -> Factor:
    """`3`, `N` or `N+2`."""
    if text.isdigit():
        return int(text)
    name, _, constant = text.partition("+")
    return Affine.name(name) + int(constant or 0)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(",") if number)


Size = tuple[int, tuple[int, ...]]


@dataclass(frozen=True)
class JudgedMapping:
    """The design of a sample, what the verifier says of it, and its mapping, which is well formed."""

    design: Design
    report: SystemVerdict
    mapping: ResolvedMapping

    def world(self, parameters: Mapping[str, int]) -> World:
        return World(self.design, self.report.system, parameters, self.mapping.aliases)


def judged(sample: Sample) -> JudgedMapping | None:
    """None where the program or the mapping is no right one."""
    try:
        design = design_of(sample)
    except Rejected:
        return None
    report = verify(design, [sample.system]).systems[0]
    return None if report.mapping is None else JudgedMapping(design, report, report.mapping)


def compare(sample: Sample, largest: int = 5) -> Agreement:
    """Both verdicts, for all parameters from 1 to `largest` on the side of brute force."""
    result = judged(sample)
    if result is None:
        return Agreement("invalid")
    design, report = result.design, result.report
    assert report.mapping is not None
    if any(isinstance(r.verdict, Undecided) for r in report.results):
        return Agreement("undecided", features=features(report.mapping))
    worlds = _worlds(design, report, largest)
    refuted = _smallest(report)
    kind = "proved" if report.is_proved else "refuted"
    torn = _torn(worlds, TILED)
    if sized_order(report.mapping) is not None and (message := refuted.get(TILING)):
        # Where the sizes that are given show it as well, the witness is the smallest for these.
        sized = _torn(worlds, EXACT)
        torn = message.size if torn and sized and torn <= message.size <= sized else torn
    complaints = [*_plain(refuted, _seen(worlds), largest), *_tiled(refuted, torn, largest)]
    if set(refuted) == {TILING} and sized_order(report.mapping) is not None:
        again = verify(design, [sample.system], Options(exact_tiles=True)).systems[0]
        complaints += [f"with exact tiles: {c}" for c in _tiled(_smallest(again), _torn(worlds, EXACT), largest)]
        kind = "proved for tile sizes" if again.is_proved else kind
    elif report.is_proved and any(any(w.mapping.tiling) for _, w in worlds) and sized_order(report.mapping):
        complaints += [f"with exact tiles: {c}" for c in _tiled({}, _torn(worlds, EXACT), largest)]
    return Agreement(kind, frozenset(refuted), tuple(complaints), features(report.mapping))


Worlds = list[tuple[Size, World]]


def _worlds(design: Design, report: SystemVerdict, largest: int) -> Worlds:
    """The worlds of all parameters that are tried, the smallest first, as the verifier counts."""
    assert report.mapping is not None
    names = report.mapping.system.parameters
    top = largest if len(names) < 2 else min(largest, 3)
    chosen = sorted((sum(item), item) for item in product(range(1, top + 1), repeat=len(names)))
    reader, aliases = Reader(design), report.mapping.aliases
    every = ((size, dict(zip(names, size[1], strict=True))) for size in chosen)
    return [(size, World(design, report.system, values, aliases, reader)) for size, values in every]


def _seen(worlds: Worlds) -> dict[str, tuple[Size, str]]:
    """Returns the findings of brute force by rule code: the smallest parameters and a text."""
    seen: dict[str, tuple[Size, str]] = {}
    for size, world in worlds:
        for code, words in world.violations().items():
            seen.setdefault(code, (size, words[0]))
    return seen


def _torn(worlds: Worlds, mode: str) -> Size | None:
    """The smallest parameters at which tiling breaks something."""
    return next((size for size, world in worlds if world.mapping.tiling and world.violations(mode)), None)


@dataclass(frozen=True)
class Told:
    """The least parameters in witnesses of one rule; not `sure` where one says that there may be smaller ones."""

    size: Size
    sure: bool

    def __str__(self) -> str:
        return f"{self.size}{'' if self.sure else ' or less'}"


def _smallest(report: SystemVerdict) -> dict[str, Told]:
    """The least parameters of a witness, by rule code."""
    assert report.mapping is not None
    results: dict[str, Told] = {}
    for result in report.results:
        if isinstance(result.verdict, Refuted):
            code, point = result.rule.code, result.verdict.point
            values = tuple(point[name] for name in report.mapping.system.parameters)
            message = Told((sum(values), values), "(there may be smaller" not in result.verdict.witness.sentence)
            known = results.get(code, message)
            results[code] = Told(min(message.size, known.size), message.sure and known.sure)
    return results


def _differ(told: Told | None, true: Size | None, largest: int) -> bool:
    """Returns True if the two contradict each other: a witness may be larger than all that is enumerated."""
    if told is None:
        return true is not None
    inside = _inside(told, largest)
    if true is None:
        return inside
    if not told.sure:
        return inside and true > told.size
    return told.size != true if inside else true < told.size


def _inside(told: Told, largest: int) -> bool:
    """Returns True if brute force enumerates these parameters."""
    return max(told.size[1], default=0) <= _top(told.size, largest)


def _top(size: Size, largest: int) -> int:
    return largest if len(size[1]) < 2 else min(largest, 3)


def _plain(refuted: dict[str, Told], seen: dict[str, tuple[Size, str]], largest: int) -> list[str]:
    results = []
    for code in sorted({*refuted, *seen} - {TILING}):
        message, (true, words) = refuted.get(code), seen.get(code, (None, ""))
        if _differ(message, true, largest):
            results.append(f"{code}: the verifier says {message}, brute force {true} ({words})")
    return results


def _tiled(refuted: dict[str, Told], torn: Size | None, largest: int) -> list[str]:
    """Tiling is asked only where the order without it is proved, so the whole is compared only where that all is."""
    message = refuted.get(TILING)
    if set(refuted) - {TILING}:
        early = message is not None and _inside(message, largest) and (torn is None or torn > message.size)
        return [f"{TILING}: {message}, brute force {torn}"] if early else []
    return [f"{TILING}: the verifier says {message}, brute force {torn}"] if _differ(message, torn, largest) else []
