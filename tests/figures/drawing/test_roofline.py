"""The roofline: what is in the figure, and that it is the same file for the same data."""

import pytest

from alphaz.figures.drawing.charts import Dot, Roof, roofline
from tests.thinning import thinned

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

ROOFS = [Roof("machine, 1 thread", 10e9, 40e9), Roof("machine, 2 threads", 20e9, 80e9)]
DOTS = [Dot("alphaz", "1 thread", 0.25, 2e9), Dot("alphaz", "2 threads", 0.25, 3e9), Dot("gcc", "1 thread", 30.0, 9e9)]


def test_every_series_is_named_in_the_figure() -> None:
    svg = roofline("gemm", ROOFS, DOTS, "svg").decode()
    for name in ("gemm", "machine, 2 threads", "alphaz, 1 thread", "alphaz, 2 threads", "gcc, 1 thread"):
        assert f"<!-- {name} -->" in svg
    assert "gcc, 2 threads" not in svg


@pytest.mark.parametrize(("form", "begins"), thinned([("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]))
def test_every_format(form: str, begins: bytes) -> None:
    assert roofline("gemm", ROOFS, DOTS, form).startswith(begins)


def test_the_same_data_are_the_same_file() -> None:
    assert roofline("gemm", ROOFS, DOTS, "png") == roofline("gemm", ROOFS, DOTS, "png")
