"""Run a command against a real PostgreSQL: python -m tools.postgres COMMAND...

DATABASE_URL that names a PostgreSQL already is used as it is; else an embedded one is started and stopped.
"""

import os
import subprocess
import sys

from tools.served import database


def main(command):
    """The exit code of the command."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run(command, check=False).returncode
    with database("postgresql") as url:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
