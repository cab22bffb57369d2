"""The command line: one module for each verb, and their common parts.

Entry point: `main` in `main.py`.
"""

import gc
import sys

from alphaz.cli.dataclass_cache import start_quickly

# A run makes many objects that live until its end, and few circles of dead ones: by default, a tenth of the time of a
# start goes into looking for them.
gc.set_threshold(50_000, 20, 20)
start_quickly(sys.argv)
