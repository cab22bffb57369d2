"""Targets: the modes of loops for a compiler. The tree contains the rest that threads need (regions,
private copies).
"""
