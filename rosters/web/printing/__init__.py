"""Printing record sheets."""
