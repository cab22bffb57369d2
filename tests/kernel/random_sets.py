"""Random sets within a small box, their points by brute force, and changed proofs."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from tests.kernel.small_sets import Json, SmallSet, absent, at_least, case, equal, total

Point = dict[str, int]
BOX = range(4)


def random_set(random: Random) -> SmallSet:
    """Returns a set over x, y and perhaps an auxiliary e, with cases, quotients, exceptions and absent sets."""
    auxiliary = random.choice(["", "", "e"])
    inside = ["x", "y", *auxiliary.split()]
    parts = [[case(*boxes(inside))]]
    for _ in range(random.randint(1, 2)):
        parts.append([random_case(random, inside) for _ in range(random.choice([1, 1, 2, 3]))])
    without = [random_case(random, ["x", "y"]) for _ in range(random.choice([0, 0, 1]))]
    sets = [random_absent(random, ["x", "y"], "w", random.choice([0, 1])) for _ in range(random.choice([0, 1]))]
    return SmallSet("x y", tuple(parts), auxiliary, tuple(without), tuple(sets))


def boxes(names: list[str]) -> list[Json]:
    return [row for name in names for row in (at_least(**{name: 1}), at_least(BOX[-1], **{name: -1}))]


def random_case(random: Random, names: list[str]) -> Json:
    quotients = {}
    if random.random() < 0.3:
        quotients["q"] = (
            total(random.randint(-2, 2), **{random.choice(names): random.choice([1, 2])}),
            random.randint(2, 3),
        )
    rows = [random_row(random, [*names, *quotients]) for _ in range(random.randint(1, 2))]
    return case(*rows, **quotients)


def random_row(random: Random, names: list[str]) -> Json:
    terms = {name: random.choice([-3, -2, -1, 1, 2, 3]) for name in random.sample(names, min(2, len(names)))}
    kind = equal if random.random() < 0.3 else at_least
    return kind(random.randint(-4, 4), **terms)


def random_absent(random: Random, around: list[str], name: str, depth: int) -> Json:
    names = [*around, name]
    parts = [[case(*boxes([name]))], [random_case(random, names) for _ in range(random.choice([1, 2]))]]
    without = [random_case(random, names) for _ in range(random.choice([0, 1]))]
    nested = [random_absent(random, names, name + "w", depth - 1)] if depth else []
    return absent(name, *parts, without=without, nested=nested)


def points(small_set: SmallSet) -> Iterator[Point]:
    """Yields the points of a set, its auxiliary names included; all names are in the box."""
    for values in product(BOX, repeat=len(small_set.names.split()) + len(small_set.auxiliary.split())):
        point = dict(zip((*small_set.names.split(), *small_set.auxiliary.split()), values, strict=True))
        plain = {name: point[name] for name in small_set.names.split()}
        if all(any(holds(item, point) for item in part) for part in small_set.parts) and no_exception(
            small_set.without, small_set.absent, plain
        ):
            yield point


def no_exception(without: Any, sets: Any, point: Point) -> bool:
    return not any(holds(item, point) for item in without) and not any(exists(item, point) for item in sets)


def exists(stated: Json, around: Point) -> bool:
    for values in product(BOX, repeat=len(stated["names"])):
        point = around | dict(zip(stated["names"], values, strict=True))
        has_all = all(any(holds(item, point) for item in part) for part in stated["parts"])
        if has_all and no_exception(stated["without"], stated["absent"], point):
            return True
    return False


def holds(document: Json, point: Point) -> bool:
    values = dict(point)
    for division in document["divisions"]:
        values[division["name"]] = value(division["sum"], values) // division["by"]
    results = [(value(row["sum"], values), row["equal"]) for row in document["rows"]]
    return all(number == 0 if is_equality else number >= 0 for number, is_equality in results)


def value(document: Json, point: Point) -> int:
    total_ = sum(c * point[name] for name, c in document["terms"].items())
    return int(document["constant"] + total_)


def narrowed(random: Random, small_set: SmallSet) -> SmallSet:
    """Returns a set without points: the given one, with further rows."""
    while next(points(small_set), None) is not None:
        small_set = replace(small_set, parts=(*small_set.parts, [case(random_row(random, ["x", "y"]))]))
    return small_set


def mutated(random: Random, steps: list[Any]) -> list[Any]:
    """Returns the steps with one to three changes."""
    changed = deepcopy(steps)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(changed)) if changed else 0
        match random.randrange(6):
            case 0:
                del changed[at : at + 1]
            case 1:
                changed.insert(at, deepcopy(random.choice(steps)))
            case 2:
                changed[at : at + 1] = [
                    ["split", [[random.randint(-1, 3), 1]], random.randint(-1, 4)],
                    *changed[at : at + 1],
                ]
            case 3:
                changed[at : at + 1] = [
                    ["sum", *(x for number in range(random.randint(0, 9)) for x in (number, random.randint(-2, 3)))]
                ]
            case _ if changed:
                changed[at] = with_another_number(random, changed[at])
    return changed


def with_another_number(random: Random, value: Any) -> Any:
    """Returns a value of JSON with one number, somewhere in it, replaced."""
    if isinstance(value, list) and value:
        at = random.randrange(len(value))
        return [*value[:at], with_another_number(random, value[at]), *value[at + 1 :]]
    if isinstance(value, str):
        return random.choice(["sum", "case", "split", "let", "instance"])
    return (
        random.choice([value, -1, 0, 1, 2, 3, True, 0.5])
        if not isinstance(value, int)
        else value + random.choice([-2, -1, 1, 2])
    )
