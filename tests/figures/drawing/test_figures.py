"""Figures of mappings: every sample in every kind, well formed, the same every time, and of what the finding says."""

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

import alphaz
from alphaz.figures.drawing.figures import KINDS, best, figure
from alphaz.figures.drawing.svg import Canvas, Figure, text_width
from alphaz.figures.drawing.theme import ROLES, ink_on, step_colour
from alphaz.figures.trace.trace_data import Trace
from alphaz.figures.trace.tracing import trace
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"
SCRIPTS = sorted(SAMPLES.glob("*/*.cs"))
NAMESPACE = "{http://www.w3.org/2000/svg}"


def traced(name: str, **parameters: int) -> Trace:
    design = alphaz.run(SAMPLES / name)
    return trace(design, design.mapped_systems[-1], parameters or None)


def elements(made: Figure, name: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(made.svg).findall(f".//{NAMESPACE}{name}")


@pytest.mark.parametrize("path", thinned(SCRIPTS, 4), ids=lambda path: path.stem)
def test_every_sample_is_drawn_in_every_kind_that_it_has(path: Path) -> None:
    design = alphaz.run(path)
    for system in design.mapped_systems:
        shown = trace(design, system)
        for kind in KINDS:
            lacking = {
                "tiles": not shown.tiles,
                "witness": shown.witness is None,
                "ranks": shown.ranks is None,
                "blocks": shown.blocks is None,
            }
            if lacking.get(kind):
                continue
            made = figure(shown, kind)
            root = ElementTree.fromstring(made.svg)
            assert root.find(f"{NAMESPACE}title").text == made.title  # type: ignore[union-attr]
            assert root.find(f"{NAMESPACE}desc").text == made.description  # type: ignore[union-attr]
            width, height = (float(root.attrib[side]) for side in ("width", "height"))
            for text in root.iter(f"{NAMESPACE}text"):
                assert 0 <= float(text.attrib["x"]) <= width, text.text
                assert 0 <= float(text.attrib["y"]) <= height, text.text
            assert width <= 1200
            assert made.svg == figure(shown, kind).svg
            assert len(made.svg) < 150_000


@pytest.mark.parametrize(
    "path", thinned([p for p in SCRIPTS if p.stem.startswith("wrong-")], 4), ids=lambda path: path.stem
)
def test_what_is_refuted_is_drawn_with_its_sentence(path: Path) -> None:
    design = alphaz.run(path)
    report = alphaz.verify(design)
    wrong = next(system for system in report.systems if not system.is_proved)
    shown = trace(design, wrong.system, verdict=wrong)
    made = figure(shown, best(shown))
    assert best(shown) == "witness"
    assert shown.sentence in made.description
    drawn = " ".join(text.text or "" for text in elements(made, "text"))
    assert shown.witness is not None
    assert shown.witness.rule.code in drawn
    assert any(
        "-bad" in element.attrib.get("class", "") for kind in ("circle", "rect") for element in elements(made, kind)
    )


@pytest.mark.parametrize(
    "name", thinned(["deriche/deriche.cs", "gramschmidt/gramschmidt-tuned.cs", "symm/symm-tuned.cs"], 3)
)
def test_the_words_of_a_graph_do_not_lie_on_each_other(name: str) -> None:
    made = figure(traced(f"kernels/{name}"), "order")
    texts = [element for element in elements(made, "text") if element.text]
    boxes = [(_left(text), float(text.attrib["y"]), text_width(text.text or "", 11)) for text in texts]
    for (x, y, width), (u, v, other) in combinations(boxes, 2):
        assert abs(y - v) >= 11 or x + width <= u or u + other <= x, made.title


def _left(text: ElementTree.Element) -> float:
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.attrib.get("text-anchor", "start")]
    return float(text.attrib["x"]) - share * text_width(text.text or "", 11)


@pytest.mark.parametrize(
    "name", ["prefix-sum/prefix-sum.cs", "matrix-chain/mcm-reduce.cs", "changes-of-basis/relaxation.cs"]
)
def test_arrows_go_past_the_points_that_are_not_their_ends(name: str) -> None:
    made = figure(traced(name), "domain")
    points = [(float(e.attrib["cx"]), float(e.attrib["cy"])) for e in elements(made, "circle")]
    points += [(float(e.attrib["x"]) + 8, float(e.attrib["y"]) + 8) for e in elements(made, "rect") if _is_input(e)]
    arrows = [e.attrib["d"] for e in elements(made, "path") if e.attrib.get("class", "").endswith("-arrow")]
    assert arrows
    for arrow in arrows:
        way = list(_way(arrow))
        ends = sorted(points, key=lambda p: min(math.dist(p, way[0]), math.dist(p, way[-1])))[:2]
        near = [p for p in points if p not in ends and min(math.dist(p, q) for q in way) < 9]
        assert not near, arrow


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("kernels/doitgen/doitgen-tuned.cs", 18),  # of nine sums three contributions each, one after the other
        ("kernels/atax/atax-tuned.cs", 0),  # contributions in one step: partial sums
    ],
)
def test_of_a_running_sum_the_arrow_comes_from_the_contribution_before(name: str, inside: int) -> None:
    made = figure(traced(name), "dates")
    assert sum(e.attrib.get("class", "").endswith("-arrow") for e in elements(made, "path")) == inside


def _is_input(element: ElementTree.Element) -> bool:
    return element.attrib["class"].endswith("-node") and element.attrib["width"] == "16"


def _way(path: str) -> Iterator[tuple[float, float]]:
    """Points on a straight or a bent arrow."""
    numbers = [float(item) for item in re.findall(r"-?[\d.]+", path)]
    (x0, y0), (x2, y2) = numbers[:2], numbers[-2:]
    x1, y1 = numbers[2:4] if "Q" in path else ((x0 + x2) / 2, (y0 + y2) / 2)
    for at in range(41):
        t = at / 40
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        yield a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2


def test_a_point_for_each_operation_with_its_step() -> None:
    shown = traced("prefix-sum/prefix-sum.cs", N=5)
    made = figure(shown, "dates")
    assert len(elements(made, "circle")) == 5
    assert [t.text for t in elements(made, "text") if t.attrib.get("text-anchor") == "middle"][-5:] == list("12345")
    assert "y[3] at (3), step 4, writes y[3] into cell y[3]" in made.svg


def test_outlines_of_tiles_are_exact() -> None:
    """As many edges as there are sides of points whose neighbour lies in another tile, or nowhere."""
    shown = traced("changes-of-basis/relaxation-tiled.cs", T=4, N=5)
    made = figure(shown, "tiles", ["X"])
    tiles = {o.point: o.tile for o in shown.dated if o.name == "X"}
    sides = ((0, 1), (0, -1), (1, 0), (-1, 0))
    edges = sum(tiles.get((t + dt, i + di)) != tile for (t, i), tile in tiles.items() for dt, di in sides)
    outline = next(p for p in elements(made, "path") if "-tile" in p.attrib["class"])
    assert outline.attrib["d"].count("M") == edges


def test_two_indices_of_more_are_drawn_and_others_held() -> None:
    shown = traced("matrix-product/mm.cs")
    made = figure(shown, "dates", ["Acc_C"], ("i", "k"), {"j": 1})
    count = sum(1 for o in shown.dated if o.name == "Acc_C" and o.point[1] == 1)
    assert len(elements(made, "circle")) == count
    assert "only the points with j = 1" in made.svg


@pytest.mark.parametrize(
    ("kind", "variables", "across", "said"),
    [
        ("dots", (), (), "no kind of figure `dots`"),
        ("dates", ("Z",), (), "no variable `Z`"),
        ("dates", (), ("q",), "no index `q`"),
        ("tiles", (), (), "nothing is tiled"),
        ("witness", (), (), "its mapping is proved"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    kind: str, variables: tuple[str, ...], across: tuple[str, ...], said: str
) -> None:
    with pytest.raises(alphaz.Rejected) as refused:
        figure(traced("prefix-sum/prefix-sum.cs"), kind, variables, across)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ842"
    assert said in finding.message
    assert finding.help


def test_ranks_are_lanes_with_the_number_of_values_that_they_send() -> None:
    shown = traced("distributed/jacobi-2d/rows.cs", N=9, T=1)
    made = figure(shown, "ranks")
    words = [text.text for text in elements(made, "text")]
    assert [word for word in words if word and word.startswith("rank ")] == ["rank [0,3)", "rank [3,6)", "rank [6,9)"]
    assert words.count("27") == 9  # operations of three ranks in three steps
    assert words.count("7") == 4  # a line without its ends, from and to the rank in the middle
    assert "rank [0,3) sends 7 values of step (0) to rank [3,6)" in made.description


def test_the_ranks_of_a_counterexample_are_those_of_its_sentence() -> None:
    shown = traced("distributed/jacobi-2d/wrong-one-ghost.cs")
    made = figure(shown, "witness")
    assert made.svg == figure(shown, "ranks").svg
    assert "on rank [1,2), reads the received copy of X[0,0,1] of rank [0,1)" in made.description
    assert "rank [1,2)" in [text.text for text in elements(made, "text")]


def test_a_mapping_without_ranks_has_no_lanes() -> None:
    with pytest.raises(alphaz.Rejected, match="has no ranks"):
        figure(traced("prefix-sum/prefix-sum.cs"), "ranks")


@pytest.mark.parametrize("kind", ["dates", "tiles", "lifetimes", "witness"])
def test_what_has_no_mapping_has_no_dates_and_no_cells(kind: str) -> None:
    """Nothing says when anything happens: an order that nobody chose must not look like one."""
    program = alphaz.read(SAMPLES / "matrix-product" / "mm.ab")
    shown = trace(program, program.program.systems[0].name)
    with pytest.raises(alphaz.Rejected, match="has no mapping"):
        figure(shown, kind)
    assert elements(figure(shown, "domain"), "circle")
    assert figure(shown, "order").svg


@pytest.mark.parametrize(
    ("across", "at", "said"),
    [((), {"j": 99}, "the index `j` is never 99"), (("i", "i"), {}, "both across and down")],
)
def test_no_figure_is_empty(across: tuple[str, ...], at: dict[str, int], said: str) -> None:
    with pytest.raises(alphaz.Rejected, match=said):
        figure(traced("matrix-product/mm.cs"), "dates", (), across, at)


def test_of_four_indices_those_are_drawn_that_tell_a_counterexample_apart() -> None:
    """One index is held: one in which both operations agree, at their value."""
    program = alphaz.read(
        text="""affine s {N | N>=3}
        input int a {i | 0<=i<N};
        output int z {i,j,k | 0<=(i,j,k)<N};
        local int X {t,i,j,k | 0<=t<=1 && 0<=(i,j,k)<N};
        let
            X[t,i,j,k] = case {| t==0} : a[i]; {| t>0 && i>0} : X[t-1,i-1,j,k]; {| t>0 && i==0} : a[k]; esac;
            z[i,j,k] = X[1,i,j,k];
        .""",
    )
    mapped = program.set_space_time_map("s", "X", "(t,i,j,k -> 0,t,i,j,k)")
    mapped = mapped.set_space_time_map("s", "z", "(i,j,k -> 1,0,i,j,k)").set_parallel("s", "", "1")
    shown = trace(mapped, "s")
    made = figure(shown, "witness")
    assert shown.witness is not None
    assert len([element for element in elements(made, "circle") if "-bad" in element.attrib["class"]]) >= 2
    (read,) = (o for o in shown.operations if o.number == shown.witness.roles["reader"])
    text = " ".join("".join(element.itertext()) for element in elements(made, "text"))
    assert f"only the points with j = {read.point[2]}" in text


def test_several_figures_may_stand_in_one_page() -> None:
    """No class and no identifier of one is one of another; nothing is loaded from anywhere."""
    made = [figure(traced("prefix-sum/prefix-sum.cs", N=n), "dates") for n in (3, 4)]
    names = [set(re.findall(r'(?:id|class)="([^"]+)"', item.svg)) for item in made]
    assert names[0]
    assert not names[0] & names[1]
    assert all("href" not in item.svg and "url(" not in item.svg for item in made)
    assert all(item.svg.count("http") == 1 for item in made)


def test_texts_stay_texts() -> None:
    canvas = Canvas()
    canvas.text(10, 20, "</text><script>x</script> & \x00\ud800")
    made = canvas.figure("<title>", "a & b")
    root = ElementTree.fromstring(made.svg)
    assert not root.findall(f".//{NAMESPACE}script")
    assert root.find(f"{NAMESPACE}text").text == "</text><script>x</script> & \ufffd\ufffd"  # type: ignore[union-attr]


def test_looks_are_attributes_that_every_converter_understands() -> None:
    """Converters without style sheets draw the light page."""
    assert all("var(" not in value for light, dark in ROLES.values() for value in (*light.values(), *dark.values()))
    made = figure(traced("prefix-sum/prefix-sum.cs"), "dates")
    bare = [e for name in ("circle", "rect", "path", "text") for e in elements(made, name)]
    assert all("fill" in e.attrib for e in bare)


def test_numbers_are_read_on_every_colour_of_a_step() -> None:
    for at in range(101):
        colour = step_colour(at / 100)
        assert _contrast(ink_on(colour), colour) >= 4.5


@pytest.mark.parametrize("role", ["ink", "title", "axis", "soft", "code", "badtext"])
def test_texts_are_read_on_paper(role: str) -> None:
    light, dark = ROLES[role]
    assert _contrast(light["fill"], ROLES["paper"][0]["fill"]) >= 4.5
    assert _contrast(dark["fill"], ROLES["paper"][1]["fill"]) >= 4.5


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, by its definition."""
    lights = sorted((_luminance(one), _luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_designs_are_drawn_in_notebooks() -> None:
    design = alphaz.run(SAMPLES / "matrix-chain" / "wrong-sharing.cs")
    assert "lost" in design.draw().description
    made = design.draw("domain", N=3)
    assert made._repr_svg_() == made.svg
    assert "N = 3" in made.svg
    assert alphaz.read(SAMPLES / "prefix-sum" / "prefix-sum.ab").draw().title == (
        "prefix_sum: what is computed, and who reads whom"
    )
