"""An ordering dimension has no tiles where it is one for all statements of a band; where it is one for some only, it is
tiled with the dimension of the others, and orders nothing across tiles. It was taken to order these: by the proof and
by brute force, but not by the loops.
"""

import pytest

from tests.legality.agreement import judged
from tests.legality.plain_order import EXACT, TILED
from tests.strategies.mapped_programs import Sample

PROGRAM = """affine S {N | N>=1}
input int x {i,j | 0<=(i,j)<N};
output int y {i | 0<=i<N};
local int z {i,j | 0<=(i,j)<N}; int u {i | 0<=i<N};
let
  z[i,j] = x[i,j]*2;
  u[i] = x[i,0]+1;
  y[i] = u[i]+z[i,0];
.
"""
# Dimension 2 orders u and y, each below a value of dimension 1, and runs through the j of z.
MAPPING = (
    'setSpaceTimeMap(prog, "S", "z", "(i,j -> i,0,j-N)");',
    'setSpaceTimeMap(prog, "S", "u", "(i -> i,1,4)");',
    'setOrderingDimensions(prog, "S", "1,2");',
)
TILES = {
    "register tiles": ("setRegisterTile", "0, 2", "2, 3"),
    "register tiles of one point": ("setRegisterTile", "0, 2", "2, 1"),
    "tiles": ("setTiling", "0, 2", "1, 2", "2, 3"),
    "vectors": ("setVectorDimension", '"", 0, 2'),
}


def _sample(tiles: str, date: int) -> Sample:
    command, *arguments = TILES[tiles]
    dated = f'setSpaceTimeMap(prog, "S", "y", "(i -> i,2,{date})");'
    return Sample(PROGRAM, lines=(*MAPPING, dated, *(f'{command}(prog, "S", {argument});' for argument in arguments)))


@pytest.mark.parametrize("tiles", TILES)
def test_what_orders_some_statements_is_tiled_with_others(tiles: str) -> None:
    result = judged(_sample(tiles, 0))
    assert result is not None
    assert {finding.rule.code for finding in result.report.findings if finding.is_error} == {"AZ702"}
    assert result.world({"N": 1}).violations(EXACT)


@pytest.mark.parametrize("tiles", TILES)
def test_what_does_not_go_back_is_proved(tiles: str) -> None:
    result = judged(_sample(tiles, 4))
    assert result is not None
    assert result.report.is_proved
    assert not any(result.world({"N": n}).violations(mode) for n in (1, 2, 3) for mode in (TILED, EXACT))
