"""Scripts one statement at a time: what is entered is done at once, can be looked at, and can be undone."""
