"""Random programs, well formed and nearly so: the checker answers with findings and nothing else, and on those that
are right the interpreter and the demand-driven C agree. What the strategy draws is judged by enumeration as well.

    scripts/fuzz-language --cases 20000 --seed 1

Texts are those of `tests/strategies`, programs of the corpus, and mutations of both. What fails is printed whole.
"""

import random
import re
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.codegen.c.names import identifier
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import CYCLE, INTERNAL, RUN_TIME
from alphaz.model.interpreter import evaluate
from alphaz.model.program import System
from alphaz.run.compiler import find_compiler
from alphaz.run.data import random_inputs
from alphaz.run.kernel import Kernel
from alphaz.run.library import load
from alphaz.syntax.words import KEYWORDS
from tests.cases.corpus import FOLDER, paths
from tests.property.agreement import disagreement
from tests.strategies.programs import programs
from tools.command_line import parser

_BATCH = 40
_WORDS = (
    *sorted(KEYWORDS), *"NMijk012+-*/%<()[]{}|:;,.@=^", "<=", "==", "!=", "||", "&&", "->", "val(", "//", "/*", "0.5",
)  # fmt: skip
_TOKEN = re.compile(r"[A-Za-z_^][A-Za-z_0-9]*|[0-9]+(?:\.[0-9]+)?|->|\|\||&&|[=!<>]=|\S")


@dataclass
class Outcome:
    """Counts of texts: tried, valid, judged by enumeration, executed; and the failures with their texts."""

    tried: int = 0
    right: int = 0
    judged: int = 0
    ran: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)


def generated(count: int, start: int) -> Iterator[str]:
    """Texts of the strategy."""
    lines: list[str] = []

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def collect(text: str) -> None:
        lines.append(text)

    collect()
    return iter(lines[:count])


def mutated(text: str, source: random.Random) -> str:
    """One to three tokens dropped, doubled, swapped or replaced, by others of the same text or of the language."""
    for _ in range(source.randint(1, 3)):
        spots = list(_TOKEN.finditer(text))
        if not spots:
            return text
        spot = source.choice(spots)
        other = source.choice(spots)[0] if source.random() < 0.6 else source.choice(_WORDS)
        new = source.choice(("", f"{spot[0]} {spot[0]}", other, f"{spot[0]} {other}"))
        text = text[: spot.start()] + new + text[spot.end() :]
    return text


def texts(cases: int, start: int) -> Iterator[tuple[str, bool]]:
    """Half of them from the strategy (which says so) and its mutations, half mutations of the corpus."""
    source = random.Random(start)
    corpus = [(FOLDER / path).read_text(encoding="utf-8") for path in paths()]
    for text in generated((cases + 3) // 4, start):
        yield text, True
        yield mutated(text, source), False
        yield mutated(source.choice(corpus), source), False
        yield mutated(source.choice(corpus), source), False


def checked(text: str, outcome: Outcome) -> Checked | None:
    """The program where it is right; anything but findings is a failure."""
    outcome.tried += 1
    try:
        program = read_program(Source("fuzz.ab", text))
    except Rejected as problem:
        if any(finding.rule is INTERNAL for finding in problem.diagnostics):
            outcome.failures.append((text, str(problem)))
        return None
    except Exception:
        outcome.failures.append((text, traceback.format_exc()))
        return None
    outcome.right += 1
    return program


def judged(text: str, outcome: Outcome) -> None:
    """A text of the strategy: the checks and the interpreter against enumeration."""
    try:
        wrong = disagreement(text)
    except Exception:
        wrong = traceback.format_exc()
    outcome.judged += 1
    if wrong is not None:
        outcome.failures.append((text, wrong))


def runnable(program: Checked) -> Iterator[System]:
    """The systems that can be run without functions of a user."""
    if not program.program.externals:
        yield from (s for s in program.program.systems if all(t.loop is None for t in program.program.systems))


def compare(batch: list[tuple[str, Checked]], outcome: Outcome) -> None:
    """Compiles the systems of all programs at once, and runs each at small parameters."""
    sources, wanted = Sources({}), []
    for at, (text, program) in enumerate(batch):
        for number, system in enumerate(runnable(program)):
            name = f"fuzz_{at}_{number}"
            try:
                sources |= write_c(program, system.name, name)
            except Rejected:
                continue
            except Exception:
                outcome.failures.append((text, traceback.format_exc()))
                continue
            wanted.append((text, program, system, name))
    if not wanted:
        return
    compiler = find_compiler()
    library = load(sources, compiler, ("-O0",))
    for text, program, system, name in wanted:
        kernel = Kernel(system, f"{identifier(name)}_status", compiler, library)
        for size in (1, 2, 4):
            _run(text, program, system, kernel, dict.fromkeys(system.parameters, size), outcome)


def _run(
    text: str, program: Checked, system: System, kernel: Kernel, parameters: dict[str, int], outcome: Outcome
) -> None:
    if not system.context.contains(parameters):
        return
    inputs = random_inputs(system, parameters, outcome.tried)
    try:
        expected = evaluate(program.program, program.facts, system.name, parameters, inputs)
    except Rejected as problem:
        _same_refusal(text, kernel, parameters, inputs, problem, outcome)
        return
    except Exception:
        outcome.failures.append((text, traceback.format_exc()))
        return
    try:
        outputs = kernel.run(parameters, inputs).outputs
    except Rejected as problem:
        outcome.failures.append((text, f"only the code fails, at {parameters}: {problem}"))
        return
    outcome.ran += 1
    for name, array in expected.items():
        if not np.array_equal(array, outputs[name], equal_nan=array.dtype.kind == "f"):
            outcome.failures.append((text, f"{name} differs at {parameters}: {array} {outputs[name]}"))


def _same_refusal(
    text: str,
    kernel: Kernel,
    parameters: dict[str, int],
    inputs: dict[str, np.ndarray],
    problem: Rejected,
    outcome: Outcome,
) -> None:
    """Records a failure if only the interpreter rejects the run."""
    if problem.diagnostics[0].rule not in (RUN_TIME, CYCLE):
        outcome.failures.append((text, f"at {parameters}: {problem}"))
        return
    try:
        kernel.run(parameters, inputs)
    except Rejected:
        outcome.ran += 1
        return
    outcome.failures.append((text, f"only the interpreter fails, at {parameters}: {problem}"))


def fuzz(cases: int, start: int, patience: float = float("inf")) -> Outcome:
    """Tries that many texts, or as many as fit into `patience` seconds."""
    outcome, batch, begun = Outcome(), [], time.monotonic()
    for text, is_whole in texts(cases, start):
        program = checked(text, outcome)
        if is_whole:
            judged(text, outcome)
        if program is not None:
            batch.append((text, program))
        if len(batch) == _BATCH:
            compare(batch, outcome)
            batch = []
        if time.monotonic() - begun > patience:
            break
    compare(batch, outcome)
    return outcome


def main(arguments: Sequence[str]) -> int:
    command = parser(
        "scripts/fuzz-language",
        "Checks random programs and mutations of programs; compares the interpreter and demand-driven C on right ones.",
        "scripts/fuzz-language --cases 20000 --seed 1",
    )
    command.add_argument("--cases", type=int, default=1000, help="the number of texts (default: 1000)")
    command.add_argument("--seed", type=int, default=1)
    options = command.parse_args(arguments)
    outcome = fuzz(options.cases, options.seed)
    for text, problem in outcome.failures:
        sys.stdout.write(f"--- {problem}\n{text}\n\n")
    counts = f"{outcome.tried} texts, {outcome.right} right, {outcome.judged} judged, {outcome.ran} runs compared"
    sys.stdout.write(f"{counts}, {len(outcome.failures)} failures\n")
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
