"""Processes: pools of workers that can be ended, copies of this process, other programs.

Entry points: `pool.Pool` and `pool.shared_out` (many tasks), `copies.bounded` (one piece of work), `external.run`.
"""
