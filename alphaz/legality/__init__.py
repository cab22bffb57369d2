"""The verifier: states and discharges every obligation of a target mapping.

`obligations/` (one module for each family), `loops/` (proofs for loop transformations), `reporting/` (findings,
mathematics, certificate records).
Entry point: `verify` in `verify.py`.
"""
