"""Transformations of reductions: their points, their nesting, and their simplification."""
