"""Runs code generators for commands. The generators are loaded only when code is generated."""

from collections.abc import Callable, Mapping

from alphaz.codegen.c.helpers import self_contained
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.makefile import makefile
from alphaz.codegen.scheduled.pipeline import ALL, Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import target_of
from alphaz.codegen.targets.target import Target
from alphaz.codegen.wrapper.main_program import wrapper
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import STORAGE_FORMAT
from alphaz.legality.verdicts import Verified
from alphaz.machine import Machine
from alphaz.mapping.design import Design
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.mapping.resolution import resolve
from alphaz.mapping.storage_formats import Layout
from alphaz.scripting.commands.outcome import Generation, Generator


def scheduled(
    generation: Generation,
    verified: Verified,
    *,
    pipeline: Pipeline = ALL,
    target: Target | None = None,
    machine: Machine | None = None,
) -> Sources:
    """Returns scheduled code, which needs the certificate."""
    code = scheduled_c(verified, generation.system, pipeline=pipeline, target=target, machine=machine)
    return code | _verification(generation) if generation.verification else code


def unscheduled(generation: Generation, target: Target | None = None) -> Sources:
    """Returns code that needs only a checked program, for this target, else that of the mapping. Raises KeyError for a
    generator that needs a certificate.
    """
    mapping = generation.design.mapping(generation.system)
    chosen = (target or target_of(mapping.target_name)).of_architecture(mapping.architecture)
    return GENERATORS[generation.generator](generation, chosen)


def generate(
    generation: Generation,
    verified: Verified | None,
    *,
    pipeline: Pipeline = ALL,
    target: Target | None = None,
    machine: Machine | None = None,
) -> Sources:
    """Returns the code of a request; scheduled code if there is a certificate. `pipeline`: the passes to run; without a
    `target`, that of the mapping.
    """
    sources = (
        unscheduled(generation, target)
        if verified is None
        else scheduled(generation, verified, pipeline=pipeline, target=target, machine=machine)
    )
    return self_contained(sources) if generation.is_self_contained else sources


def _sizes(design: Design, system: str) -> tuple[TileSize, ...]:
    """The tile sizes that are parameters of the code of a mapped system."""
    return resolve(design, system).tile_sizes if design.mapping(system).tiling else ()


def _layouts(design: Design, system: str) -> Mapping[str, Layout]:
    """The layouts of the variables that have a storage format."""
    return resolve(design, system).layouts if design.mapping(system).formats else {}


def _verification(generation: Generation) -> Sources:
    return write_c(generation.design.checked, generation.system, f"{generation.system}_verify")


def _demand_driven(generation: Generation, _: Target) -> Sources:
    formats = generation.design.mapping(generation.system).formats
    if formats:
        message = f"demand-driven code takes arrays over boxes, and `{formats[0].variable}` has a storage format"
        labels = (Label(formats[0].span, "given here"),)
        help_ = "generate scheduled code, or leave the format out"
        raise Rejected(Diagnostic(STORAGE_FORMAT, message, Label(generation.span), labels, help=help_))
    return write_c(generation.design.checked, generation.system)


def _wrapper(generation: Generation, target: Target) -> Sources:
    return wrapper(
        generation.design.checked,
        generation.system,
        _sizes(generation.design, generation.system),
        _layouts(generation.design, generation.system),
        {entry.variable for entry in generation.design.mapping(generation.system).overwritable},
        target.harness,
    )


def _makefile(generation: Generation, target: Target) -> Sources:
    checked, system = generation.design.checked, generation.system
    return makefile(checked, system, target.toolchain, with_verify=generation.verification)


GENERATORS: Mapping[Generator, Callable[[Generation, Target], Sources]] = {
    Generator.DEMAND_DRIVEN: _demand_driven,
    Generator.VERIFICATION: lambda generation, _: _verification(generation),
    Generator.WRAPPER: _wrapper,
    Generator.MAKEFILE: _makefile,
}
"""The generators that need no certificate; `scheduled` is the one that does."""
