"""The wheel, as somebody gets it who has no checkout: what is in it, and that one command serves the site from it."""

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.served import free_port

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".*", "build", "tests", "docs", "__pycache__", "*.egg-info", "*.sqlite3*")
CODE = [path for folder in ("armybuilder", "rosters") for path in (ROOT / folder).rglob("*.py")]
BESIDE = [path for folder in ("templates", "static", "fixtures") for path in (ROOT / folder).rglob("*.*")]


def pip(*arguments):
    """Run pip without a network."""
    command = [sys.executable, "-m", "pip", *arguments, "--no-index", "--no-deps", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that nothing of a former build gets in, and nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "source", ignore=LEFT_OUT)
    pip("wheel", str(folder / "source"), "--no-build-isolation", "--wheel-dir", str(folder))
    (found,) = folder.glob("armybuilder-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel):
    """The folder that the wheel was installed into, far from the checkout."""
    target = wheel.parent / "installed"
    pip("install", str(wheel), "--target", str(target), "--no-compile")
    return target


@pytest.fixture(scope="module")
def home(wheel):
    """Whoever runs it: an empty folder, and an environment that says nothing but where it is."""
    folder = wheel.parent / "home"
    folder.mkdir()
    return folder


def environment(installed, home, **variables):
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(installed), **variables}


@pytest.fixture(scope="module")
def running(installed, home):
    """The address at which the command serves, once it does, and the file of what it says."""
    port, log = free_port(), home.parent / "log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [installed / "bin" / "armybuilder", "--port", str(port)],
            cwd=home,
            env=environment(installed, home),
            stdout=file,
            stderr=file,
        )
    try:
        wait_for(port, process, log)
        yield f"http://127.0.0.1:{port}", log
    finally:
        process.terminate()
        process.wait(40)


def wait_for(port, process, log):
    """Until it answers; it is bound before it does."""
    while True:
        assert process.poll() is None, log.read_text()
        try:
            return asked(f"http://127.0.0.1:{port}/health")
        except OSError:
            time.sleep(0.1)


def asked(address):
    with urlopen(address, timeout=30) as answer:
        return answer.read().decode()


def test_everything_that_the_site_is_made_of_is_in_the_wheel(wheel):
    wanted = {str(path.relative_to(ROOT)) for path in CODE}
    wanted |= {f"armybuilder/files/{path.relative_to(ROOT)}" for path in [*BESIDE, ROOT / "gunicorn.conf.py"]}
    assert {"rosters/migrations/0001_initial.py", "armybuilder/files/fixtures/armies/6mm/rommel.json"} < wanted
    held = set(zipfile.ZipFile(wheel).namelist())
    assert wanted - held == set()


def test_nothing_else_is_in_it_such_as_tests_databases_and_keys(wheel):
    held = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == {"armybuilder", "rosters"}
    beside = {name.removeprefix("armybuilder/files/").split("/")[0] for name in held if "/files/" in name}
    assert beside == {"templates", "static", "fixtures", "gunicorn.conf.py", "manage.py", "setup.py"}


def test_one_command_serves_the_site_with_its_samples_and_static_files(running):
    address, log = running
    assert f"Armybuilder is at {address}/" in log.read_text()
    assert '"ready"' in asked(f"{address}/ready")
    stylesheets = re.findall(r'href="(/static/[^"]+\.css)"', asked(f"{address}/"))
    assert len(stylesheets) >= 2
    assert all("{" in asked(address + each) for each in stylesheets)
    books = asked(f"{address}/books/")
    assert len(set(re.findall(r"/s/[\w-]{22}", books))) >= 28
    sample = re.search(r'href="(/s/[\w-]{22})"', books)[1]
    assert f'action="{sample}/copy"' in asked(address + sample)


def test_two_processes_serve_it_and_say_so_as_text(running):
    _, log = running
    assert len(re.findall(r"INFO Booting worker", log.read_text())) == 2


def test_another_command_works_on_the_same_data(running, installed, home):
    command = [installed / "bin" / "armybuilder", "manage", "sqlitebackup", "copy.sqlite3"]
    folder = home.parent
    done = subprocess.run(command, cwd=folder, env=environment(installed, home), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(folder / "copy.sqlite3") as copy:
        assert copy.execute("SELECT COUNT(*) FROM rosters_roster").fetchone()[0] >= 28


def test_another_command_works_on_the_folder_that_is_named_before_it(installed, home):
    folder = home.parent / "of the club #1"
    backup = home.parent / "club.zip"
    for words in (["migrate", "-v0"], ["backup", str(backup)]):
        command = [installed / "bin" / "armybuilder", "--data", folder, "manage", *words]
        done = subprocess.run(command, cwd=home, env=environment(installed, home), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
    assert (folder / "armybuilder.sqlite3").exists()
    assert backup.exists()


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("DATA_DIR", "/dev/null", "File exists: '/dev/null'"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none", "Connection refused"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL is one of"),
    ],
)
def test_what_is_in_the_way_is_told_in_a_sentence(installed, home, variable, value, told):
    variables = environment(installed, home, **{variable: value})
    done = subprocess.run(
        [installed / "bin" / "armybuilder"], cwd=home, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("armybuilder: ")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_named_is_made_even_when_no_key_is_kept_there(installed, home):
    folder, key = home.parent / "elsewhere", "k3-9Jx_aa7Qw2eZr5tYu8iOp0LmNbVcXsDfGhJkQ1w2E3r4T5y6U"
    variables = environment(installed, home, DATA_DIR=str(folder), SECRET_KEY=key, PRODUCTION="1")
    command = [installed / "bin" / "armybuilder", "manage", "migrate", "--plan", "--verbosity", "0"]
    done = subprocess.run(command, cwd=home, env=variables, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert folder.is_dir()


def test_the_data_are_in_a_folder_of_the_user_s_and_for_their_eyes_only(running, home):
    data = home / ".local" / "share" / "armybuilder"
    assert {"armybuilder.sqlite3", ".secret-key"} <= {path.name for path in data.iterdir()}
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert [path.name for path in home.iterdir()] == [".local"], "nothing is written where one happens to stand"
