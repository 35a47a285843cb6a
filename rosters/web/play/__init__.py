"""Playing: damage, turns, reference."""
