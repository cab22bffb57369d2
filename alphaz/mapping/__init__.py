"""Target mappings: as stated (`target_mapping`), attached to a program (`design`), and resolved (`statements`).

Entry points: `TargetMapping` in `target_mapping.py`, `Design` in `design.py`, `resolve` in `resolution.py`.
"""
