"""Settings from the environment, probes, logs, metrics, pages without a database, and the production server itself."""

import json
import logging
import os
import re
import runpy
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands
from django.core.management.base import SystemCheckError
from django.db import OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from environs import EnvError

from armybuilder import environment
from rosters.management.commands import sqlitebackup
from rosters.models import Roster
from rosters.web.http import probes, proxy, request_log
from tests.notation import rows
from tests.ops.serving import asked, serving
from tests.support import resubmitted_form
from tools.served import free_port

ROOT = Path(__file__).parent.parent.parent
KEY = "k3-9Jx_aa7Qw2eZr5tYu8iOp0LmNbVcXsDfGhJkQ1w2E3r4T5y6U"
ADDRESS = "203.0.113.9"
SECRET = "a" * 21 + "Zq" + "b" * 20
"""As long as the secret of an edit link."""
PRODUCTION = {"PRODUCTION": "1", "SECRET_KEY": KEY, "ALLOWED_HOSTS": "armies.example.org"}


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


def manage(*arguments, **variables):
    """Run manage.py in a process of its own, with these variables and none of ours."""
    ours = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=ours, capture_output=True, text=True, check=False, timeout=120)


HOSTS = ["armies.example.org", ".example.org", "192.168.1.20", "[::1]", "*"]
# reader, the reader's other arguments, what is read by the variable's text, texts that are refused
READERS = [
    (environment.flag, (), {"1": True, "Yes": True, "0": False, "off": False, "": False}, ["perhaps"]),
    (environment.limit, (7,), {"": 7, "0": 0}, ["-1", "ten", "9" * 16]),
    (environment.choice, (["json", "text"], "text"), {}, ["xml"]),
    (environment.log_level, ("INFO",), {"error": "ERROR"}, ["loud"]),
    (environment.comma_separated, ("", environment.host_names), {", ".join(HOSTS): HOSTS}, ["https://a.b", "a.b:80"]),
]
WRONG_DATABASES = ["mysql://a:hush@h/n", "postgres://a:hush@h:port/n", "nonsense", "postgres://a:hush/hush@h/n"]
# reader of a URL, its variable, URLs that it refuses
INVALID_URLS = [
    (environment.database, "DATABASE_URL", WRONG_DATABASES),
    (environment.caches, "CACHE_URL", ["redis://:hush@h:port/0", "memcached://here"]),
    (environment.mail, "EMAIL_URL", ["smtp://a:hush@h:port"]),
]
GUNICORN_REFUSES = [("WORKERS", "abc"), ("WORKERS", "0"), ("THREADS", "-1"), ("PORT", "99999"), ("TIMEOUT", "1.5")]


def test_a_variable_is_read_or_refused_with_its_name_and_without_a_password(monkeypatch):
    for reader, arguments, values, wrong in READERS:
        for given in [*values, *wrong]:
            monkeypatch.setenv("A_SETTING", given)
            refusal = pytest.raises(EnvError, match=f'"A_SETTING" invalid: .*must .*{given[:5]}')
            with refusal if given in wrong else nullcontext():
                assert reader("A_SETTING", *arguments) == values[given], given
    for reader, name, values in INVALID_URLS:
        for given in values:
            monkeypatch.setenv(name, given)
            with pytest.raises(EnvError, match=name) as error:
                reader("default:")
            assert "hush" not in str(error.value)
    for name, given in GUNICORN_REFUSES:
        monkeypatch.setenv(name, given)
        with pytest.raises(EnvError, match=f'"{name}" invalid: .*not .?{given}'):
            runpy.run_path(str(ROOT / "gunicorn.conf.py"))
        monkeypatch.delenv(name)


def test_a_secret_key_is_generated_once_for_one_machine_and_must_be_given_in_production(tmp_path, monkeypatch):
    path = tmp_path / ".secret-key"
    for given in ("", "short", "a" * 60):
        monkeypatch.setenv("SECRET_KEY", given)
        with pytest.raises((EnvError, ImproperlyConfigured), match="SECRET_KEY"):
            environment.secret_key(True, path)
    assert not path.exists()
    monkeypatch.delenv("SECRET_KEY")
    key = environment.secret_key(False, path)
    assert len(key) >= 50
    assert environment.secret_key(False, path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_url_names_an_sqlite_file_in_any_folder_a_pool_of_postgresql_with_its_pooler_or_a_mail_server(monkeypatch):
    for folder in ("/var/lib/armybuilder", "/Users/ann/Application Support", "/Club #1", "/100%/a?b%20c"):
        path = Path(folder) / "armybuilder.sqlite3"
        monkeypatch.setattr(os, "environ", {"DATABASE_POOL": "5"})
        database = environment.database(environment.sqlite_url(path))
        assert (database["NAME"], database["CONN_MAX_AGE"]) == (str(path), 60)
    url = "postgres://a@h/n?prepare_threshold=5"
    for pooler, expected in (("0", [5, False, True]), ("1", [None, True, False])):
        monkeypatch.setattr(os, "environ", {"DATABASE_URL": url, "DATABASE_POOLER": pooler, "THREADS": "4"})
        runpy.run_path(str(ROOT / "gunicorn.conf.py"))
        settings = environment.database("")
        database = DatabaseWrapper(connection.settings_dict | settings)
        prepared, held = database.get_connection_params()["prepare_threshold"], database.settings_dict
        assert [prepared, held["DISABLE_SERVER_SIDE_CURSORS"], "PGOPTIONS" in os.environ] == expected
        assert (settings["CONN_MAX_AGE"], settings["OPTIONS"]["pool"]["max_size"]) == (0, 5)
    names = ["BACKEND", "PORT", "USE_TLS", "USE_SSL", "HOST_USER", "HOST_PASSWORD"]
    for url, expected in {
        "smtp://mail.example.org": ("smtp", 25, False, False, "", ""),
        "smtp+tls://a%40b:p%2Fw@mail.example.org": ("smtp", 587, True, False, "a@b", "p/w"),
        "smtps://a:b@mail.example.org:4650": ("smtp", 4650, False, True, "a", "b"),
        "console:": ("console", 25, False, False, "", ""),
    }.items():
        backend, *others = (environment.mail(url)[f"EMAIL_{name}"] for name in names)
        assert (backend.split(".")[-2], *others) == expected, url


def test_config_prints_what_is_in_force_and_no_secret(capsys):
    secrets = {"DATABASE_URL": "postgres://a:hush1@h/n", "CACHE_URL": "redis://:hush2@h/0", "METRICS_TOKEN": "hush3"}
    done = manage("config", **PRODUCTION, **secrets, EMAIL_URL="smtp://a:hush4@h", PDFS_A_MINUTE="0")
    assert done.returncode == 0, done.stderr
    assert "SECRET_KEY" in manage("check", PRODUCTION="1").stderr.splitlines()[-1]
    assert not [word for word in (KEY, "hush1", "hush2", "hush3", "hush4") if word in done.stdout]
    assert "hush" not in environment.without_password("postgres://host/name?password=hush&x=hush")
    lines = {line.split()[1]: line.split() for line in done.stdout.splitlines()}
    assert lines["PDFS_A_MINUTE"] == ["given", "PDFS_A_MINUTE", "0"]
    assert lines["SECRET_KEY"] == ["given", "SECRET_KEY", "(hidden)"]
    assert [lines[name][0] for name in ("HTTPS", "WORKERS")] == ["default", "default"]
    call_command("config", json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["variables"]["HTTPS"]["given"], found["runs"]["cache"]) == (False, "LocMemCache")


def test_what_deploys_it_names_the_variables_and_commands_that_there_are():
    page, compose = (ROOT / "docs" / "deploy.md").read_text(), (ROOT / "compose.yaml").read_text()
    known = {name for name in environment.configuration() if not name.startswith("A_")}
    assert [name for name in known if f"`{name}`" not in page] == [], "add them to the table of docs/deploy.md"
    assert {*re.findall(r"^    ([A-Z_]+):", compose, re.MULTILINE)} <= known | {"BIND", "WORKERS", "THREADS"}
    names = ("Dockerfile", "deploy/armybuilder.service", "gunicorn.conf.py")
    texts = page + compose + "".join((ROOT / name).read_text() for name in names)
    assert {*re.findall(r"manage\.py ([a-z]+)", texts)} <= {*get_commands()}


@pytest.mark.django_db
def test_probes_answer_by_any_name_and_do_not_say_why_something_is_missing(visitor, settings, monkeypatch):
    def gone():
        raise OperationalError("password=hush")

    settings.ALLOWED_HOSTS = ["armies.example.org"]
    health, ready = (visitor.get(address, HTTP_HOST="10.0.0.7:8000") for address in ("/health", "/ready"))
    assert (health.json(), ready.json()["status"]) == ({"status": "alive"}, "ready")
    assert "no-store" in ready.headers["Cache-Control"]
    for missing, status in {"database": 503, "writable": 503, "migrations": 503, "cache": 200}.items():
        with monkeypatch.context() as patch:
            patch.setitem(probes.CHECKS, missing, gone)
            response = visitor.get("/ready", HTTP_HOST="10.0.0.7:8000")
        assert response.status_code == status
        assert [name for name, state in response.json().items() if state == "failed"] == [missing]
        assert "hush" not in response.content.decode()


@pytest.mark.django_db
def test_a_migration_that_is_missing_makes_it_unready_and_one_of_a_newer_version_stops_it(monkeypatch):
    monkeypatch.setattr(probes, "migrations_applied", [])
    assert probes.migrations()
    call_command("migrate", skip_checks=False, verbosity=0)
    applied = MigrationRecorder(connection)
    applied.record_applied("rosters", "9999_of_a_newer_version")
    assert probes.migrations(), "what was seen to be applied is not looked for again"
    monkeypatch.setattr(probes, "migrations_applied", [])
    assert not probes.migrations()
    with pytest.raises(SystemCheckError, match="9999_of_a_newer_version"):
        call_command("migrate", skip_checks=False)
    applied.migration_qs.filter(app="rosters").delete()
    assert not probes.migrations()


SENDERS = [{}, {"REMOTE_ADDR": ADDRESS}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}]
SENDERS += [{"HTTP_AUTHORIZATION": f"Bearer {given}"} for given in ("hush", "hush-hush")]
# the metrics' token, whether in production: how senders are answered
METRICS = {("hush-hush", False): [401, 401, 401, 401, 200], ("", False): [200, 404, 404, 200, 200]}
METRICS["", True] = [404] * 5


def test_metrics_are_for_the_token_or_this_machine_and_get_no_series_that_a_stranger_makes_up(visitor, settings):
    visitor.generic("MADEUP", "/no/such/1")
    visitor.get("/health")
    metrics = visitor.get("/metrics").content.decode()
    assert not [word for word in ("MADEUP", "/no/such") if word in metrics]
    assert 'method="other",route="none"' in metrics
    assert 'armybuilder_requests_total{method="GET",route="/health",status="200"}' in metrics
    for given, expected in METRICS.items():
        settings.METRICS_TOKEN, settings.PRODUCTION = given
        assert [visitor.get("/metrics", **sender).status_code for sender in SENDERS] == expected, given


@pytest.fixture
def logged():
    """What is logged during a test, a list of lines as data, each as its JSON says it."""
    lines, formatter, handler = [], request_log.JsonFormatter(), logging.Handler()
    handler.emit = lambda record: lines.append(json.loads(formatter.format(record)))
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
def test_a_line_of_the_log_has_the_request_and_nothing_of_the_client(visitor, logged):
    path = f"/e/{'t' * 22}/{SECRET}?query=sensitive"
    headers = {"X-Request-ID": "number-1", "User-Agent": "Tell/1.0", "Cookie": "a=tale", "Referer": "/told"}
    response = visitor.get(path, headers=headers, REMOTE_ADDR=ADDRESS)
    visitor.get("/nowhere%0A08:00:00 info GET /made-up 200%0D%1B[31m")
    line, forged = [line for line in logged if line["logger"] == "armybuilder.access"]
    assert forged["path"] == "/nowhere?08:00:00 info GET /made-up 200??[31m"
    assert (line["request_id"], line["status"], line["method"]) == ("number-1", response.status_code, "GET")
    assert (line["route"], line["path"]) == ("/e/<token:token>/<token:secret>", "/e/tttt…/aaaa…")
    assert (line["bytes"], line["ms"] >= 0) == (len(response.content), True)
    everything = json.dumps(logged, ensure_ascii=False)
    assert not [word for word in (ADDRESS, SECRET, "sensitive", "Tell", "tale", "told") if word in everything]


# what is said, and what of it the log keeps
BLOTTED = {f"from {ADDRESS} port 80": "from (address) port 80", "from 2001:db8:1:2:3:4:5:6": "from (address)"}
BLOTTED |= {"to ann.b+c@example.org now": "to (e-mail) now", f"/s/{SECRET}.pdf": "/s/aaaa….pdf"}
BLOTTED |= {same: same for same in ("127.0.0.1:8000 at 08:00:01", "Service Unavailable: /books/")}


def test_an_error_is_logged_by_its_place_and_addresses_mail_and_tokens_are_blotted_out_of_every_line():
    try:
        raise ValueError(f"duplicate key\nDETAIL: Key (email)=(ann@example.org) from {ADDRESS}")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "said", None, sys.exc_info())
    told = json.loads(request_log.JsonFormatter().format(record))["error"]
    assert (told["type"], told["message"]) == ("ValueError", "duplicate key")
    assert "test_an_error" in told["frames"][-1]
    assert {said: request_log.anonymize(said) for said in BLOTTED} == BLOTTED
    assert request_log.anonymize("a." * 500_000) == "a." * 500_000, "in linear time, or this takes half an hour"
    record = logging.LogRecord("x", logging.INFO, "f", 1, f"GET /s/{SECRET} from {ADDRESS}", None, None)
    assert request_log.TextFormatter().format(record).endswith(" info GET /s/aaaa… from (address)")


FORWARDED = rows("""  # proxies of ours, what X-Forwarded-For says, whom we see
    0 = 198.51.100.1 = 10.0.0.1 | 1 = made-up, 198.51.100.1 = 198.51.100.1 | 1 = 2001:db8::1 = 2001:db8::1
    2 = 198.51.100.1, 198.51.100.2 = 198.51.100.1 | 1 = made-up = 10.0.0.1 | 2 = 198.51.100.1 = 10.0.0.1
    1 = = 10.0.0.1 | 1 = ::ffff:198.51.100.1 = 198.51.100.1 | 1 = 2001:db8::1, made-up = 10.0.0.1
""")


def test_a_visitor_is_known_by_what_our_proxies_saw_and_a_request_by_its_id_unless_invalid(visitor, rf, settings):
    for given, kept in (
        *((good, re.escape(good)) for good in ("abcdefgh", "a-b_c.d-1", "x" * 64)),
        *((bad, "[0-9a-f]{16}") for bad in ("", "short", "x" * 65, "a b c d e f", 'a"b{c}d:efgh', "łłłłłłłłł")),
    ):
        assert re.fullmatch(kept, visitor.get("/health", HTTP_X_REQUEST_ID=given).headers["X-Request-ID"]), given
    for number, forwarded, seen in FORWARDED:
        settings.TRUST_PROXY_HEADERS = int(number)
        request = rf.get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
        proxy.trust_proxy(lambda request: None)(request)
        assert request.META["REMOTE_ADDR"] == seen, (number, forwarded)


def out_of_service(response):
    page = response.content.decode()
    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
    assert response.headers["X-Request-ID"] in page
    assert "Error" not in page


@pytest.mark.django_db
def test_without_a_database_there_is_a_clear_answer(visitor):
    def gone(execute, *arguments):
        raise OperationalError("connection refused")

    visitor.cookies["armybuilder_browser"] = visitor.cookies["sessionid"] = SECRET
    with connection.execute_wrapper(gone):
        for address in ("/", "/books/", f"/s/{'t' * 22}", "/mine/"):
            out_of_service(visitor.get(address))
        response = visitor.get(f"/api/v1/rosters/{'t' * 22}")
    assert response.status_code == 503
    assert [fault["path"] for fault in response.json()["errors"]] == [""]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a way to fill an SQLite file alone")
def test_on_a_full_disk_nothing_is_half_saved_and_room_is_all_it_takes(owner):
    roster, owner.raise_request_exception = owner.copy_sample(), False
    sent = {"formation": roster.formations.earliest("position").uid}
    size = one("PRAGMA freelist_count") * one("PRAGMA page_size")
    one(f"CREATE TABLE filler AS SELECT zeroblob({size}) AS room")  # the pages that were free in the file
    one(f"PRAGMA max_page_count = {one('PRAGMA page_count')}")
    before = counted()
    while (response := owner.post_to(roster, "formation/duplicate", **sent)).status_code == 302:
        before = counted()
    out_of_service(response)
    assert counted() == before
    one("PRAGMA max_page_count = 1073741823")
    one("DROP TABLE filler")
    address, sent = resubmitted_form(response)
    assert owner.post(address, sent).status_code == 302
    assert counted()[2] == before[2] + 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_read_only_database_is_read_and_a_change_gets_the_page_with_what_was_typed(owner, visitor, monkeypatch):
    roster, owner.raise_request_exception = owner.copy_sample(), False
    assert visitor.get("/ready").json()["writable"] == "ok"
    with monkeypatch.context() as patch:
        if connection.vendor == "sqlite":
            name = f"file:{connection.settings_dict['NAME']}?mode=ro"
            patch.setitem(connection.settings_dict, "NAME", name)
            connection.close()
        else:
            connection.cursor().execute("SET default_transaction_read_only = on")
        response, ready = owner.post_to(roster, "formation/add"), visitor.get("/ready")
        assert owner.get(f"/s/{roster.token}").status_code == 200
        connection.close()
    out_of_service(response)
    assert (ready.status_code, ready.json()["writable"], ready.json()["database"]) == (503, "failed", "ok")
    address, sent = resubmitted_form(response)
    assert owner.post(address, sent).status_code == 302


def counted():
    return [one(f"SELECT COUNT(*) FROM rosters_{table}") for table in ("roster", "element", "revision")]


def one(statement):
    """The value that a statement gives, if any."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return next(iter(cursor.fetchone() or ()), None)


def test_a_copy_is_one_moment_of_a_file_that_is_being_written_to(tmp_path):
    path, copy = tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as live:
        live.executescript("PRAGMA journal_mode=WAL; CREATE TABLE numbers (a); INSERT INTO numbers VALUES (1)")
        live.executescript("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (2)")
        assert sqlitebackup.copy(str(path), copy) == copy.stat().st_size
        live.execute("COMMIT")
    with sqlite3.connect(copy) as found:
        assert found.execute("SELECT * FROM numbers").fetchall() == [(1,)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="copies an SQLite file")
def test_the_command_copies_everything_and_leaves_nothing_else_behind(tmp_path, monkeypatch):
    target = tmp_path / "backup.sqlite3"
    call_command("sqlitebackup", str(target))
    call_command("sqlitebackup", str(target), replace=True)
    with sqlite3.connect(target) as found:
        assert found.execute("SELECT COUNT(*) FROM rosters_roster").fetchone() == (Roster.objects.count(),)
    own, gone = connection.settings_dict["NAME"], str(tmp_path / "gone.sqlite3")
    for name, database in (("backup.sqlite3", own), ("nowhere/backup.sqlite3", own), ("another.sqlite3", gone)):
        monkeypatch.setitem(connection.settings_dict, "NAME", database)
        with pytest.raises(CommandError):
            call_command("sqlitebackup", str(tmp_path / name))
    assert [each.name for each in tmp_path.iterdir()] == ["backup.sqlite3"], "a file that is gone is not made up"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


PREPARE = """
from django.core.management import call_command
call_command("check", deploy=True, fail_level="WARNING")
call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["admin", "ninja"])
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory, django_db_setup, django_db_blocker):
    """Gunicorn as in production, where `check --deploy` is clean, with two processes; its port and its log.

    Its database is a copy of this run's without rosters: migrating one takes seconds, and so does drawing samples.
    """
    folder, port = tmp_path_factory.mktemp("production"), free_port()
    variables = {
        **{"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "PORT": str(port)},
        **{**PRODUCTION, "TRUST_PROXY_HEADERS": "1", "METRICS_TOKEN": "hush-hush", "WORKERS": "2", "THREADS": "2"},
        **{"DATA_DIR": str(folder / "not" / "there"), "STATIC_ROOT": str(folder / "static")},
    }
    done = manage("shell", "-v0", "-c", PREPARE, **variables)
    assert done.returncode == 0, done.stderr
    with django_db_blocker.unblock(), closing(sqlite3.connect(folder / "not" / "there" / "armybuilder.sqlite3")) as new:
        connection.ensure_connection()
        connection.connection.backup(new)
        new.execute("DELETE FROM rosters_roster")
        new.commit()
    gunicorn = shutil.which("gunicorn", path=str(Path(sys.executable).parent))
    with serving([gunicorn], port, folder / "log", cwd=ROOT, env=variables):
        yield port, folder / "log"
    assert [*folder.glob("armybuilder-metrics-*")] == []


HTTPS = {"Host": "armies.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": ADDRESS}


def test_in_production_http_goes_on_to_https_numbers_of_processes_are_added_up_and_the_log_is_json(server):
    port, _ = server
    status, headers, _ = asked(port, "/books/?a=b", Host="armies.example.org")
    assert (status, headers["Location"]) == (301, "https://armies.example.org/books/?a=b")
    status, headers, body = asked(port, "/new/msc", **HTTPS)
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert "; Secure" in headers["Set-Cookie"]
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', body.decode())
    assert len(files) >= 4
    for file in files:
        status, headers, _ = asked(port, file, **HTTPS, **{"Accept-Encoding": "br, gzip"})
        assert (status, headers["Content-Encoding"], "immutable" in headers["Cache-Control"]) == (200, "br", True), file
    status, _, body = asked(port, "/", **{**HTTPS, "Host": "evil.example"})
    assert (status, b"evil.example" in body) == (400, False)
    port, _ = server

    def counted():
        _, _, body = asked(port, "/metrics", Authorization="Bearer hush-hush")
        found = re.search(rb'requests_total\{method="GET",route="/errata/",status="200"\} (\S+)', body)
        return int(float(found[1])) if found else 0

    before = counted()
    for _ in range(40):
        asked(port, "/errata/", **HTTPS)
    assert counted() == before + 40
    port, log = server
    asked(port, f"/s/{SECRET}?word=sensitive", **HTTPS, **{"X-Request-ID": "number-2"})
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (line,) = [line for line in lines if line.get("request_id") == "number-2"]
    assert (line["path"], line["status"]) == ("/s/aaaa…", 404)
    assert not [word for word in (ADDRESS, SECRET, "sensitive") if word in log.read_text()]
