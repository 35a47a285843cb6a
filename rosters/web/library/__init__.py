"""My rosters, the gallery, imports and help."""
