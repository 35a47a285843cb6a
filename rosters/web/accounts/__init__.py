"""Accounts and API tokens."""
