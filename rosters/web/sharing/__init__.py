"""Sharing, downloads and history of a roster."""
