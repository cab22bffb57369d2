"""C as an affine model: the statements of a function with their instances, order and cells. Texts in, data out.

Whatever is outside the subset ends in `Rejected` with the place and the reason: what is not understood is not guessed.
"""

from alphaz.scop.extraction import read_kernel
from alphaz.scop.kernel import (
    ArrayAccess,
    Beside,
    CKernel,
    Date,
    Dividend,
    KernelArray,
    KernelLoop,
    KernelStatement,
    LoopKind,
    Write,
)
from alphaz.scop.normalisation import parse
from alphaz.scop.parsing import needs_preprocessor, prepared
from alphaz.scop.translation_units import together

__all__ = [
    "ArrayAccess",
    "Beside",
    "CKernel",
    "Date",
    "Dividend",
    "KernelArray",
    "KernelLoop",
    "KernelStatement",
    "LoopKind",
    "Write",
    "needs_preprocessor",
    "parse",
    "prepared",
    "read_kernel",
    "together",
]
