"""What an operator runs: the check of the database, and generated data."""
