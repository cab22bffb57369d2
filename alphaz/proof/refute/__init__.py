"""Finds proofs that sets are empty, for the kernel to check. Not trusted: a wrong proof is refused, and no verdict
depends on one.

Entry point: `proof_of` in `search.py`.
"""
