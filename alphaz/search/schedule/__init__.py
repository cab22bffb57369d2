"""Search for schedules: dates that the equations allow and that give fast code. Every result is verified."""
