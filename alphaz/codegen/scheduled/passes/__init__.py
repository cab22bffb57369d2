"""Passes that depend on the expressions of statements, and on the cells that they access."""
