"""The shelf: what a player owns."""
