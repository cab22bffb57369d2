"""Processes: pools of workers that can be ended, copies of this process, other programs.

Entry points: `Pool` and `shared_out` in `pool.py` (many tasks), `bounded` in `copies.py` (one piece of work), `run` in
`external.py`.
"""
