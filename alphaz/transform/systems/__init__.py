"""Transformations of systems: inlining and outlining of calls, tiling of indices."""
