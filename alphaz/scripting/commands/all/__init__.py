"""The commands, a file a family."""
