"""The cost of the CUDA that is generated for a mapping, and the verdict on its text."""

from collections.abc import Mapping

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.equivalence.driver.generated_code import model_of_generated, prove_generated_within
from alphaz.legality.verdicts import DesignVerdict
from alphaz.legality.verify import certify
from alphaz.machine import Gpu
from alphaz.search.cost.gpu_cost import GpuCost, gpu_cost


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
