"""The wheel, as somebody gets it who has no checkout: what is in it, and that one command serves the site from it."""

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from tests.ops.serving import asked, serving
from tools.served import free_port

ROOT = Path(__file__).parent.parent.parent
LEFT_OUT = shutil.ignore_patterns(".*", "build", "tests", "tools", "docs", "__pycache__", "*.egg-info", "*.sqlite3*")
CODE = [path for folder in ("armybuilder", "rosters") for path in (ROOT / folder).rglob("*.py")]
ALONE = {"WORKERS": "1", "REPORT_WORKERS": "0"}
BESIDE = [path for folder in ("templates", "static", "fixtures") for path in (ROOT / folder).rglob("*.*")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that nothing of a former build gets in, and nothing is left in the checkout.

    By what pip calls in the end, without the second of pip itself.
    """
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "source", ignore=LEFT_OUT)
    shutil.copytree(ROOT / "build" / "assets", folder / "source" / "build" / "assets")  # faces take seconds to make
    build = f"from setuptools import build_meta as b; b.build_wheel({str(folder)!r})"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=folder / "source", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("armybuilder-*.whl")
    return found


class Installed:
    """The command of the installed wheel, and whoever runs it: an empty home, far from the checkout."""

    def __init__(self, wheel):
        self.folder, self.home = wheel.parent, wheel.parent / "home"
        self.home.mkdir()
        target = self.folder / "installed"
        zipfile.ZipFile(wheel).extractall(target)  # all that pip does, but for the script
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "PYTHONPATH": str(target)}
        [distribution] = metadata.distributions(path=[str(target)])
        [entry] = distribution.entry_points.select(name="armybuilder")
        self.command = [sys.executable, "-c", f"from {entry.module} import {entry.attr}; {entry.attr}()"]

    def run(self, *words, **variables):
        given = {**self.environment, **variables}
        command = [*self.command, *map(str, words)]
        return subprocess.run(command, cwd=self.home, env=given, capture_output=True, text=True, check=False)


def test_an_installed_wheel_is_the_whole_site(wheel):
    """One case, so that the wheel is built, installed and started once, however cases are shared out."""
    holds_what_the_site_is_made_of_and_nothing_else(wheel)
    installed = Installed(wheel)
    serves_the_site_with_its_samples_and_static_files(installed)
    keeps_the_data_in_a_folder_of_the_user_s_where_other_commands_work_on_them(installed)
    prints_sheets_without_a_database(installed)
    tells_in_a_sentence_what_is_in_the_way(installed)


def holds_what_the_site_is_made_of_and_nothing_else(wheel):
    """No tests, databases or keys."""
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {str(path.relative_to(ROOT)) for path in CODE}
    wanted |= {f"armybuilder/files/{path.relative_to(ROOT)}" for path in [*BESIDE, ROOT / "gunicorn.conf.py"]}
    assert {"rosters/migrations/0001_initial.py", "armybuilder/files/fixtures/armies/6mm/rommel.json"} < wanted
    assert wanted - held == set()
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == {"armybuilder", "rosters"}
    beside = {name.removeprefix("armybuilder/files/").split("/")[0] for name in held if "/files/" in name}
    assert beside == {"templates", "static", "build", "fixtures", "gunicorn.conf.py", "manage.py", "setup.py"}


def serves_the_site_with_its_samples_and_static_files(installed):
    port, log = free_port(), installed.folder / "log"
    command = [*installed.command, "--port", str(port)]

    def page(address):
        return asked(port, address)[2].decode()

    with serving(command, port, log, cwd=installed.home, env={**installed.environment, **ALONE}):
        assert f"http://127.0.0.1:{port}/" in log.read_text()
        stylesheets = re.findall(r'href="(/static/[^"]+\.css)"', page("/"))
        assert stylesheets
        assert all("{" in page(each) for each in stylesheets)
        samples = set(re.findall(r"/s/[\w-]{22}", page("/books/")))
        sample = min(samples)
        assert f'href="{sample}/tools"' in page(sample)


def keeps_the_data_in_a_folder_of_the_user_s_where_other_commands_work_on_them(installed):
    data = installed.home / ".local" / "share" / "armybuilder"
    assert {"armybuilder.sqlite3", ".secret-key"} <= {path.name for path in data.iterdir()}
    assert stat.S_IMODE(data.stat().st_mode) == 0o700, "for their eyes only"
    assert [path.name for path in installed.home.iterdir()] == [".local"], "nothing is written where one stands"
    copy = installed.folder / "copy.sqlite3"
    assert installed.run("manage", "sqlitebackup", copy).returncode == 0
    with sqlite3.connect(copy) as found:
        assert found.execute("SELECT COUNT(*) FROM rosters_roster").fetchone()[0] >= 28


def prints_sheets_without_a_database(installed):
    """And makes another folder that is named, for the key."""
    army, named = ROOT / "fixtures/armies/mini-combat/naval-squadron.json", installed.folder / "of the club #1"
    words = ["--data", named, "manage", "sheets", army, "-o", installed.folder / "a.pdf"]
    done = installed.run(*words, DATABASE_URL="postgres://nobody@127.0.0.1:1/none")
    assert (done.returncode, done.stderr, (named / ".secret-key").exists()) == (0, "", True)


def tells_in_a_sentence_what_is_in_the_way(installed):
    done = installed.run(DATABASE_URL="postgres://nobody@127.0.0.1:1/none")
    assert (done.returncode, "Connection refused" in done.stderr, "Traceback" in done.stderr) == (1, True, False)
    assert done.stderr.startswith("armybuilder: ")
