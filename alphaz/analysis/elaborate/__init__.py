"""From syntax trees to programs."""
