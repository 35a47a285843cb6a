"""Whatever anybody may send, at random: `python -m tools.fuzz --cases N --seed S` writes build/fuzz.json.

    sheets    readable documents, however odd, through every sheet
    api       requests drawn from the OpenAPI document, with and without a bearer
    forms     every form of every page, filled in wrongly, and addresses with anything in them
    uploads   files, pastes, bodies and backups: damaged, in the wrong encoding, bombs
    worst     the worst documents under the limits, on every page: seconds, memory and bytes (all cases, always)

Each part has a function `run(cases, seed)` and answers with a `kit.Tally`. It needs a migrated and loaded database,
which it leaves as it was.
"""

PARTS = ("sheets", "api", "forms", "uploads", "worst")
