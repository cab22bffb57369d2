"""Equivalence of a C program and equations: obligations over the affine model of the C text.

`driver/`: reads C, proves it, executes it under sanitizers, reports findings.
Entry points: `prove` in `c_proof.py`, `prove_c` in `driver/prove_c.py`.
"""
