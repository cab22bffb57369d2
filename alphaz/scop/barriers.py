"""Barriers: behind which of them a statement of a parallel region stands."""

import re
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from alphaz.scop.idioms import has_nowait, items
from alphaz.scop.pragmas import Pragma


@dataclass(slots=True)
class Phases:
    """How many barriers stand before a place of a parallel region. `is_loose`: something has not been waited for."""

    number: int = 0
    is_loose: bool = False

    def barrier(self) -> None:
        self.number += 1
        self.is_loose = False

    def over(self, item: Any, pragma: Pragma | None, *, is_merge: bool) -> None:
        """Behind a statement: what is shared out ends with a barrier, and so does all that is in a loop around that;
        but not what each thread does to something shared."""
        if is_merge or (pragma is not None and pragma.nowait) or has_nowait(item):
            self.is_loose = True
        elif pragma is not None and pragma.words & {"for", "single", "sections"}:
            self.barrier()
        elif not self.is_loose:
            self.number += 1


def is_left_early(body: Any) -> bool:
    """Whether a thread may be through with the body of a loop while others are still in it: something there does not
    wait for them, and no barrier stands behind it."""
    if not has_nowait(body):
        return False
    is_loose, said = False, ""
    for item in items(body):
        if isinstance(item, c_ast.Pragma):
            said = " ".join(str(item.string).split())
            is_loose = is_loose and said != "omp barrier"
            continue
        words = {*re.findall(r"\w+", said)}
        if has_nowait(item) or words & {"nowait", "master", "critical", "atomic"}:
            is_loose = True
        elif words & {"for", "single", "sections"}:
            is_loose = False
        said = ""
    return is_loose
