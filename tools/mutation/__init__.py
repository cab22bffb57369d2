"""Mutants: faults that are put into alphaz one at a time, so that the tests (or the proofs) must notice."""
