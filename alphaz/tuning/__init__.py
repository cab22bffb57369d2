"""Search among mappings: spaces of scripts, search methods, candidates that are proved and timed.

Entry point: `tune` in `tune.py`.
"""
