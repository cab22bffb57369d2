"""Every check that needs no mapping."""
