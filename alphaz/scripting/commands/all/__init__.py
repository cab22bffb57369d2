"""The commands, one module per family."""
