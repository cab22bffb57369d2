"""The blocks of a GPU in the trace of a mapping, read from the CUDA that is generated for it."""

from dataclasses import replace

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected
from alphaz.equivalence.driver.generated_code import read_generated
from alphaz.figures.trace.processors import launched_blocks
from alphaz.figures.trace.trace_data import Trace
from alphaz.legality.verdicts import SystemVerdict
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design


def is_for_blocks(report: SystemVerdict) -> bool:
    """Returns True for a mapping whose code is CUDA, or that names dimensions of blocks or threads."""
    mapping = report.mapping
    return mapping is not None and (mapping.target == CUDA_TARGET.name or bool(mapping.launches))


def with_gpu_blocks(shown: Trace, design: Design) -> Trace:
    """Returns the trace with the blocks that execute the mapping at its parameters; unchanged if the target is another
    one, or there is no proved code that can be read.
    """
    system = shown.system
    verdict = verify(design, [system])
    mapping = verdict.first.mapping
    if mapping is None or not is_for_blocks(verdict.first):
        return shown
    try:
        verified = certify(verdict)
        kernel = read_generated(scheduled_c(verified, system, target=CUDA_TARGET), design.checked, system)
    except Rejected:
        return shown
    sizes = {size.name: size.default for size in mapping.tile_sizes}
    values = {**sizes, **dict(shown.parameters)}
    if kernel is None or not set(kernel.parameters) <= set(values):
        return shown
    return replace(shown, blocks=launched_blocks(kernel, {name: values[name] for name in kernel.parameters}))
