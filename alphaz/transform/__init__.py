"""Program transformations: each checks its conditions first, and preserves the meaning of the program.

`engine/` (common parts), `normal/`, `reductions/`, `schedules/`, `systems/`, `variables/`: functions from `Design` to
`Design`.
Entry points: `normalize` in `normal/normalize.py`, `simplifying_reduction` in `reductions/reuse_simplification.py`.
"""
