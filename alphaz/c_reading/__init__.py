"""C as an affine model: the statements of a function with their instances, order and cells. Texts in, data out.

Whatever is outside the subset ends in `Rejected` with the place and the reason: what is not understood is not guessed.
"""

from alphaz.c_reading.files import together
from alphaz.c_reading.kernel import Access, Array, Beside, Date, Dividend, Kernel, Kind, Loop, Statement, Write
from alphaz.c_reading.read import read_kernel
from alphaz.c_reading.rewriting import parse
from alphaz.c_reading.text import needs_preprocessor, prepared

__all__ = [
    "Access",
    "Array",
    "Beside",
    "Date",
    "Dividend",
    "Kernel",
    "Kind",
    "Loop",
    "Statement",
    "Write",
    "needs_preprocessor",
    "parse",
    "prepared",
    "read_kernel",
    "together",
]
