"""Figures. With the extra `bench`, which has matplotlib; all the rest of alphaz works without it."""
