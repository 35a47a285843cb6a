"""Battles and link checks."""
