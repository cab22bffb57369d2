"""For which parameters C is executed that is proved, or that is not."""

from collections.abc import Mapping
from itertools import islice

from alphaz.execution.c_trial import Trial, is_little
from alphaz.model.program import System
from alphaz.proof import Refuted
from alphaz.verify.c.prove import Proof
from alphaz.verify.c.sizes import by_sum, legal

# Of the smallest parameters so many are tried, and no larger ones than this.
_TRIED_SIZES = 8
_LARGEST = 64
_MUCH = (300, 100, 40)


def few(trial: Trial) -> list[Mapping[str, int]]:
    """Parameters for what is proved: the two smallest, so much more that loops that are unrolled come round more than
    once, and so much more that a byte cannot count it, or as much of that as is soon executed."""
    first = _smallest(trial.system, 2)

    def moved(by: int) -> Mapping[str, int]:
        return {name: value + by for name, value in first[-1].items()}

    if not first or not first[-1]:
        return first
    large = next((moved(by) for by in _MUCH if is_little(trial, moved(by))), moved(9))
    return [*legal(trial.system, [*first, moved(3), moved(9), large])]


def _smallest(system: System, count: int) -> list[Mapping[str, int]]:
    """So many of the smallest parameters; where none are small, one of those for which all are equal."""
    small = list(islice(by_sum(system), count))
    equal = (dict.fromkeys(system.parameters, value) for value in range(_LARGEST + 1))
    return small or list(islice(legal(system, equal), 1))


def sizes(system: System, proof: Proof) -> list[Mapping[str, int]]:
    """Parameters to go wrong with, the smallest first: the smallest that there are, those with which the model went
    wrong, and those of counterexamples."""
    found = _smallest(system, _TRIED_SIZES)
    found += [{name: value + 3 for name, value in each.items()} for each in found[-1:]]
    found += [each.parameters for each in proof.suspicions][:_TRIED_SIZES]
    for answer in proof.answers:
        if isinstance(answer.verdict, Refuted):
            found.append({name: answer.verdict.point[name] for name in system.parameters})
    found = [each for each in found if all(abs(value) <= _LARGEST for value in each.values())]
    return sorted(legal(system, found[: 3 * _TRIED_SIZES]), key=lambda each: sum(map(abs, each.values())))
