"""C as an affine model: statements of a function with their instances, order and cells. Reads the trees of `alphaz.c`.

Raises `Rejected`, with the position and the reason, for C outside the supported subset. The reader never guesses.
Entry point: `read_kernel` in `extraction.py`.
"""

from alphaz.scop.c_model import (
    ArrayAccess,
    CKernel,
    Date,
    KernelArray,
    KernelLoop,
    KernelStatement,
    LoopKind,
    NonNegativeValue,
    Write,
)
from alphaz.scop.extraction import read_kernel
from alphaz.scop.macros import needs_preprocessor
from alphaz.scop.normalisation import parse
from alphaz.scop.translation_units import together

__all__ = [
    "ArrayAccess",
    "CKernel",
    "Date",
    "KernelArray",
    "KernelLoop",
    "KernelStatement",
    "LoopKind",
    "NonNegativeValue",
    "Write",
    "needs_preprocessor",
    "parse",
    "read_kernel",
    "together",
]
