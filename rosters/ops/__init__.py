"""Operator's tools: the check of the database, generated data, and assets."""
