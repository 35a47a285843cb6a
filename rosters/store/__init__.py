"""Rosters in the database: writing, current state, revisions, search, import and backup."""
