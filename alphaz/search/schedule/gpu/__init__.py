"""Mappings for a GPU: blocks, threads, shared memory and launches, chosen by a model of its time."""
