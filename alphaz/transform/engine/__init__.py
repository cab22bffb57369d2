"""What every transformation uses: editing, refusing, checking again, and the mappings that follow."""
