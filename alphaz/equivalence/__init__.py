"""Equivalence of a C program and equations: families of obligations over the affine model of the C text."""
