"""Affine and integer expressions, spaces and polyhedra as plain data, without isl."""
