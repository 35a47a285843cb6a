"""Measures price against worth in every game: ``make worth`` writes fixtures/worth.json and docs/worth.md."""
