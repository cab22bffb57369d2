"""Passes: rewritings of the tree of loops that preserve its results."""
