"""The base of element forms."""
