"""The HTTP API, version 1: the same rosters, rules and errors as the pages, as JSON under /api/v1/."""
