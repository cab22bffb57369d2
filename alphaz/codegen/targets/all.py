"""Every target, by its name."""

from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.target import SEQUENTIAL_C

TARGETS = {target.name: target for target in (OPENMP, SEQUENTIAL_C)}
