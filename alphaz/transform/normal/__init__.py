"""Normal forms of expressions."""
