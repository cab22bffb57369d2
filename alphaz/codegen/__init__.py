"""C from checked programs (demand-driven) and from verified mappings (scheduled), without side effects.

`demand/`, `scheduled/`, `c/` (parts of both), `targets/` (OpenMP ..), `wrapper/` (a main program).
Entry points: `scheduled_c` in `scheduled/scheduled_c.py`, `write_c` in `demand/write_c.py`.
"""
