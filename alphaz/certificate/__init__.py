"""Certificates: proved obligations as plain data that other programs can read and decide again.

This package imports neither isl nor any other part of alphaz: an independent review of the verifier needs to read only
this package.
"""
