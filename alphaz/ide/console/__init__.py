"""Interactive scripts: each statement is executed at once, its effect can be inspected, and it can be undone."""
