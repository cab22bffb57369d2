"""The messages of a distributed mapping, by an enumeration of all reads."""

import numpy as np

from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.search.cost.messages import RankNumbers
from tests.codegen.mpi_programs import owners
from tests.legality.bruteforce import world
from tests.legality.distributed_execution import DistributedExecution


def counted_messages(design: Design, name: str, size: dict[str, int], ranks: int) -> RankNumbers:
    """Returns the numbers by an enumeration of all reads."""
    resolved = resolve(design, name)
    assert resolved.distribution is not None
    at = resolved.distribution
    execution = DistributedExecution(world(design, name, size, resolved.aliases), at.position, False, at.width)
    rank_of = owners(execution.places, ranks, at)
    messages, sent = execution.traffic(rank_of.__getitem__)
    widths = {v.name: np.dtype(v.type.numpy).itemsize for v in resolved.system.variables}
    return RankNumbers(messages, sum(widths[element[0]] for element in sent))
