"""Variables of many indices: the steps of the search that once took factorial time give the same as all orders do."""

from itertools import permutations
from random import Random

from alphaz.poly import Affine, Domain, Space, at_least, less
from alphaz.poly.algorithms.bounds import extremes
from alphaz.search.memory.access_strides import Move
from alphaz.search.memory.map_candidates import MapComponent, bad_accesses, exchanges, in_best_order
from alphaz.search.memory.set_sizes import SetPoints


def test_the_best_order_of_components_is_the_first_of_all_orders() -> None:
    random = Random(1)
    for _ in range(60):
        width = random.randint(1, 4)
        rows = [tuple(random.choice((-1, 0, 0, 1)) for _ in range(width)) for _ in range(random.randint(0, 4))]
        components = tuple(MapComponent(row, random.choice((0, 0, 2))) for row in rows)
        vectors = [tuple(random.choice((-1, 0, 0, 1, 2)) for _ in range(width)) for _ in range(3)]
        steps = tuple(Move(vector, random.choice((1.0, 0.5)), random.random() < 0.2) for vector in vectors)
        best = min(permutations(components), key=lambda order: (bad_accesses(order, steps), exchanges(order)))
        assert in_best_order(components, steps) == (best, bad_accesses(best, steps))


def test_sixteen_components_are_ordered() -> None:
    rows = [tuple(int(a == b) for a in range(16)) for b in range(16)]
    order, bad = in_best_order(tuple(map(MapComponent, rows[::-1])), (Move(rows[3], 1.0),))
    assert ([component.row for component in order], bad) == ([*rows[:3], *rows[4:], rows[3]], 0.0)


def test_extremes_in_a_box_and_in_a_triangle_are_those_of_all_points() -> None:
    random = Random(2)
    names = ("i", "j", "k")
    i, j, k, n = map(Affine.name, (*names, "N"))
    box = [at_least(i, -1), less(i, n), at_least(j, 0), less(j, n), at_least(k, 2), less(k, n)]
    for bounds in (box, [*box, less(j, i)]):
        domain = Domain.where(Space(("N",), names), bounds)
        points = SetPoints.of(domain, {"N": 5})
        assert points.vertices is not None
        for _ in range(20):
            affine = Affine.of(((name, random.randint(-2, 2)) for name in (*names, "N")), random.randint(-3, 3))
            assert points.range(affine) == extremes(domain.fixed({"N": 5}), affine)
