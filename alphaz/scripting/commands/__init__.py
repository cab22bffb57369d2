"""Every command of the language of scripts, each declared once: `catalogue` has them all."""
