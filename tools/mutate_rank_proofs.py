"""Puts faults into generated code for MPI and tries to prove it: `scripts/mutate-mpi --proofs`.

Each fault is one change of a text. A text that is proved is executed; if an execution shows the fault, the proof is
false. The other proved ones are printed: they must compute the same.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from tests.codegen.mpi_mutants import is_found
from tests.equivalence.rank_faults import faulty
from tests.equivalence.rank_programs import PROGRAMS, case_of, judged, sources


def mutate_proofs(names: Sequence[str], count: int, seed: int, say: Callable[[str], None]) -> int:
    """Tries to prove so many faulty texts of programs; returns 1 if a proof is false."""
    result, wrong = Counter[str](), 0
    every = [(name, mutant) for name in names or PROGRAMS for mutant in faulty(name)]
    for name, mutant in Random(seed).sample(every, min(count, len(every))):
        made, mapped = sources(name)
        verdict = judged(name, (made.files[f"{mapped.system}.c"], mutant.text))
        result["proved" if verdict.is_proved else "read" if verdict.parts else "not read"] += 1
        if verdict.is_proved:
            is_false = is_found(case_of(name), mutant)
            wrong += is_false
            say(f"{'FALSE PROOF' if is_false else 'proved'}: {name}: {mutant.kind}: {mutant.line}")
    say(f"{result.total()} of {len(every)} faults: {dict(result)}, {wrong} false proofs")
    return int(wrong > 0)
