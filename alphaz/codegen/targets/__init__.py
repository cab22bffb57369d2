"""Targets: passes that make teams, the C of teams and modes of loops, and the files of a system."""
