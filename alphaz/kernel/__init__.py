"""The kernel: checks proofs that sets of a certificate are empty. It imports the standard library only.

Entry points: `outcomes` and `check` in `checker.py`, which runs from a copy of the file as well; `derived_outcomes` in
`certificate_check.py`, which states the sets once more; docs/trust.md.
"""
