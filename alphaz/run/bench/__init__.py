"""Benchmarks: a kernel and its peers, run alternately."""
