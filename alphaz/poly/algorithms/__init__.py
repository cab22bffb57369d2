"""Algorithms on sets and functions beyond their algebra: bounds, counts, least points, closures."""
