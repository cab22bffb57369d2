"""Scheduling strategies, one file each."""
