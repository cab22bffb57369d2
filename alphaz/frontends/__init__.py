"""Programs from other notations: `matrix/` (formulas of linear algebra) and `from_c/` (C by exact array dataflow).

The way in: `frontends.matrix.kernel.check_kernel`, `frontends.from_c.flow.flow_of`.
"""
