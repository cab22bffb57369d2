"""Candidate mappings of one system, tried one by one on the same inputs, each in a process of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alphaz.codegen.c.names import identifier
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verified import Verified
from alphaz.model.program import System
from alphaz.run.bench.contest import Contestant
from alphaz.run.bench.entry import FAST, Files, inputs_of
from alphaz.run.bench.peers import PeerStatement, compiled, compiled_contestants
from alphaz.run.compiler import find_compiler
from alphaz.run.storage_conversion import Layouts, exchanged


@dataclass(slots=True, eq=False)
class Candidates:
    """The common setting of all mappings of a system. Inputs are those of `alphaz bench`, in the formats of the first
    mapping.
    """

    system: System
    parameters: Mapping[str, int]
    threads: int
    files: Files
    seed: int
    _task: PeerStatement | None = field(default=None, init=False, repr=False)

    @staticmethod
    def of(system: System, parameters: Mapping[str, int], threads: int, files: Files, seed: int) -> "Candidates":
        """Returns the candidates; inputs are made when the first mapping is compiled."""
        return Candidates(system=system, parameters=parameters, threads=threads, files=files, seed=seed)

    @property
    def layouts(self) -> Layouts:
        """Returns the formats in which outputs are compared."""
        return {} if self._task is None else self._task.layouts

    def compile(self, name: str, verified: Verified) -> Contestant:
        """Returns a contestant that has not run yet. Raises NoPeer with the compiler's messages, where it rejected the
        code.
        """
        compiler, sizes = find_compiler(), verified.mappings[self.system.name].tile_sizes
        sources, symbol = scheduled_c(verified, self.system.name), f"{identifier(self.system.name)}_status"
        task = replace(self._given(exchanged(sources.layouts)), sizes=sizes)
        flags = (*FAST, *compiler.openmp_flags)
        worker = compiled(task, sources, symbol, self.files.folder, compiler, flags, ("-lm",))
        return next(compiled_contestants(name, worker, (self.threads,)))

    def _given(self, layouts: Layouts) -> PeerStatement:
        if self._task is None:
            inputs = inputs_of(self.files, self.system, self.parameters, self.seed, layouts)
            self._task = PeerStatement(self.system, self.parameters, inputs, layouts=layouts)
        return self._task
