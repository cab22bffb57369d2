"""Transformations that make a schedule."""
