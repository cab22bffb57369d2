"""Transformations of systems: calls replaced, equations moved to systems of their own, tiling of indices."""
