"""The times of the stages of a script: reading, verifying, generating, compiling."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.legality.verified import Verified
from alphaz.run.compiler import find_compiler
from alphaz.run.kernel import OPTIMISE
from alphaz.run.library import NotCompiled, load
from alphaz.scripting.commands.outcome import Generation
from alphaz.scripting.interpreter.session import Session

Generate = Callable[[Generation, Verified | None], Sources]


@dataclass(slots=True)
class Stopwatch:
    """Measures the time of generators where they are called; the rest is the remaining time."""

    generate: Generate
    begun: float = field(default_factory=time.perf_counter)
    generating: float = 0.0

    def timed(self, wanted: Generation, verified: Verified | None) -> Sources:
        """Returns the result of the generator."""
        before = time.perf_counter()
        try:
            return self.generate(wanted, verified)
        finally:
            self.generating += time.perf_counter() - before

    def lines(self, session: Session, include: Path) -> str:
        """Returns the table, after the script has ended. For it the C files are compiled, and the result
        is discarded.
        """
        verifying = sum(judgement.seconds for judgement in session.judgements)
        reading = time.perf_counter() - self.begun - verifying - self.generating
        rows = [
            ("parse", f"{reading:8.3f} s  texts, checks, commands"),
            ("verify", f"{verifying:8.3f} s"),
            ("generate", f"{self.generating:8.3f} s"),
            ("compile", _compiling(session, include)),
        ]
        return "".join(f"  {name:9}{said}\n" for name, said in rows)


def _compiling(session: Session, include: Path) -> str:
    sources = [file for file in session.files.values() if any(name.endswith(".c") for name in file.files)]
    if not sources:
        return f"{'-':>8}    no C was generated"
    compiler = find_compiler()
    before = time.perf_counter()
    try:
        for source in sources:
            load(source, compiler, OPTIMISE, include, remember=False)
    except NotCompiled as problem:
        return f"{'-':>8}    {problem.first_lines(1)[0]}"
    return f"{time.perf_counter() - before:8.3f} s  {' '.join((*compiler.command, *OPTIMISE))}"
