"""Certificates: proved obligations as plain data that other programs can decide again.

Imports neither isl nor any other part of alphaz, so that an independent review needs to read this package only.
Entry points: `read` in `document.py`, `recheck` in `recheck.py`.
"""
