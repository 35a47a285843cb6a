"""What an operator runs: integrity, made-up data."""
