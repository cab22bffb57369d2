"""Programs from other notations: `matrix/` (formulas of linear algebra), `from_c/` (C by exact array dataflow).

Entry points: `check_kernel` in `matrix/checked_kernel.py`, `flow_of` in `from_c/flow.py`.
"""
