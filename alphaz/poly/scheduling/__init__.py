"""What schedules are made of: relations between operations, trees of bands, and isl's scheduler."""
