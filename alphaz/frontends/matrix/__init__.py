"""Kernels of linear algebra, written as formulas: from their text to a program of equations."""
