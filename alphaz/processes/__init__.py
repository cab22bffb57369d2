"""Processes: a pool whose workers can be ended, copies of this process, other programs, limits of time and memory.

The way in: `tasks.Pool` (work that may be ended), `fork_pool` (copies share what this process has), `external.run`.
"""
