"""Certificates: what was proved, as plain data that anybody can read and decide again.

Nothing in this room knows isl, or anything else of alphaz: whoever distrusts the verifier reads this room alone.
"""
