"""From programs back to text."""
