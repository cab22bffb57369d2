"""Sums of names and cases of sets, as in certificates, and the strict reading of lists."""

from collections.abc import Mapping, Sequence

from .checker import Linear, elements, form_of, integer, members, plus, refuse

Json = dict[str, object]
Sum = Linear[str]
Names = Mapping[str, Sum]


def values_of(numbers: object, names: Names) -> list[Sum]:
    return [form_of(names, value) for value in elements(numbers)]


def json_of(total: Sum) -> Json:
    return {"terms": dict(total[0]), "constant": total[1]}


def renamed(cases: object, names: Names) -> list[Json]:
    """Returns the cases of a domain at a point; `names` are its indices and the parameters."""
    pieces: list[Json] = []
    for fields in (members(value, "rows divisions") for value in elements(cases)):
        inner, divisions = dict(names), list[Json]()
        for division in (members(value, "name sum by") for value in elements(fields["divisions"])):
            name = f"{division['name']}/{len(divisions)}"
            if division["name"] in inner:
                refuse("a name stands twice")
            divisions.append({"name": name, "sum": json_of(form_of(inner, division["sum"])), "by": division["by"]})
            inner[str(division["name"])] = {name: 1}, 0
        rows = [members(value, "sum equal") for value in elements(fields["rows"])]
        stated: list[Json] = [{"sum": json_of(form_of(inner, row["sum"])), "equal": row["equal"]} for row in rows]
        pieces.append({"rows": stated, "divisions": divisions})
    return pieces


def renamed_parts(parts: object, names: Names) -> list[list[Json]]:
    """Returns the parts of a domain at a point: one case of each holds."""
    return [renamed(part, names) for part in elements(parts) or refuse("a domain has no parts")]


def conjunctions(*parts: Sequence[Json]) -> list[Json]:
    """Returns the cases where one case of each part holds."""
    cases = [case()]
    for part in parts:
        cases = [{key: [*elements(one[key]), *elements(other[key])] for key in one} for one in cases for other in part]
    return cases


def at_least_zero(total: Sum) -> Json:
    return {"sum": json_of(total), "equal": False}


def zero(total: Sum) -> Json:
    return {"sum": json_of(total), "equal": True}


def equal(one: Sum, other: Sum) -> Json:
    return zero(plus(one, -1, other))


def less(one: Sum, other: Sum) -> Json:
    return at_least_zero(plus(plus(other, -1, one), 1, ({}, -1)))


def case(*rows: Json) -> Json:
    return {"rows": list(rows), "divisions": []}


def smaller(one: Sequence[Sum], other: Sequence[Sum]) -> list[Json]:
    """Returns the cases where one is lexicographically smaller."""
    return [case(*map(equal, one[:at], other[:at]), less(one[at], other[at])) for at in range(len(one))]


def different(one: Sequence[Sum], other: Sequence[Sum]) -> list[Json]:
    pairs = list(zip(one, other, strict=True))
    return [case(row) for x, y in pairs for row in (less(x, y), less(y, x))]


def all_equal(one: Sequence[Sum], other: Sequence[Sum]) -> list[Json]:
    """Returns the one case where all components agree."""
    if len(one) != len(other):
        refuse("two points have different dimensions")
    return [case(*map(equal, one, other))]


def words(values: object, known: Sequence[str] | None = None) -> list[str]:
    texts = [value if type(value) is str else refuse("a text is missing") for value in elements(values)]
    return texts if known is None or {*texts} <= {*known} else refuse(f"it is none of {', '.join(known)}")


def integers(values: object, least: int | None = None, end: int | None = None) -> list[int]:
    return [integer(value, least, end) for value in elements(values)]
