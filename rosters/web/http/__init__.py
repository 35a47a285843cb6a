"""What every feature needs of a request and a response."""
