"""My rosters, Browse, imports and help."""
