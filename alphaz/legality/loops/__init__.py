"""Transformations of loops beyond the proved order: proofs of independent iterations and of non-empty loops."""
