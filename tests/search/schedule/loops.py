"""Programs of the literature as loops: domains and dependences in isl's notation, scheduled by integer programs."""

import islpy as isl

from alphaz.poly import Domain, Space
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.band_schedules import BandNode, DependenceEdge, Leaf, Tree
from alphaz.search.schedule.ilp.bands import BandTask, schedule
from alphaz.search.schedule.ilp.cost import PLUTO, Cost
from alphaz.search.schedule.ilp.user_constraints import NOTHING, Steering
from alphaz.search.schedule.request import Fuse


class Loops:
    """`parameters` is as "N,T"; statements are texts such as "S[i,j]: 0<=i,j<N"; edges "S[i,j] -> T[i',j']: ...".

    An edge may be written with expressions at its ends: "S[i,j] -> S[i,j+1]" runs over all points of both domains.
    """

    def __init__(self, parameters: str, statements: list[str], edges: list[str], reads: tuple[str, ...] = ()) -> None:
        self.head = f"[{parameters}] -> "
        self.context = " and ".join(f"{p}>=4" for p in parameters.split(",")) if parameters else "1=1"
        self.parameters = tuple(parameters.split(",")) if parameters else ()
        self.domains = dict(self._domain(statement) for statement in statements)
        self.validity = tuple(self._edge(edge) for edge in edges)
        self.reads = tuple(self._edge(read) for read in reads)

    def _domain(self, text: str) -> tuple[str, Domain]:
        point, _, condition = text.partition(":")
        name, indices = point.strip().rstrip("]").split("[")
        whole = isl.Set(f"{self.head}{{ [{indices}] : {self.context} and {condition or '1=1'} }}")
        return name, Domain(Space(self.parameters, tuple(filter(None, indices.split(",")))), whole)

    def _edge(self, text: str) -> DependenceEdge:
        pair, _, condition = text.partition(":")
        (source, start), (target, end) = (end.strip().rstrip("]").split("[") for end in pair.split("->"))
        one, two = self.domains[source], self.domains[target]
        whole = isl.Map(f"{self.head}{{ [{start}] -> [{end}] : {condition or '1=1'} }}")
        relation = Relation(one.space, two.space, whole).with_sources_in(one).with_targets_in(two)
        assert not relation.is_empty(), text
        return DependenceEdge(source, target, relation)

    def tree(
        self, fuse: Fuse = Fuse.SMART, cost: Cost = PLUTO, backwards: bool = False, steering: Steering = NOTHING
    ) -> Tree:
        """As in the thesis: no coefficients of parameters, which would fuse where it cuts."""
        return schedule(BandTask(self.domains, self.validity, self.reads, cost, fuse, backwards, 0, steering=steering))

    def rows(
        self, fuse: Fuse = Fuse.SMART, cost: Cost = PLUTO, backwards: bool = False, steering: Steering = NOTHING
    ) -> dict[str, list[str]]:
        """The dates of each statement; constants where statements follow each other."""
        results: dict[str, list[str]] = {}
        _collect(self.tree(fuse, cost, backwards, steering), [], results)
        return results


def _collect(tree: Tree, above: list[dict[str, str]], results: dict[str, list[str]]) -> None:
    if isinstance(tree, Leaf):
        for name in tree.statements:
            results[name] = [row[name] for row in above]
    elif isinstance(tree, BandNode):
        _collect(
            tree.below, [*above, *({name: str(row[name]) for name in tree.statements} for row in tree.rows)], results
        )
    else:
        for at, part in enumerate(tree.parts):
            _collect(part, [*above, dict.fromkeys(part.statements, str(at))], results)
