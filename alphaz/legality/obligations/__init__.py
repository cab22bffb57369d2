"""The obligations of a target mapping, a file a family."""
