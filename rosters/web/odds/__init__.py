"""Odds on pages: a battle as a matrix, a pair with its receipts, an element against an enemy."""
