"""Passes: each a rewriting of the tree of loops that keeps what it computes."""
