"""Barriers: the number of barriers before a statement of a parallel region."""

import re
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from alphaz.scop.idioms import has_nowait, items
from alphaz.scop.pragmas import Pragma


@dataclass(slots=True)
class Phases:
    """Number of barriers before a place of a parallel region. `is_loose`: some work has not been waited for yet."""

    number: int = 0
    is_loose: bool = False

    def barrier(self) -> None:
        self.number += 1
        self.is_loose = False

    def over(self, item: Any, pragma: Pragma | None, *, is_merge: bool) -> None:
        """Advances past a statement. A worksharing construct ends with a barrier, and so does a loop around one;
        updates of shared data that every thread makes do not."""
        if is_merge or (pragma is not None and pragma.nowait) or has_nowait(item):
            self.is_loose = True
        elif pragma is not None and pragma.words & {"for", "single", "sections"}:
            self.barrier()
        elif not self.is_loose:
            self.number += 1


def is_left_early(body: Any) -> bool:
    """Returns True if a thread may leave the body of a loop while others are still in it: the body contains work
    without a barrier after it."""
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
