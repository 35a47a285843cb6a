"""Passwords for tests: hashed as on the site, in one round."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickArgon2(Argon2PasswordHasher):
    """Argon2 that costs nothing."""

    time_cost = 1
    memory_cost = 8
    parallelism = 1
