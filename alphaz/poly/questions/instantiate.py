"""A set of one system seen from another: parameters instantiated by affine expressions."""

from collections.abc import Sequence

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import mangle
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.space import Space, SpaceMismatch


def instantiate(domain: Domain, space: Space, parameters: Sequence[Affine], indices: Sequence[Affine]) -> Domain:
    """`{z in space | indices(z) in domain, its parameters being parameters(z)}`; both are affine over `space`."""
    if len(parameters) != len(domain.space.parameters) or len(indices) != domain.space.dimensions:
        raise SpaceMismatch(f"{domain.space} at {len(parameters)} parameters, {len(indices)} indices")
    flat = domain.set.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, len(parameters))
    flat = flat.add_dims(isl.dim_type.param, len(space.parameters))
    for at, name in enumerate(space.parameters):
        flat = flat.set_dim_name(isl.dim_type.param, at, mangle(name))
    function = AffineFunction(space, (*parameters, *indices))
    return Domain(space, flat.preimage_multi_aff(function.to_multi_aff()))
