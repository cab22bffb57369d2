"""Execution: the C compiler, compiled kernels, data, comparison. Only this package and `cli` touch the disk."""
