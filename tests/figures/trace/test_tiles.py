"""The sizes of tiles that are tried, the plainest first."""

from itertools import islice, product
from pathlib import Path

from alphaz.diagnostics import Source
from alphaz.figures.trace.sizes import _plain_sizes, small_tiles, tiled_order, with_parallel_tiles
from alphaz.mapping.resolution import resolve
from alphaz.scripting.interpreter.run import run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache, unverified

SAMPLES = Path(__file__).parents[3] / "samples"


def test_they_come_by_the_number_of_ones_and_then_by_the_sum() -> None:
    wanted = sorted(product(range(1, 4), repeat=4), key=lambda item: (item.count(1), sum(item)))
    assert list(_plain_sizes(4)) == wanted


def test_of_many_places_the_first_are_found_without_all() -> None:
    assert list(islice(_plain_sizes(40), 2)) == [(2,) * 40, (*(2,) * 39, 3)]


def test_parameters_are_raised_until_two_tiles_are_parallel() -> None:
    path = SAMPLES / "changes-of-basis" / "relaxation-tiled.cs"
    source = Source(str(path), path.read_text(encoding="utf-8"))
    (design,) = run_script(source, path.parent, verifications=VerificationCache(verify=unverified)).designs
    mapping = resolve(design, "relaxation")
    at = {"T": 2, "N": 3}
    assert with_parallel_tiles(mapping, small_tiles(mapping), at) == {"T": 2, "N": 4}
    assert with_parallel_tiles(mapping, tiled_order(mapping, ()), at) == at
