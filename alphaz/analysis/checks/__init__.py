"""Checks of programs that need no mapping."""
