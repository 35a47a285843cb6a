"""The database, read and written here alone."""
