"""Target mappings: as stated (`target`), attached to a program (`design`), and resolved (`statements`).

Entry points: `TargetMapping` in `target.py`, `Design` in `design.py`, `resolve` in `resolution.py`.
"""
