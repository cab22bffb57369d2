"""Loops over the points of domains, tiled and in wavefronts; no C.

`passes/`: rewritings of the tree of loops.
Entry points: `scan` in `scanning.py`, `tiled_scan` in `tiling.py`.
"""
