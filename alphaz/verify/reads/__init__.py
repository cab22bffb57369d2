"""Who reads what, and when."""
