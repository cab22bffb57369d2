"""Execution: the C compiler, compiled kernels, data, comparison of results.

`bench/`: a kernel and its peers, run alternately.
Entry point: `compile_kernel` in `kernel.py`.
"""
