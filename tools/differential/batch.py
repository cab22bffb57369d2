"""A batch of the executed samples of a seed: programs are drawn, each with several mappings, and those that are
proved are compiled at once and executed, each in a process of its own (`openmp/machine.py`).

What is in a batch follows from its seed and its number alone.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.scheduled.pipeline import ALL, Pipeline
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter import evaluate
from alphaz.model.program import Variable
from alphaz.run.call_program import tight
from alphaz.run.data import random_inputs
from alphaz.run.kernel import STATUS
from alphaz.run.storage_conversion import UNSET, Layouts, boxed, shape_of, to_storage, without_unset
from tests.differential.worker import agree
from tests.strategies.mapped_programs import Sample
from tests.strategies.mapping_variants import EXTERNALS, HEADER
from tools.differential.c_proof import Word, disagreement, said_of
from tools.differential.generation import FAMILIES, PLAINER, Broken, Tally, drawn
from tools.differential.openmp.machine import CHANGED_INPUT, NOT_RUN, OUTSIDE, Look, Machine, Outcome, Run
from tools.differential.openmp.machine import Sample as Job
from tools.differential.pass_choices import different
from tools.differential.proved_mappings import Proved

SAMPLES = 24
# Of processor, for all runs of one sample: recursive tiles of one point, on 13 threads under a sanitizer, take over 20.
SECONDS = 60
THREADS = (1, 2, 4, 13)
# The size at which integers are so large that sums and products of them wrap around.
OVERFLOWING = 3
# At this size tiles and vectors of eight are whole.
LARGE = 8
# How often an input and an output are one array, where they may be.
IN_PLACE = 0.5
# How often in 2^16 basic blocks a thread is left behind.
DELAYS = (0, 1 << 9, 1 << 13)
TILES = (1, 2, 3, 5, 64)
# Where they are whole: several levels of tiles of one point take minutes on 13 threads under a sanitizer.
LARGER = TILES[1:]
FLAGS = ("-O1",)
# For what is compiled with optimisation as well, to look for races.
QUICK = ("-O0",)
FAST = ("-O3", "-march=native")
STRICT = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
_STATUSES = {
    **STATUS,
    NOT_RUN: "it did not come so far",
    CHANGED_INPUT: "an input was changed",
    OUTSIDE: "it wrote outside of an array",
}
_LINES = 6


@dataclass(frozen=True)
class Way:
    """The checks in addition to values. `strict`: a warning of the compiler is a finding. `proves`: the C is proved as
    well, and the two are to agree. `every_pass`: each mapping by every choice of passes (`every_pass.py`).
    """

    is_sanitized: bool = False
    strict: bool = False
    proves: bool = False
    every_pass: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        return (*FLAGS, *(STRICT if self.strict else ()))


@dataclass(frozen=True)
class SampleResult:
    """A sample that was executed, by its number in the batch; `said` is what is wrong with it, or empty."""

    number: int
    sample: Sample
    said: str = ""
    pipeline: Pipeline = ALL
    is_parallel: bool = False
    features: frozenset[str] = frozenset()
    word: Word | None = None

    @property
    def passes(self) -> str:
        """As options of a command; empty where all are run."""
        last = f"--stop-after {self.pipeline.until}" if self.pipeline.until else ""
        return " ".join(filter(None, (*(f"--without {name}" for name in sorted(self.pipeline.without)), last)))


@dataclass(frozen=True, eq=False)
class Wanted:
    """Parameters, inputs, and the outputs of the interpreter."""

    parameters: Mapping[str, int]
    inputs: Mapping[str, np.ndarray]
    outputs: Mapping[str, np.ndarray]


@dataclass(eq=False)
class Case:
    """A sample with its code, and what it is to compute. `complaints` are what is wrong with it."""

    number: int
    proved: Proved
    wanted: Sequence[Wanted]
    units: Sequence[Path] = ()
    text: str = ""
    complaints: list[str] = field(default_factory=list)
    word: Word | None = None
    overwritten: frozenset[str] = frozenset()
    in_place: Mapping[str, str] = field(default_factory=dict)

    @property
    def symbol(self) -> str:
        return f"{self.proved.name}_v{self.number}_status"

    @property
    def is_parallel(self) -> bool:
        return "#pragma omp parallel" in self.text

    @property
    def has_vectors(self) -> bool:
        return "simd" in self.text

    @property
    def sizes(self) -> tuple[TileSize, ...]:
        return self.proved.verified.mappings[self.proved.name].tile_sizes

    @property
    def layouts(self) -> Layouts:
        return self.proved.verified.mappings[self.proved.name].layouts

    def variable(self, name: str) -> Variable:
        return self.proved.verified.mappings[self.proved.name].system.variable(name)

    def boxed(
        self, name: str, parameters: Mapping[str, int], passed: np.ndarray, before: np.ndarray | None = None
    ) -> np.ndarray:
        """An output over its box; `before` is what its array held, where that was an input."""
        value = (self.variable(name), self.layouts, parameters)
        if before is not None and name not in self.layouts:
            inside = domain_mask(value[0].domain, variable_box(value[0], parameters), parameters)
            return np.where(inside | (passed != before), passed, np.zeros((), passed.dtype))
        return boxed(*value, without_unset(*value, passed))

    def result(self) -> SampleResult:
        text = "\n  ".join(dict.fromkeys(self.complaints[:_LINES]))
        case = self.proved
        return SampleResult(
            number=self.number,
            sample=case.sample,
            said=text,
            pipeline=case.pipeline,
            is_parallel=self.is_parallel,
            features=case.features,
            word=self.word,
        )


Drivers = dict[Look, Path]


def run_batch(
    seed: object, batch: int, samples: int, way: Way, tally: Tally, drivers: Drivers | None = None
) -> Iterator[SampleResult]:
    """Returns the outcomes of the samples of a batch, as many as requested. `drivers` are already compiled."""
    random = Random(f"{seed}/{batch}")
    cases: list[Case] = []
    number = 0
    for program in range(20 * samples):
        try:
            result = drawn(f"S{program}", random, tally, PLAINER if way.proves else FAMILIES)
        except Broken as broken:
            yield SampleResult(number, broken.sample, str(broken))
            number += 1
            continue
        if way.every_pass:
            result = [element for one in result for element in different(one)]
        result = result[: samples - number]
        # Most have one program: few changes give it another input.
        wanted: dict[str, Sequence[Wanted]] = {}
        for item in result:
            text = item.sample.program
            wanted[text] = wanted[text] if text in wanted else values_wanted(item, random)
            cases.append(Case(number, item, wanted[text]))
            number += 1
        if number >= samples:
            break
    verifications(cases, way, Random(f"{seed}/{batch}/executed"), drivers)
    yield from (case.result() for case in cases)


def complaint(case: Proved, way: Way, seed: object, drivers: Drivers | None = None) -> str:
    """Returns the failure of one sample; empty if there is none."""
    random = Random(str(seed))
    one = Case(0, case, values_wanted(case, random))
    verifications([one], way, random, drivers)
    return one.result().said


def verifications(cases: Sequence[Case], way: Way, random: Random, drivers: Drivers | None = None) -> None:
    """Generates, compiles and executes all; what is wrong is among their complaints."""
    with tempfile.TemporaryDirectory(prefix="alphaz-batch-") as name:
        machine = Machine(Path(name), drivers=dict(drivers or {}))
        texts = [case for case in cases if _written(case, machine.folder)]
        parallel = [case for case in texts if case.is_parallel]
        alone = [case for case in texts if not case.is_parallel]
        look = Look.MEMORY if way.is_sanitized else Look.VALUES
        _executed(machine, alone, look, way.flags, random, "alone")
        quick = QUICK if way.is_sanitized and not way.strict else way.flags
        _executed(machine, parallel, look, quick, random, "parallel")
        if way.is_sanitized:
            _executed(machine, parallel, Look.RACES, FLAGS, random, "races")
        _executed(machine, [case for case in texts if case.has_vectors], Look.VALUES, FAST, random, "vectors")
    for case in texts if way.proves else ():
        case.word = said_of(case.proved, case.proved.sources())
        wrong = disagreement(case.word, bool(case.complaints))
        case.complaints += [wrong] if wrong else []


# --- values -------------------------------------------------------------------------------------------------------


def values_wanted(case: Proved, random: Random) -> list[Wanted]:
    """At small sizes, and at one for which large tiles are whole."""
    sizes = (1, 2, 3, random.randint(4, LARGE - 1), random.randint(LARGE, 13))
    return list(_interpreted(case.verified.design.checked, case.name, sizes, random.randrange(1 << 30)))


def _interpreted(checked: Checked, name: str, sizes: Sequence[int], seed: int) -> Iterator[Wanted]:
    system = checked.program.system(name)
    for size in sizes:
        # The second is small too, but where the first is large: tiles that are large along it are to be whole.
        second = 1 + 2 * size % 5 if size < LARGE else LARGE + 13 - size
        parameters = dict(zip(system.parameters, (size, second), strict=False))
        if system.context.contains(parameters):
            inputs = random_inputs(system, parameters, seed)
            if size == OVERFLOWING and all(variable.type.kind == "int" for variable in system.variables):
                inputs = {name: near_the_ends(array) for name, array in inputs.items()}
            outputs = evaluate(checked.program, checked.facts, name, parameters, inputs, EXTERNALS)
            yield Wanted(parameters, inputs, outputs)


def near_the_ends(values: np.ndarray) -> np.ndarray:
    """The same signs, and numbers close to the greatest and the least of the type."""
    ends = np.iinfo(values.dtype)
    return np.where(values < 0, ends.min - values.clip(max=0), ends.max - values.clip(min=0)).astype(values.dtype)


# --- code ---------------------------------------------------------------------------------------------------------


def _written(case: Case, folder: Path) -> bool:
    """Its files have a folder of their own, and its functions names that no other sample has."""
    try:
        sources = case.proved.sources()
    except Exception as problem:
        case.complaints.append(f"it is not generated: {type(problem).__name__}: {problem}")
        return False
    own = folder / f"v{case.number}"
    own.mkdir()
    (own / "external_functions.h").write_text(HEADER, encoding="utf-8")
    names = re.findall(r"(?m)^affine (\w+)", case.proved.sample.program)
    renamed = "".join(f"#define {name}{end} {name}_v{case.number}{end}\n" for name in names for end in ("", "_status"))
    units = []
    for name, text in sources.files.items():
        if name.endswith(".c"):
            units.append(own / f"{name[:-2]}_v{case.number}.c")
            units[-1].write_text(f"{renamed}{tight(text)}", encoding="utf-8")
        else:
            (own / name).write_text(text, encoding="utf-8")
    case.units = units
    case.text = "\n".join(sources.files.values())
    case.overwritten = sources.overwritten
    case.in_place = {output: item for item, output in sources.in_place}
    return True


def _executed(
    machine: Machine, cases: Sequence[Case], look: Look, flags: Sequence[str], random: Random, name: str
) -> None:
    cases = [case for case in cases if not case.complaints]
    if not cases:
        return
    library = machine.folder / f"{name}.so"
    points = name != "alone" and name != "vectors"
    refused = machine.library([unit for case in cases for unit in case.units], look, library, flags, points=points)
    for case in cases:
        case.complaints += [
            f"it is not compiled: {refused[unit].strip()[:1500]}" for unit in case.units if unit in refused
        ]
    cases = [case for case in cases if not case.complaints]
    runs = [_runs(case, look, random) for case in cases]
    outcomes = machine.run([Job(library, [run for run, _, _ in element], SECONDS) for element in runs], look)
    for case, item, outcome in zip(cases, runs, outcomes, strict=True):
        case.complaints += _differences(case, item, outcome)


Planned = tuple[Run, Wanted, Mapping[str, int]]


def _runs(case: Case, look: Look, random: Random) -> list[Planned]:
    """At all sizes, with all numbers of threads; races are looked for at two sizes, with the larger numbers."""
    is_race = look is Look.RACES
    chosen = (
        [case.wanted[at] for at in sorted({len(case.wanted) // 2, len(case.wanted) - 1})] if is_race else case.wanted
    )
    threads = (THREADS[2:] if is_race else THREADS) if case.is_parallel else (1, 1, 1) if case.sizes else (1,)
    return [_run(case, wanted, count, random) for wanted in chosen for count in threads]


def _run(case: Case, wanted: Wanted, threads: int, random: Random) -> Planned:
    tiles = LARGER if max(wanted.parameters.values()) >= LARGE else TILES
    sizes = {size.name: random.choice(tiles) for size in case.sizes}
    integers = (*wanted.parameters.values(), *sizes.values())
    value, layouts = wanted.parameters, case.layouts
    outputs = [(shape_of(case.variable(n), layouts, value), array.dtype) for n, array in wanted.outputs.items()]
    inputs = [to_storage(case.variable(n), layouts, value, array) for n, array in wanted.inputs.items()]
    run = Run(case.symbol, integers, inputs, outputs, threads, random.randrange(1 << 60), random.choice(DELAYS), UNSET)
    run = replace(run, overwritten=frozenset(at for at, n in enumerate(wanted.inputs) if n in case.overwritten))
    # As one array, and as two.
    pairs = case.in_place.items() if random.random() < IN_PLACE else ()
    names, results = list(wanted.inputs), list(wanted.outputs)
    run = replace(run, in_place={results.index(output): names.index(pair) for output, pair in pairs})
    return run, wanted, {**value, **sizes}


def _differences(case: Case, runs: Sequence[Planned], outcome: Outcome) -> Iterator[str]:
    for (run, wanted, item), ran in zip(runs, outcome.runs, strict=True):
        threads = f"{run.threads} thread{'s' if run.threads > 1 else ''}"
        where = f"{','.join(f'{n}={v}' for n, v in item.items())} with {threads}"
        if ran.status == NOT_RUN and outcome.death:
            yield f"{where}: {outcome.death}"
            return
        if ran.status:
            yield f"{where}: {_STATUSES.get(ran.status, f'status {ran.status}')}"
            continue
        before = {at: run.inputs[number] for at, number in run.in_place.items()}
        results = {
            name: case.boxed(name, wanted.parameters, array, before.get(at))
            for at, (name, array) in enumerate(zip(wanted.outputs, ran.outputs, strict=True))
        }
        wrong = [name for name, values in wanted.outputs.items() if not agree(values, results[name])]
        if wrong:
            yield f"{where}: {', '.join(wrong)}"
