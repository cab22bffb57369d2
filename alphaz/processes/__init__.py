"""Processes: a pool of workers that can be ended, forks of this process, other programs, limits of time and memory.

Entry points: `tasks.Pool` (work that may be ended), `fork_pool` (forks share this process's data), `external.run`.
"""
