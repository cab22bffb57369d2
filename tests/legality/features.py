"""The features of a mapping that can cause errors in an execution."""

from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.spaces import callers_own, is_own, occupants
from alphaz.mapping.target_mapping import DimensionKind


def features(mapping: ResolvedMapping) -> frozenset[str]:
    outputs = {v.name for v in mapping.system.outputs}
    kinds = {kind for s in mapping.statements for kind in s.kinds}
    cells = mapping.cells.values()
    results = {
        "parallel": DimensionKind.PARALLEL in kinds,
        "chunks": any(s.chunk(d) for s in mapping.statements for d in range(len(s.kinds))),
        "reduction dimension": any(s.merged_at is not None for s in mapping.statements),
        "vector dimension": DimensionKind.VECTOR in kinds,
        "tiled": bool(mapping.bands),
        "band below a prefix": any(band.prefix for band in mapping.bands),
        "levels of tiles": any(len(band.sizes) > 1 for band in mapping.bands),
        "registers": any(band.registers for band in mapping.bands),
        "part of a band in wavefronts": any(_is_mixed(level) for band in mapping.bands for level in band.wavefront),
        "packed": bool(mapping.packed),
        "storage format": bool(mapping.layouts),
        "sizes": bool(mapping.tile_sizes),
        "wavefront": any(level.wavefront for level in mapping.levels),
        "recursive tiles": any(level.recursive for level in mapping.levels),
        "mod factor": any(any(cell.moduli) for cell in cells),
        "shared space": len({cell.space for cell in cells}) < len(mapping.cells),
        "folded": any(
            len(c.function.outputs) < c.function.domain.dimensions for c in cells if c.variable not in outputs
        ),
        "body": any(s.role == "body" for s in mapping.statements),
        "alias": bool(mapping.aliases),
        "alias of a branch": bool(set(mapping.aliases.steps) - mapping.aliases.whole_variables),
        "input overwritten": any(
            owner is not None and owner.name in mapping.overwritable and len(together) > 1
            for together in occupants(mapping.system, mapping.cells).values()
            for owner in [callers_own(mapping.system, mapping.cells, together, mapping.overwritable)]
        ),
        "updated in place": any(
            v.name in mapping.overwritable
            and is_own(mapping.cells[v.name])
            and mapping.cells[v.name].space in {mapping.cells[o.name].space for o in mapping.system.outputs}
            for v in mapping.system.inputs
        ),
        "use equation": bool(mapping.uses),
        "in place": any(a.in_place for use in mapping.uses for a in use.arguments),
        "array of its own": any(a.has_array for use in mapping.uses for a in use.arguments),
    }
    return frozenset(name for name, there in results.items() if there)


def _is_mixed(wavefront: tuple[bool, ...]) -> bool:
    return len(set(wavefront)) > 1
