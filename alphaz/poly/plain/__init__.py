"""Affine and integer expressions, spaces and polyhedra as plain data: nothing here asks isl."""
