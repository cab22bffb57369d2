"""The order of two instances of statements of C, from the tree in the inventory of a certificate.

Two instances part at the first node where their ways differ. Threads of a team, or members of a team of a GPU, that may
differ there are ordered only by a barrier between: in a block around one of the two, after the first or before the
second. docs/certificates.md (C) has the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .cases import Json, Sum, equal, integers, less, words
from .checker import elements, form_of, integer, members, refuse
from .stated_sets import only

ORDER = "kind numbers children"
LOOP = "iterator step order"
LOOPS = ("sequential", "parallel", "simd", "grid", "block")
BEFORE, AFTER, UNORDERED, SAME = "before", "after", "unordered", "same"

LEAVES = ("statement", "private")
CHILDREN = {"sequence": None, "loop": 1, "team": 1, "single": 1, "barrier": 0, "statement": 0, "private": 0}

Way = Sequence[tuple[Json, int]]
"""The nodes from the root to a statement, each with the number of the child that leads on; last the leaf."""


@dataclass(frozen=True, slots=True)
class OrderedPairs:
    """The pairs of instances for which the rows hold have one order. `depth`: how many blocks and loops are around the
    node where they part; `loop` is its number if it is a loop.
    """

    order: str
    rows: tuple[Json, ...] = ()
    depth: int = 0
    loop: int | None = None


def ways_of(root: object) -> dict[int, Way]:
    """Returns the way to each statement."""
    ways = list(_ways(root))
    by_statement = dict(ways)
    return by_statement if len(by_statement) == len(ways) else refuse("the order has a statement twice")


def _ways(value: object) -> Iterator[tuple[int, Way]]:
    node = members(value, ORDER)
    kind, numbers = words([node["kind"]], [*CHILDREN])[0], integers(node["numbers"])
    children = elements(node["children"], CHILDREN[kind])
    if kind in LEAVES:
        yield from ((number, [(node, 0)]) for number in numbers)
    for at, child in enumerate(children):
        yield from ((number, [(node, at), *way]) for number, way in _ways(child))


@dataclass(frozen=True, slots=True)
class OrderedWays:
    """Two instances below a node that is on both ways. `values` are those of the iterators; the members of the teams
    `apart` may differ: threads, or the block or grid of a GPU.
    """

    loops: Sequence[object]
    ways: tuple[Way, Way]
    values: tuple[Mapping[str, Sum], Mapping[str, Sum]]
    apart: frozenset[str] = frozenset()
    depth: int = 0
    parted: int = 0

    def cases(self) -> list[OrderedPairs]:
        """Returns disjoint cases, which are complete over the pairs of instances."""
        (node, here), (_, there) = (way[0] for way in self.ways)
        numbers = integers(node["numbers"])
        match node["kind"]:
            case "sequence":
                return self.inside(deeper=1).cases() if here == there else [self.parted_at(here < there)]
            case "single":
                return replace(self.inside(), apart=self.apart - {"thread"}).cases()
            case "loop":
                return self.of_loop(only(numbers))
            case "team":
                return self.of_team(numbers)
        return [OrderedPairs(UNORDERED if self.apart else SAME, depth=self.parted)]

    def inside(self, deeper: int = 0) -> "OrderedWays":
        one, other = self.ways
        return replace(self, ways=(one[1:], other[1:]), depth=self.depth + deeper)

    def parted_at(self, is_first: bool, row: tuple[Json, ...] = (), loop: int | None = None) -> OrderedPairs:
        """Returns the order of instances that part where one of all members executes the first one (`is_first`) before
        the other one."""
        order = BEFORE if is_first else AFTER
        return OrderedPairs(order if self.is_waited(is_first) else UNORDERED, row, self.depth, loop)

    def of_loop(self, number: int) -> list[OrderedPairs]:
        loop, (x, y) = self.loop(number), self.values_of(number)
        cases = list[OrderedPairs]()
        for is_first, row in ((True, less(x, y)), (False, less(y, x))):
            pair = self.parted_at(is_first, (row,), number)
            cases.append(pair if loop["order"] == "sequential" else replace(pair, order=UNORDERED))
        apart = self.apart - {"thread"} if loop["order"] == "parallel" else self.apart
        return [*cases, *_where(equal(x, y), replace(self.inside(deeper=1), apart=apart).cases())]

    def of_team(self, numbers: Sequence[int]) -> list[OrderedPairs]:
        """Returns the cases of members that differ, then of those that do not; threads have no numbers."""
        body = self.inside(deeper=len(numbers))
        kinds = {str(self.loop(number)["order"]) for number in numbers} or {"thread"}
        if any(way[-1][0]["kind"] == LEAVES[1] for way in self.ways):
            return body.cases()
        if len(kinds) > 1 or not kinds <= {"thread", "grid", "block"}:
            refuse("the order has a team of no kind")
        parted = self.parted if self.apart & {"grid", "block"} else self.depth
        differing = replace(body, apart=self.apart | kinds, parted=parted).cases()
        together = body.cases() if numbers else differing
        if differing == together:
            return together
        cases, same = list[OrderedPairs](), list[Json]()
        for x, y in map(self.values_of, numbers):
            for row in (less(x, y), less(y, x)):
                cases += _where(row, differing, *same)
            same.append(equal(x, y))
        return [*cases, *(replace(pair, rows=(*same, *pair.rows)) for pair in together)]

    def loop(self, number: int) -> Json:
        loop = members(self.loops[integer(number, 0, len(self.loops))], LOOP)
        words([loop["order"]], LOOPS)
        return loop

    def values_of(self, number: int) -> tuple[Sum, Sum]:
        """Returns the values of a loop's iterator in the order of its iterations."""
        loop = self.loop(number)
        step, (name,) = integer(loop["step"], -1, 2) or refuse("a loop has no step"), words([loop["iterator"]])
        here, there = (form_of(values, {"terms": {name: step}, "constant": 0}) for values in self.values)
        return here, there

    # --- barriers -----------------------------------------------------------------------------------------------------

    def is_waited(self, is_first: bool) -> bool:
        """Returns True if one member executes both, or a barrier of all that may differ is between. Blocks of a grid
        never wait for each other."""
        early, late = self.ways if is_first else self.ways[::-1]
        if not self.apart:
            return True
        if len(self.apart) > 1 or "grid" in self.apart:
            return False
        (node, first), (_, last) = early[0], late[0]
        between = elements(node["children"])[first + 1 : last] if node["kind"] == "sequence" else []
        behind = [child for block, at in self.blocks(early[1:]) for child in elements(block["children"])[at + 1 :]]
        ahead = [child for block, at in self.blocks(late[1:]) for child in elements(block["children"])[:at]]
        return any(members(child, ORDER)["kind"] == "barrier" for child in (*between, *behind, *ahead))

    def blocks(self, way: Way) -> Iterator[tuple[Json, int]]:
        """Yields the blocks that all members execute."""
        for node, number in way:
            is_shared = node["kind"] == "loop" and self.loop(only(integers(node["numbers"])))["order"] != "sequential"
            if is_shared or node["kind"] == "single":
                return
            if node["kind"] == "sequence":
                yield node, number


def _where(row: Json, pairs: Sequence[OrderedPairs], *before: Json) -> list[OrderedPairs]:
    return [replace(pair, rows=(*before, row, *pair.rows)) for pair in pairs]
