"""Interpreting command scripts."""
