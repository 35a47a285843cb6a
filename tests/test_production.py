"""Settings from the environment, probes, logs, metrics, pages without a database, and the production server itself."""

import json
import logging
import os
import re
import runpy
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands
from django.db import OperationalError, connection
from django.test import Client

from armybuilder import environment
from rosters import proxies, tracing
from rosters.management.commands import sqlitebackup
from rosters.models import Roster
from rosters.views import probes
from tests.support import typed_again

ROOT = Path(__file__).parent.parent
KEY = "k3-9Jx_aa7Qw2eZr5tYu8iOp0LmNbVcXsDfGhJkQ1w2E3r4T5y6U"
ADDRESS = "203.0.113.9"
SECRET = "a" * 21 + "Zq" + "b" * 20
"""As long as the secret of an edit link."""


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


def manage(*arguments, **variables):
    """Run manage.py in a process of its own, with these variables and none of ours."""
    ours = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=ours, capture_output=True, text=True, check=False, timeout=120)


# ---------------------------------------------------------------- the environment


@pytest.mark.parametrize(("given", "expected"), [("1", True), ("Yes", True), ("0", False), ("off", False), ("", False)])
def test_a_switch_is_on_or_off(monkeypatch, given, expected):
    monkeypatch.setenv("A_SWITCH", given)
    assert environment.flag("A_SWITCH") is expected


@pytest.mark.parametrize(
    ("read", "given"),
    [
        (environment.flag, "perhaps"),
        (lambda name: environment.limit(name, 7), "-1"),
        (lambda name: environment.limit(name, 7), "ten"),
        (lambda name: environment.limit(name, 7), "9" * 16),
        (lambda name: environment.one_of(name, ["json", "text"], "text"), "xml"),
        (lambda name: environment.level(name, "INFO"), "loud"),
        (lambda name: environment.hosts(name, ""), "https://armies.example.org"),
        (lambda name: environment.hosts(name, ""), "armies.example.org:8000"),
    ],
)
def test_what_cannot_be_understood_is_refused_by_its_name(monkeypatch, read, given):
    monkeypatch.setenv("A_SETTING", given)
    with pytest.raises(ImproperlyConfigured, match=f"(?i)A_SETTING.*{given[:5]}"):
        read("A_SETTING")


def test_a_level_of_the_log_is_said_in_small_letters_too(monkeypatch):
    monkeypatch.setenv("A_LEVEL", "error")
    assert environment.level("A_LEVEL", "INFO") == "ERROR"


def test_the_names_of_the_site_may_be_addresses_of_its_network(monkeypatch):
    names = ["armies.example.org", ".example.org", "192.168.1.20", "[::1]", "*"]
    monkeypatch.setenv("A_HOST", ", ".join(names))
    assert environment.hosts("A_HOST", "") == names


@pytest.mark.parametrize(
    ("read", "name", "given"),
    [
        (environment.database, "DATABASE_URL", "mysql://a:hush@h/n"),
        (environment.database, "DATABASE_URL", "postgres://a:hush@h:port/n"),
        (environment.database, "DATABASE_URL", "nonsense"),
        (environment.database, "DATABASE_URL", "postgres://a:hush/hush@h/n"),
        (environment.caches, "CACHE_URL", "redis://:hush@h:port/0"),
        (environment.mail, "EMAIL_URL", "smtp://a:hush@h:port"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused_by_its_name_without_its_password(read, name, given):
    with pytest.raises(ImproperlyConfigured, match=name) as refused:
        read(given)
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("WORKERS", "abc"),
        ("WORKERS", "0"),
        ("THREADS", "-1"),
        ("PORT", "99999"),
        ("TIMEOUT", "1.5"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_gunicorn_s_settings_are_refused_by_their_names(monkeypatch, name, given):
    monkeypatch.setenv(name, given)
    with pytest.raises(ValueError, match=f"{name} is .*not '{given}'"):
        runpy.run_path(str(ROOT / "gunicorn.conf.py"))


def test_an_empty_limit_is_the_default_and_0_is_0(monkeypatch):
    monkeypatch.setenv("A_LIMIT", "")
    assert environment.limit("A_LIMIT", 7) == 7
    monkeypatch.setenv("A_LIMIT", "0")
    assert environment.limit("A_LIMIT", 7) == 0


def test_the_secret_key_of_one_machine_is_made_once_and_kept_for_its_owner(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    path = tmp_path / ".secret-key"
    key = environment.secret_key(False, path)
    assert len(key) >= 50
    assert environment.secret_key(False, path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("given", ["", "short", "a" * 60])
def test_production_wants_a_secret_key_that_nobody_guesses(tmp_path, monkeypatch, given):
    monkeypatch.setenv("SECRET_KEY", given)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        environment.secret_key(True, tmp_path / ".secret-key")
    assert not (tmp_path / ".secret-key").exists()


@pytest.mark.parametrize(
    "folder", ["/var/lib/armybuilder", "/Users/ann/Application Support", "/Club #1", "/100%/a?b%20c"]
)
def test_the_data_may_be_in_a_folder_of_any_name(folder):
    path = Path(folder) / "armybuilder.sqlite3"
    assert environment.database(environment.sqlite(path))["NAME"] == str(path)


def test_the_cache_is_in_memory_or_a_redis_and_nothing_else():
    assert {each["BACKEND"].rpartition(".")[2] for each in environment.caches("locmem:").values()} == {"LocMemCache"}
    shared = environment.caches("redis://cache:6379/0")
    assert {each["LOCATION"] for each in shared.values()} == {"redis://cache:6379/0"}
    assert shared["default"]["KEY_PREFIX"] != shared["sheets"]["KEY_PREFIX"]
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL"):
        environment.caches("memcached://here")


@pytest.mark.parametrize(
    ("url", "backend", "port", "tls", "ssl"),
    [
        ("smtp://mail.example.org", "smtp", 25, False, False),
        ("smtp+tls://a%40b:p%2Fw@mail.example.org", "smtp", 587, True, False),
        ("smtps://a:b@mail.example.org:4650", "smtp", 4650, False, True),
        ("console:", "console", 25, False, False),
        ("dummy:", "dummy", 25, False, False),
    ],
)
def test_outgoing_mail_is_one_address(url, backend, port, tls, ssl):
    found = environment.mail(url)
    assert found["EMAIL_BACKEND"] == f"django.core.mail.backends.{backend}.EmailBackend"
    assert (found["EMAIL_PORT"], found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (port, tls, ssl)
    if "%40" in url:
        assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("a@b", "p/w")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgres://a:pass@host:5/name", "postgres://a:(hidden)@host:5/name"),
        ("postgres://host/name?password=pass&x=1", "postgres://host/name?password=(hidden)&x=(hidden)"),
        ("redis://:pass@host/0", "redis://:(hidden)@host/0"),
        ("sqlite:////var/a.sqlite3", "sqlite:////var/a.sqlite3"),
        ("locmem:", "locmem:"),
    ],
)
def test_no_password_is_shown(address, shown):
    assert environment.hidden(address) == shown


# ---------------------------------------------------------------- production settings


PRODUCTION = {"PRODUCTION": "1", "SECRET_KEY": KEY, "ALLOWED_HOSTS": "armies.example.org"}


def test_check_deploy_is_clean_in_production():
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_production_does_not_start_without_a_secret_key():
    done = manage("check", PRODUCTION="1")
    assert done.returncode != 0
    assert "PRODUCTION=1 needs SECRET_KEY" in done.stderr.splitlines()[-1]


def test_config_prints_what_is_in_force_and_no_secret():
    secrets = {"DATABASE_URL": "postgres://a:hush1@h/n", "CACHE_URL": "redis://:hush2@h/0", "METRICS_TOKEN": "hush3"}
    done = manage("config", **PRODUCTION, **secrets, EMAIL_URL="smtp://a:hush4@h", PDFS_A_MINUTE="0")
    assert done.returncode == 0, done.stderr
    assert not [word for word in (KEY, "hush1", "hush2", "hush3", "hush4") if word in done.stdout]
    lines = {line.split()[1]: line.split() for line in done.stdout.splitlines()}
    assert lines["PDFS_A_MINUTE"] == ["given", "PDFS_A_MINUTE", "0"]
    assert lines["SECRET_KEY"] == ["given", "SECRET_KEY", "(hidden)"]
    assert lines["HTTPS"] == ["default", "HTTPS", "1"]
    assert lines["WORKERS"][0] == "default"


def test_config_is_told_as_json_too(capsys):
    call_command("config", json=True)
    found = json.loads(capsys.readouterr().out)
    assert found["variables"]["PRODUCTION"] == {"value": "0", "given": False}
    assert found["runs"]["cache"] == "LocMemCache"


DEPLOYED = [
    *(ROOT / name for name in ("Dockerfile", "compose.yaml", "docs/deploy.md", "deploy/armybuilder.service")),
    ROOT / "gunicorn.conf.py",
]


def test_every_setting_is_told_of_in_the_page_on_deploying():
    text = (ROOT / "docs" / "deploy.md").read_text()
    untold = [name for name in environment.READ if not name.startswith("A_") and f"`{name}`" not in text]
    assert untold == [], f"docs/deploy.md does not tell of {untold}: add them to its table"


def test_the_page_and_the_files_name_only_commands_that_exist():
    for path in DEPLOYED:
        named = set(re.findall(r"manage\.py ([a-z]+)", path.read_text()))
        assert named <= set(get_commands()), f"{path.name} names {named - set(get_commands())}"


def test_the_containers_are_given_only_variables_that_are_read():
    given = re.findall(r"^    ([A-Z_]+): \$\{|^    ([A-Z_]+):", (ROOT / "compose.yaml").read_text(), re.MULTILINE)
    known = {*environment.READ, "BIND", "WORKERS", "THREADS"}
    assert {a or b for a, b in given} <= known


def test_nothing_in_env_moves_what_the_image_is_built_on():
    image = re.search(r"PRODUCTION=1 .*", (ROOT / "Dockerfile").read_text())[0]
    assert len(image.split()) == 4
    for word in image.split():
        assert f"    {word.replace('=', ': ', 1)}\n" in (ROOT / "compose.yaml").read_text()


# ---------------------------------------------------------------- probes


@pytest.mark.django_db
def test_health_and_readiness_answer_by_any_name(visitor, settings):
    settings.ALLOWED_HOSTS = ["armies.example.org"]
    assert visitor.get("/health", HTTP_HOST="10.0.0.7:8000").json() == {"status": "alive"}
    ready = visitor.get("/ready", HTTP_HOST="10.0.0.7:8000")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")
    assert "no-store" in ready.headers["Cache-Control"]
    assert visitor.post("/health").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("missing", ["database", "migrations"])
def test_readiness_says_503_and_what_is_missing_without_saying_why(visitor, monkeypatch, missing):
    def gone():
        raise OperationalError("password=hush")

    monkeypatch.setitem(probes.CHECKS, missing, gone)
    response = visitor.get("/ready")
    assert response.status_code == 503
    assert [name for name, said in response.json().items() if said == "failed"] == [missing]
    assert "hush" not in response.content.decode()


@pytest.mark.django_db
def test_a_cache_that_is_gone_is_told_and_sends_nobody_away(visitor, monkeypatch):
    monkeypatch.setitem(probes.CHECKS, "cache", lambda: False)
    response = visitor.get("/ready")
    assert (response.status_code, response.json()["status"], response.json()["cache"]) == (200, "ready", "failed")


@pytest.mark.django_db
def test_a_migration_that_is_missing_makes_it_unready(monkeypatch):
    monkeypatch.setattr(probes, "MIGRATED", [])
    assert probes.migrations()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'rosters'")
    assert probes.migrations(), "what was seen to be applied is not looked for again"
    monkeypatch.setattr(probes, "MIGRATED", [])
    assert not probes.migrations()


def test_metrics_want_the_token(visitor, settings):
    settings.METRICS_TOKEN = "hush-hush"
    assert visitor.get("/metrics").status_code == 401
    assert visitor.get("/metrics", headers={"Authorization": "Bearer hush"}).status_code == 401
    visitor.get("/health")
    response = visitor.get("/metrics", headers={"Authorization": "Bearer hush-hush"})
    assert 'armybuilder_requests_total{method="GET",route="/health",status="200"}' in response.content.decode()


@pytest.mark.parametrize(
    ("production", "sent", "status"),
    [
        (False, {}, 200),
        (True, {}, 404),
        (False, {"REMOTE_ADDR": ADDRESS}, 404),
        (False, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 404),
    ],
)
def test_without_a_token_metrics_are_for_this_machine_and_never_in_production(
    visitor, settings, production, sent, status
):
    settings.PRODUCTION = production
    assert visitor.get("/metrics", **sent).status_code == status


def test_what_a_stranger_makes_up_adds_no_series_to_the_metrics(visitor):
    for number in range(3):
        visitor.generic(f"MADEUP{number}", f"/no/such/{number}")
    told = visitor.get("/metrics").content.decode()
    assert "MADEUP" not in told
    assert "/no/such" not in told
    assert 'method="other",route="none"' in told


# ---------------------------------------------------------------- request numbers and the log


@pytest.mark.parametrize("given", ["abcdefgh", "0f" * 16, "a-b_c.d-1"])
def test_a_proxy_s_number_is_kept(visitor, given):
    assert visitor.get("/health", headers={"X-Request-ID": given}).headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "a b c d e f", 'a"b{c}d:efgh', "łłłłłłłłł"])
def test_a_number_that_is_none_is_replaced(visitor, given):
    assert re.fullmatch(r"[0-9a-f]{16}", visitor.get("/health", HTTP_X_REQUEST_ID=given).headers["X-Request-ID"])


@pytest.fixture
def logged():
    """What is logged during a test, a list of lines as data, each as its JSON says it."""
    lines, formatter, handler = [], tracing.Json(), logging.Handler()
    handler.emit = lambda record: lines.append(json.loads(formatter.format(record)))
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
def test_a_line_of_the_log_tells_what_was_asked_and_not_who_asked(visitor, logged):
    path = f"/e/{'t' * 22}/{SECRET}?query=sensitive"
    headers = {"X-Request-ID": "number-1", "User-Agent": "Tell/1.0", "Cookie": "a=tale", "Referer": "/told"}
    response = visitor.get(path, headers=headers, REMOTE_ADDR=ADDRESS)
    (line,) = [line for line in logged if line["logger"] == "armybuilder.access"]
    assert (line["request_id"], line["status"], line["method"]) == ("number-1", response.status_code, "GET")
    assert line["route"] == "/e/<str:token>/<str:secret>"
    assert line["path"] == "/e/tttt…/aaaa…"
    assert line["bytes"] == len(response.content)
    assert line["ms"] >= 0
    everything = json.dumps(logged, ensure_ascii=False)
    assert not [word for word in (ADDRESS, SECRET, "sensitive", "Tell", "tale", "told") if word in everything]


def fault_told(error, *message):
    try:
        raise error
    except type(error):
        record = logging.LogRecord("x", logging.ERROR, "f", 1, message[0] if message else "said", None, sys.exc_info())
    return json.loads(tracing.Json().format(record))


def test_a_fault_is_told_by_its_place_and_first_line_without_rows_of_the_database():
    told = fault_told(ValueError(f"duplicate key\nDETAIL: Key (email)=(ann@example.org) from {ADDRESS}"))
    assert told["error"]["type"] == "ValueError"
    assert told["error"]["message"] == "duplicate key"
    assert "fault_told" in told["error"]["frames"][-1]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"from {ADDRESS} port 80", "from (address) port 80"),
        ("from 2001:db8:1:2:3:4:5:6", "from (address)"),
        ("to ann.b+c@example.org now", "to (e-mail) now"),
        (f"/s/{SECRET}.pdf", "/s/aaaa….pdf"),
        ("127.0.0.1:8000 at 08:00:01", "127.0.0.1:8000 at 08:00:01"),
        ("Service Unavailable: /books/", "Service Unavailable: /books/"),
    ],
)
def test_addresses_mail_and_tokens_are_blotted_out_of_every_line(said, kept):
    assert tracing.anonymous(said) == kept


@pytest.mark.django_db
def test_an_address_cannot_begin_a_line_of_its_own_in_the_log(visitor, logged):
    visitor.get("/nowhere%0A08:00:00 info GET /made-up 200%0D%1B[31m")
    (line,) = [line for line in logged if line["logger"] == "armybuilder.access"]
    assert line["path"] == "/nowhere?08:00:00 info GET /made-up 200??[31m"


def test_a_line_for_a_person_says_the_same():
    record = logging.LogRecord("x", logging.INFO, "f", 1, f"GET /s/{SECRET} from {ADDRESS}", None, None)
    assert re.fullmatch(r"\d\d:\d\d:\d\d info GET /s/aaaa… from \(address\)", tracing.Text().format(record))


# ---------------------------------------------------------------- proxies


@pytest.mark.parametrize(
    ("number", "forwarded", "seen"),
    [
        (0, "198.51.100.1", "10.0.0.1"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "made-up, 198.51.100.1", "198.51.100.1"),
        (2, "198.51.100.1, 198.51.100.2", "198.51.100.1"),
        (1, "2001:db8::1", "2001:db8::1"),
        (1, "made-up", "10.0.0.1"),
        (2, "198.51.100.1", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_a_visitor_is_known_by_what_our_own_proxies_saw(rf, settings, number, forwarded, seen):
    settings.TRUST_PROXY_HEADERS = number
    request = rf.get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
    proxies.proxied(lambda request: None)(request)
    assert request.META["REMOTE_ADDR"] == seen


# ---------------------------------------------------------------- without a database, on a full disk


def out_of_service(response):
    page = response.content.decode()
    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
    assert "cannot reach its data" in page
    assert response.headers["X-Request-ID"] in page
    assert "Error" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/books/", f"/s/{'t' * 22}", "/mine/"])
def test_without_a_database_there_is_a_clear_page(visitor, address):
    def gone(execute, *arguments):
        raise OperationalError("connection refused")

    visitor.cookies["armybuilder_browser"] = SECRET
    visitor.cookies["sessionid"] = SECRET
    with connection.execute_wrapper(gone):
        response = visitor.get(address)
    out_of_service(response)


@pytest.mark.django_db
def test_without_a_database_the_api_says_so_as_json(visitor):
    def gone(execute, *arguments):
        raise OperationalError("connection refused")

    with connection.execute_wrapper(gone):
        response = visitor.get(f"/api/v1/rosters/{'t' * 22}")
    assert response.status_code == 503
    assert [fault["path"] for fault in response.json()["errors"]] == [""]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a way to fill an SQLite file alone")
def test_on_a_full_disk_nothing_is_half_saved_and_room_is_all_it_takes(visitor):
    made = visitor.post(f"/s/{Roster.objects.get(sample='vsgmr/dwarves').token}/copy")
    roster = Roster.objects.get(token=made.url.split("/")[2])
    before = {table: rows(table) for table in ("rosters_roster", "rosters_element", "rosters_revision")}
    with connection.cursor() as cursor:
        fill_the_gaps(cursor)
        cursor.execute(f"PRAGMA max_page_count = {pragma(cursor, 'page_count')}")
        for _ in range(200):
            response = visitor.post(f"/r/{roster.token}/", {"do": f"formation-duplicate {formation(roster)}"})
            if response.status_code != 302:
                break
            before = {table: rows(table) for table in before}
        out_of_service(response)
        assert {table: rows(table) for table in before} == before
        cursor.execute("PRAGMA max_page_count = 1073741823")
        cursor.execute("DROP TABLE filler")
    address, sent = typed_again(response)
    assert visitor.post(address, sent).status_code == 302
    assert rows("rosters_revision") == before["rosters_revision"] + 1


def fill_the_gaps(cursor):
    """Use up the pages that earlier deletions left free in the file."""
    size = pragma(cursor, "freelist_count") * pragma(cursor, "page_size")
    cursor.execute(f"CREATE TABLE filler AS SELECT zeroblob({size}) AS room")


def pragma(cursor, name):
    cursor.execute(f"PRAGMA {name}")
    return cursor.fetchone()[0]


def rows(table):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        return cursor.fetchone()[0]


def formation(roster):
    return roster.formations.order_by("position").values_list("uid", flat=True)[0]


# ---------------------------------------------------------------- the copy of an SQLite file


@pytest.fixture
def written(tmp_path):
    """An SQLite file in WAL mode that a writer goes on writing to; its path and the writer's connection."""
    path = tmp_path / "live.sqlite3"
    with sqlite3.connect(path, isolation_level=None) as live:
        live.execute("PRAGMA journal_mode=WAL")
        live.execute("CREATE TABLE pairs (a INTEGER, b INTEGER)")
        live.executemany("INSERT INTO pairs VALUES (?, ?)", [(n, n) for n in range(5000)])
        yield path, live
    live.close()


def test_a_copy_is_one_moment_of_a_file_that_is_being_written_to(written, tmp_path):
    path, live = written
    live.execute("BEGIN IMMEDIATE")
    live.execute("INSERT INTO pairs VALUES (5000, 0)")
    copy = tmp_path / "copy.sqlite3"
    size = sqlitebackup.copy(str(path), copy)
    live.execute("COMMIT")
    assert size == copy.stat().st_size
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as found:
        assert found.execute("SELECT COUNT(*), SUM(a = b) FROM pairs").fetchone() == (5000, 5000)
    assert sorted(each.name for each in tmp_path.glob("copy*")) == ["copy.sqlite3"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="copies an SQLite file")
def test_the_command_copies_everything_and_leaves_nothing_else_behind(tmp_path, capsys):
    target = tmp_path / "backup.sqlite3"
    call_command("sqlitebackup", str(target))
    with sqlite3.connect(target) as found:
        assert found.execute("SELECT COUNT(*) FROM rosters_roster").fetchone() == (Roster.objects.count(),)
    assert [each.name for each in tmp_path.iterdir()] == ["backup.sqlite3"]
    with pytest.raises(CommandError, match="--replace"):
        call_command("sqlitebackup", str(target))
    call_command("sqlitebackup", str(target), replace=True)
    with pytest.raises(CommandError, match="Nothing was written"):
        call_command("sqlitebackup", str(tmp_path / "nowhere" / "backup.sqlite3"))


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about an SQLite file")
def test_a_file_that_is_gone_is_not_made_up(tmp_path, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "gone.sqlite3"))
    with pytest.raises(CommandError, match="Nothing was written"):
        call_command("sqlitebackup", str(tmp_path / "backup.sqlite3"))
    assert [*tmp_path.iterdir()] == []


# ---------------------------------------------------------------- the production server


def asked(port, address, **headers):
    """(status, headers, body) of an answer; redirects are answers too."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{address}", headers=headers)
    opener = urllib.request.build_opener(
        type("Stay", (urllib.request.HTTPRedirectHandler,), {"redirect_request": stay})
    )
    try:
        with opener.open(request, timeout=30) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def stay(self, *redirect):
    return None


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Gunicorn as in production, with two processes and static files collected; its port and its log."""
    folder = tmp_path_factory.mktemp("production")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = {
        **{"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "PORT": str(port)},
        **{**PRODUCTION, "TRUST_PROXY_HEADERS": "1", "METRICS_TOKEN": "hush-hush", "WORKERS": "2", "THREADS": "2"},
        **{"DATA_DIR": str(folder), "STATIC_ROOT": str(folder / "static")},
    }
    for command in (["migrate", "--verbosity", "0"], ["collectstatic", "--noinput", "--verbosity", "0"]):
        done = manage(*command, **variables)
        assert done.returncode == 0, done.stderr
    log = folder / "log"
    gunicorn = shutil.which("gunicorn", path=str(Path(sys.executable).parent))
    with log.open("w") as file:
        process = subprocess.Popen([gunicorn], cwd=ROOT, env=variables, stderr=file, stdout=file)
    try:
        wait_for(port, process)
        yield port, log
    finally:
        process.terminate()
        process.wait(40)
    assert [*folder.glob("armybuilder-metrics-*")] == []


def wait_for(port, process):
    for _ in range(600):
        assert process.poll() is None, "gunicorn ended"
        try:
            if asked(port, "/ready")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("gunicorn is not ready after a minute")


HTTPS = {"Host": "armies.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": ADDRESS}


def test_in_production_http_goes_on_to_https_which_browsers_remember(server):
    port, _ = server
    status, headers, _ = asked(port, "/books/?a=b", Host="armies.example.org")
    assert (status, headers["Location"]) == (301, "https://armies.example.org/books/?a=b")
    status, headers, _ = asked(port, "/", **HTTPS)
    assert status == 200
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "; Secure" in headers["Set-Cookie"]


def test_in_production_static_files_are_hashed_compressed_and_kept_for_ever(server):
    port, _ = server
    page = asked(port, "/", **HTTPS)[2].decode()
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(files) >= 4
    for file in files:
        status, headers, _ = asked(port, file, **HTTPS, **{"Accept-Encoding": "br, gzip"})
        assert status == 200, file
        assert "immutable" in headers["Cache-Control"], file
        assert headers["Content-Encoding"] == "br", file


def test_in_production_another_host_is_told_so(server):
    port, _ = server
    status, _, body = asked(port, "/", **{**HTTPS, "Host": "evil.example"})
    assert status == 400
    assert b"evil.example" not in body
    assert b"answers to other names" in body


def test_the_numbers_of_both_processes_are_added_up(server):
    port, _ = server
    before = asked_for_errata(port)
    for _ in range(40):
        asked(port, "/errata/", **HTTPS)
    assert asked_for_errata(port) == before + 40


def asked_for_errata(port):
    status, _, body = asked(port, "/metrics", Authorization="Bearer hush-hush")
    assert status == 200
    found = re.search(rb'requests_total\{method="GET",route="/errata/",status="200"\} (\S+)', body)
    return int(float(found[1])) if found else 0


def test_in_production_every_line_of_the_log_is_json_and_none_tells_who_asked(server):
    port, log = server
    asked(port, f"/s/{SECRET}?word=sensitive", **{**HTTPS, "X-Request-ID": "number-2"})
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (line,) = [line for line in lines if line.get("request_id") == "number-2"]
    assert (line["path"], line["status"]) == ("/s/aaaa…", 404)
    assert not [word for word in (ADDRESS, SECRET, "sensitive") if word in log.read_text()]
