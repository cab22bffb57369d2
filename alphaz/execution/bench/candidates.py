"""Mappings of one system that are tried one by one, on the same inputs, each in a process of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from alphaz.codegen.c.names import identifier
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.execution.bench.contest import Contestant
from alphaz.execution.bench.entry import FAST, Files, inputs_of
from alphaz.execution.bench.peers import Assignment, compiled, compiled_contestants
from alphaz.execution.compiler import find_compiler
from alphaz.model.program import System
from alphaz.verify.verified import Verified


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What all mappings of a system are run with."""

    system: System
    parameters: Mapping[str, int]
    threads: int
    files: Files
    inputs: Mapping[str, np.ndarray]

    @staticmethod
    def of(system: System, parameters: Mapping[str, int], threads: int, files: Files, seed: int) -> "Candidates":
        """With the inputs of `alphaz bench`."""
        return Candidates(
            system=system,
            parameters=parameters,
            threads=threads,
            files=files,
            inputs=inputs_of(files, system, parameters, seed),
        )

    def compile(self, name: str, verified: Verified) -> Contestant:
        """A contestant that has not run yet. Raises NoPeer with what the compiler said, where it refused the code."""
        compiler = find_compiler()
        task = Assignment(self.system, self.parameters, self.inputs, verified.mappings[self.system.name].tile_sizes)
        sources, symbol = scheduled_c(verified, self.system.name), f"{identifier(self.system.name)}_status"
        flags = (*FAST, *compiler.openmp_flags)
        worker = compiled(task, sources, symbol, self.files.folder, compiler, flags, ("-lm",))
        return next(compiled_contestants(name, worker, (self.threads,)))
