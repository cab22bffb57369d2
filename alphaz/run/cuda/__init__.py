"""Executes texts of CUDA without a GPU, and finds races, bad accesses and barriers that not all threads reach."""
