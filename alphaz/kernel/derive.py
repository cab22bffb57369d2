"""States the sets of obligations on mappings from the inventory of a certificate, without its `violations`.

Kinds S1, S2, S3, M, M4, C, C1, P and D, without tiles; docs/verifier.md defines them. Where a set of the verifier
depends on a mod factor that is a parameter, the set here may be larger. A copy of the folder runs without alphaz:

    python -m kernel c.json c.proofs.json
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .checker import NotConfirmed, boolean, check, elements, goal_of, integer, load, members, refuse
from .checker import main as checked_as_stated

Json = dict[str, object]
Sum = tuple[Mapping[str, int], int]  # the coefficients of names, and a constant
Names = Mapping[str, Sum]
KEY = "kind read families tiled"
INVENTORY = "parameters context operations reads cells lifetimes before bands copies buffers"
OPERATION = "name variable moment role names domain target date kinds whole direct"
READ = "reader running direct names domain at variable index text place"
CELL = "variable space names map factors"
LIFETIME = "argument allocation users free names instance"
COPY = "variable names domain source index text"
BUFFER = "reads leading sides"
DERIVED = ("S1", "S2", "S3", "M", "M4", "C", "C1", "P", "D")
MOMENTS = ("start", "dated", "end")
UNORDERED = ("PARALLEL", "REDUCTION", "VECTOR")
KINDS = (*UNORDERED, "SEQUENTIAL", "ORDERING")


def plus(one: Sum, factor: int, other: Sum) -> Sum:
    """Returns one + factor * other."""
    terms = dict(one[0])
    for name, coefficient in other[0].items():
        terms[name] = terms.get(name, 0) + factor * coefficient
    return {name: c for name, c in terms.items() if c}, one[1] + factor * other[1]


def value_of(given: object, names: Names) -> Sum:
    """Returns a sum of the inventory, in which each name stands for a sum."""
    found = members(given, "terms constant")
    total: Sum = {}, integer(found["constant"])
    for name, coefficient in members(found["terms"]).items():
        total = plus(total, integer(coefficient), names.get(name) or refuse(f"nothing declares {name}"))
    return total


def values_of(given: object, names: Names) -> list[Sum]:
    return [value_of(value, names) for value in elements(given)]


def json_of(given: Sum) -> Json:
    return {"terms": dict(given[0]), "constant": given[1]}


def at_least_zero(given: Sum) -> Json:
    return {"sum": json_of(given), "equal": False}


def zero(given: Sum) -> Json:
    return {"sum": json_of(given), "equal": True}


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


def renamed(cases: object, names: Names) -> list[Json]:
    """Returns the cases of a domain at a point; `names` are its indices and the parameters."""
    found: list[Json] = []
    for given in (members(value, "rows divisions") for value in elements(cases)):
        inner, divisions = dict(names), list[Json]()
        for division in (members(value, "name sum by") for value in elements(given["divisions"])):
            name = f"{division['name']}/{len(divisions)}"
            if division["name"] in inner:
                refuse("a name stands twice")
            divisions.append({"name": name, "sum": json_of(value_of(division["sum"], inner)), "by": division["by"]})
            inner[str(division["name"])] = {name: 1}, 0
        rows = [members(value, "sum equal") for value in elements(given["rows"])]
        stated: list[Json] = [{"sum": json_of(value_of(row["sum"], inner)), "equal": row["equal"]} for row in rows]
        found.append({"rows": stated, "divisions": divisions})
    return found


def item(values: object, number: object, keys: str) -> Json:
    """Returns the object with this number in a list of the inventory."""
    return members(elements(values)[integer(number, 0, len(elements(values)))], keys)


def only(found: Iterable[Json]) -> Json:
    all_ = list(found)
    return all_[0] if len(all_) == 1 else refuse("the inventory has no such entry, or several")


def words(values: object, known: Sequence[str] | None = None) -> list[str]:
    found = [value if type(value) is str else refuse("a text is missing") for value in elements(values)]
    return found if known is None or {*found} <= {*known} else refuse(f"it is none of {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An operation of a family at a point. `whole` is the number of its operation, whose indices are `own`."""

    family: Json
    whole: int
    point: list[Sum]
    own: list[Sum]
    target: list[Sum]
    date: list[Sum]
    kinds: list[str]

    @property
    def moment(self) -> int:
        return MOMENTS.index(words([self.family["moment"]], MOMENTS)[0])

    @property
    def merges(self) -> bool:
        return self.family["role"] == "merge"


@dataclass(slots=True)
class StatedObligation:
    """A set that is stated part by part."""

    inventory: Json
    names: list[str] = field(default_factory=list)
    auxiliary: list[str] = field(default_factory=list)
    parts: list[list[Json]] = field(default_factory=list)

    @property
    def parameters(self) -> Names:
        return {name: ({name: 1}, 0) for name in words(self.inventory["parameters"])}

    def fresh(self, names: object, prefix: str) -> list[Sum]:
        found = [f"{prefix}.{name}" for name in words(names)]
        self.names += found
        return [({name: 1}, 0) for name in found]

    def bound(self, names: object, point: Sequence[Sum]) -> Names:
        texts = words(names)
        if len(texts) != len(point) or len({*texts}) != len(texts):
            refuse("a point has another dimension than its family")
        return {**self.parameters, **dict(zip(texts, point, strict=True))}

    def occurrence(self, number: object, point: list[Sum] | None = None, prefix: str = "") -> Occurrence:
        """Returns an operation at a point, or at a new one that lies in the domain of the family."""
        family = item(self.inventory["operations"], number, OPERATION)
        point_ = self.fresh(family["names"], prefix) if point is None else point
        whole = number if family["whole"] is None else family["whole"]
        count = len(elements(item(self.inventory["operations"], whole, OPERATION)["names"]))
        names, kinds = self.bound(family["names"], point_), words(family["kinds"], KINDS)
        date = values_of(family["date"], names)
        if len(date) != len(kinds):
            refuse("a date has another dimension than its kinds")
        if family["role"] == "merge":
            date = date[: kinds.index("REDUCTION") if "REDUCTION" in kinds else refuse("a merge reduces nothing")]
        if point is None:
            self.parts.append(renamed(family["domain"], names))
        return Occurrence(
            family=family,
            whole=integer(whole),
            point=point_,
            own=point_[:count],
            target=values_of(family["target"], names),
            date=date,
            kinds=kinds,
        )

    def read(self, number: object) -> tuple[Json, Occurrence, list[Sum]]:
        """Returns a read, the operation that reads, and the index of the value."""
        read = item(self.inventory["reads"], number, READ)
        names = self.bound(read["names"], self.fresh(read["names"], "reader"))
        self.parts.append(renamed(read["domain"], names))
        return read, self.occurrence(read["reader"], values_of(read["at"], names)), values_of(read["index"], names)

    def cell(self, variable: object, index: list[Sum]) -> tuple[object, list[Sum], list[Sum]]:
        """Returns the space, the place before factors apply, and the factors of a value."""
        cells = (members(value, CELL) for value in elements(self.inventory["cells"]))
        found = only(cell for cell in cells if cell["variable"] == variable)
        place = values_of(found["map"], self.bound(found["names"], index))
        return found["space"], place, values_of(found["factors"], self.parameters)

    def in_one_cell(self, one: object, x: list[Sum], other: object, y: list[Sum]) -> None:
        """Adds that two values share a cell. For a factor that is a parameter the set may be larger."""
        (space, places, factors), (other_space, other_places, others) = self.cell(one, x), self.cell(other, y)
        if space != other_space:
            self.parts.append([])
            return
        if factors and others and factors != others:
            refuse("two variables of one space have different factors")
        factors = factors or others or [({}, 0)] * len(places)
        nothing: Sum = {}, 0
        for place, other_place, factor in zip(places, other_places, factors, strict=True):
            rest = plus(place, -1, other_place)
            negative = plus(nothing, -1, rest)
            if not factor[0] and not factor[1]:
                self.parts.append([case(zero(rest))])
            elif not factor[0]:
                self.auxiliary.append(f"turn.{len(self.auxiliary)}")
                self.parts.append([case(equal(rest, ({self.auxiliary[-1]: factor[1]}, 0)))])
            else:
                far = [case(at_least_zero(plus(side, -2, factor))) for side in (rest, negative)]
                self.parts.append([case(zero(rest)), case(equal(rest, factor)), case(equal(negative, factor)), *far])

    # --- the order ----------------------------------------------------------------------------------------------

    def comes_last(self, a: Occurrence, b: Occurrence) -> bool:
        """Returns True if a precedes b where all components of their dates agree."""
        if a.merges or b.merges:
            return b.merges and not a.merges
        return [a.family["name"], b.family["name"]] in elements(self.inventory["before"])

    def failures(self, a: Occurrence, b: Occurrence, private: bool = False) -> list[Json]:
        """Returns the cases where a does not precede b."""
        if a.moment != b.moment or MOMENTS[a.moment] != "dated":
            return [] if a.moment < b.moment else [case()]
        found: list[Json] = []
        for at, (x, y, kind) in enumerate(_components(a, b, private)):
            same = list(map(equal, a.date[:at], b.date[:at]))
            if not (kind == "REDUCTION" and private):
                found += [case(*same, less(y, x)), *([case(*same, less(x, y))] if kind in UNORDERED else [])]
        return found if self.comes_last(a, b) else [*found, *_same_date(a, b)]

    def unordered(self, a: Occurrence, b: Occurrence, private: bool = False) -> list[Json]:
        """Returns the cases where neither precedes the other."""
        if a.moment != b.moment or MOMENTS[a.moment] != "dated":
            return [] if a.moment != b.moment else [case()]
        found: list[Json] = []
        for at, (x, y, kind) in enumerate(_components(a, b, private)):
            same = list(map(equal, a.date[:at], b.date[:at]))
            if kind in UNORDERED and not (kind == "REDUCTION" and private):
                found += [case(*same, less(x, y)), case(*same, less(y, x))]
        is_ordered = self.comes_last(a, b) or self.comes_last(b, a)
        return found if is_ordered else [*found, *_same_date(a, b)]


def _components(a: Occurrence, b: Occurrence, private: bool) -> Iterator[tuple[Sum, Sum, str]]:
    """Yields the components of both dates, with the kind that orders two operations that first differ there."""
    for x, y, one, other in zip(a.date, b.date, a.kinds, b.kinds, strict=False):
        if one != other and ({one, other} & {*UNORDERED}):
            yield x, y, "PARALLEL"
        else:
            yield x, y, "SEQUENTIAL" if one == "VECTOR" and private else one


def _same_date(a: Occurrence, b: Occurrence) -> list[Json]:
    count = min(len(a.date), len(b.date))
    return all_equal(a.date[:count], b.date[:count])


# --- the obligations --------------------------------------------------------------------------------------------------


def derived(inventory: object, key: object) -> tuple[Json, list[list[Json]]] | None:
    """Returns the violations of an obligation, with their parts; None for kinds that are not derived here."""
    found, given = members(key, KEY), members(inventory, INVENTORY)
    kind, families = found["kind"], members(found["families"])
    if kind not in DERIVED or found["tiled"] is not False:
        return None
    statement = StatedObligation(given)
    statement.parts.append(renamed(given["context"], statement.parameters))
    try:
        STATED[str(kind)](statement, found["read"], families)
    except KeyError as error:
        refuse(f"the key lacks {error}")
    parts = list(range(len(statement.parts)))
    violations: Json = {"parameters": given["parameters"], "names": statement.names, "auxiliary": statement.auxiliary}
    return {**violations, "parts": parts, "without": [], "absent": []}, statement.parts


def _one_date_each(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families["operation"], prefix=prefix) for prefix in ("one", "other"))
    statement.parts += [all_equal(a.date, b.date), smaller(a.point, b.point)]


def _accumulation(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families["operation"], prefix=prefix) for prefix in ("one", "other"))
    statement.parts += [all_equal(a.target, b.target), smaller(a.point, b.point)]
    if a.family["role"] == "contribution":
        statement.parts += [statement.failures(a, b, private=True), statement.failures(b, a, private=True)]
    else:
        statement.parts.append(statement.unordered(a, b, private=True))


def _causality(statement: StatedObligation, number: object, families: Json) -> None:
    _, reader, index = statement.read(number)
    writer = statement.occurrence(families["producer"], prefix="writer")
    statement.parts += [all_equal(writer.target, index), statement.failures(writer, reader)]


def _overwrite(statement: StatedObligation, number: object, families: Json) -> None:
    read, reader, index = statement.read(number)
    writer = statement.occurrence(families["writer"], prefix="writer")
    first = statement.occurrence(families["first"], prefix="first")
    statement.parts.append(all_equal(first.target, index))
    statement.in_one_cell(writer.family["variable"], writer.target, read["variable"], index)
    if writer.family["variable"] == read["variable"]:
        statement.parts.append(different(writer.target, index))
    if writer.whole == reader.whole and not (boolean(read["direct"]) and boolean(writer.family["direct"])):
        statement.parts.append(different(writer.own, reader.own))
    statement.parts += [statement.failures(writer, first), statement.failures(reader, writer)]
    if boolean(read["running"]) and first.family["moment"] == "start":
        statement.parts.append([])  # nothing is accumulated into what is there from the start


def _race(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families[role], prefix=role) for role in ("writer", "other"))
    statement.in_one_cell(a.family["variable"], a.target, b.family["variable"], b.target)
    statement.parts.append(statement.unordered(a, b))
    if families["writer"] == families["other"]:
        statement.parts.append(smaller(a.point, b.point))
    is_direct = boolean(a.family["direct"]) and boolean(b.family["direct"])
    if a.family["whole"] is not None and a.whole == b.whole and not is_direct:
        statement.parts.append(different(a.own, b.own))
    if a.family["variable"] == b.family["variable"]:
        statement.parts.append(different(a.target, b.target))


def _lifetime(statement: StatedObligation, _: object, families: Json) -> None:
    numbers = (
        (families["allocation"], families["user"])
        if "allocation" in families
        else (
            families["user"],
            families["free"],
        )
    )
    early = statement.occurrence(numbers[0], prefix="call")
    statement.parts.append(statement.failures(early, statement.occurrence(numbers[1], early.point)))


def _freed_once(statement: StatedObligation, _: object, families: Json) -> None:
    lifetimes = (members(value, LIFETIME) for value in elements(statement.inventory["lifetimes"]))
    life = only(found for found in lifetimes if found["free"] == families["free"])
    a, b = (statement.occurrence(families["free"], prefix=prefix) for prefix in ("one", "other"))
    arrays = (values_of(life["instance"], statement.bound(life["names"], each.point)) for each in (a, b))
    statement.parts += [all_equal(*arrays), smaller(a.point, b.point), different(a.date, b.date)]


def _packing(statement: StatedObligation, number: object, families: Json) -> None:
    buffers = (members(value, BUFFER) for value in elements(statement.inventory["buffers"]))
    buffer = only(found for found in buffers if number in elements(found["reads"]))
    read, reader, index = statement.read(number)
    writer = statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(writer.family["variable"], writer.target, read["variable"], index)
    leading = integer(buffer["leading"], 0, min(len(reader.date), len(writer.date)) + 1)
    statement.parts.append(all_equal(reader.date[:leading], writer.date[:leading]))
    for side in (members(value, "dimension size") for value in elements(buffer["sides"])):
        at, size = integer(side["dimension"], 0, len(reader.date)), integer(side["size"], 1)
        statement.auxiliary.append(f"tile.{len(statement.auxiliary)}")
        for date in (reader.date, writer.date):
            rest = plus(date[at], -size, ({statement.auxiliary[-1]: 1}, 0))
            statement.parts.append([case(at_least_zero(rest), at_least_zero(plus(({}, size - 1), -1, rest)))])


def _dropped_copy(statement: StatedObligation, _: object, families: Json) -> None:
    copy = item(statement.inventory["copies"], families["copy"], COPY)
    point = statement.fresh(copy["names"], "point")
    names = statement.bound(copy["names"], point)
    statement.parts.append(renamed(copy["domain"], names))
    space, here, _ = statement.cell(copy["variable"], point)
    other_space, there, _ = statement.cell(copy["source"], values_of(copy["index"], names))
    if space == other_space:
        statement.parts.append(different(here, there))


STATED = {
    "S1": _one_date_each,
    "S2": _causality,
    "S3": _accumulation,
    "M": _overwrite,
    "M4": _race,
    "C": _lifetime,
    "C1": _freed_once,
    "P": _packing,
    "D": _dropped_copy,
}


def derived_entries(document: Json) -> Iterator[tuple[str, object, object]]:
    """Yields each obligation on a mapping that a certificate calls proved: its place, its key and the inventory."""
    for number, record in enumerate(map(members, elements(document["systems"]))):
        for at, entry in enumerate(map(members, elements(record["obligations"]))):
            if entry["verdict"] == "proved":
                yield f"systems[{number}].obligations[{at}]", entry["key"], record["inventory"]


def derived_outcomes(certificate: bytes, proofs: bytes) -> Iterator[tuple[str, str]]:
    """Yields the place of each set that is derived, and the reason why it is not shown to be empty ("" where it is).

    The documents are those that `outcomes` accepts."""
    given = members(load(proofs)["derived"])
    for place, key, inventory in derived_entries(load(certificate)):
        try:
            found = derived(inventory, key)
            if found is not None:
                check(
                    goal_of(*found), given.get(place) or refuse("the set that follows from the inventory has no proof")
                )
                yield place, ""
        except NotConfirmed as reason:
            yield place, str(reason)


def main(names: Sequence[str]) -> int:
    """Returns 0 if all sets are shown to be empty, as stated, and as derived where they are; else 1."""
    code = checked_as_stated(names)
    found = dict(derived_outcomes(*(Path(name).read_bytes() for name in names)))
    sys.stdout.writelines(f"{place}: {reason}\n" for place, reason in found.items() if reason)
    confirmed = list(found.values()).count("")
    sys.stdout.write(f"derived from the inventory: {confirmed} of {len(found)} sets are empty\n")
    return code if confirmed == len(found) else 1
