"""Building a roster."""
