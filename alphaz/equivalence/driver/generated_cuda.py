"""The CUDA text of a mapping: its blocks for figures, its estimated cost, and the verdict of its proof."""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected
from alphaz.equivalence.driver.generated_code import model_of_generated, prove_generated_within, read_generated
from alphaz.figures.trace.processors import launched_blocks
from alphaz.figures.trace.trace_data import Trace
from alphaz.legality.verdicts import DesignVerdict, SystemVerdict
from alphaz.legality.verify import certify, verify
from alphaz.machine import Gpu
from alphaz.mapping.design import Design
from alphaz.search.cost.gpu_cost import GpuCost, gpu_cost


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


def estimated(verdict: DesignVerdict, values: Mapping[str, int], gpu: Gpu) -> GpuCost | None:
    """Returns the cost of the first system for these parameters, with default tile sizes; None where the text has no
    model.

    Raises Rejected for a mapping that is not proved, or has no code."""
    system, mapping = verdict.first.system, verdict.first.mapping
    sources = scheduled_c(certify(verdict), system, target=CUDA_TARGET)
    kernel = model_of_generated(sources, verdict.design.checked, system)
    if kernel is None or mapping is None:
        return None
    known = {**{size.name: size.default for size in mapping.tile_sizes}, **values}
    return gpu_cost(kernel, known, gpu) if set(kernel.parameters) <= set(known) else None


def text_verdict(design_verdict: DesignVerdict) -> tuple[bool, str]:
    """Returns whether the text generated for the first system is proved, and the verdict in words. Raises Rejected
    (AZ839) if it is wrong."""
    system = design_verdict.first.system
    sources = scheduled_c(certify(design_verdict), system, target=CUDA_TARGET)
    verdict = prove_generated_within(sources, design_verdict.design.checked, system).verdict
    if verdict.is_proved:
        return True, f"proved, {len(verdict.obligations)} obligations"
    reason = f" ({verdict.findings[0].message.removeprefix('not proved: ')})" if verdict.findings else ""
    return False, f"not proved within the budget{reason}"
