"""A file that a command writes is complete or not there, also when the command is killed."""

import os
import signal

import pytest
from django.core.management.base import CommandError

from rosters.management.files import replacing


def test_what_a_killed_command_leaves_is_gone_after_the_next_and_two_do_not_write_one_file(tmp_path):
    path = tmp_path / "site.zip"
    for kill in (signal.SIGKILL, signal.SIGTERM):
        path.write_bytes(b"the last one")
        child = os.fork()
        if child == 0:
            with replacing(path) as file:
                file.write(b"half of a longer one")
                file.flush()
                os.kill(os.getpid(), kill)
        os.waitpid(child, 0)
        assert path.read_bytes() == b"the last one"
        with replacing(path) as file:
            file.write(b"the next")
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"site.zip": b"the next"}
    with replacing(path) as file, pytest.raises(CommandError), replacing(path):
        file.write(b"never")
