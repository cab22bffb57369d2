"""Targets: how modes of loops are said to a compiler. What threads need (regions, private copies) is in the tree."""
