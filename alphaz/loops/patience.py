"""How long the loops of a nest may take to make, and whether they took too long."""

from dataclasses import dataclass, field
from math import inf
from time import process_time


@dataclass(slots=True)
class Patience:
    """So many seconds of processor time from now on. `is_lost` where they were not enough, or something is given up."""

    seconds: float = inf
    is_lost: bool = False
    _start: float = field(default_factory=process_time)

    def is_over(self) -> bool:
        """Whether the time has passed; that is kept."""
        if process_time() - self._start <= self.seconds:
            return False
        self.is_lost = True
        return True

    def give_up(self) -> None:
        """Something takes too long, whatever time there is."""
        self.is_lost = True
