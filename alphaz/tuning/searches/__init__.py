"""Ways to search, each a frozen dataclass in a file of its own."""
