"""Settings, all from the environment, with defaults that suit one machine; PRODUCTION=1 suits the internet.

docs/deploy.md documents each; `manage.py config` prints those in force.
"""

from pathlib import Path

import bootstrap
from csp.constants import NONE, SELF
from platformdirs import user_data_path

from armybuilder.environment import (
    caches,
    choice,
    comma_separated,
    database,
    env,
    flag,
    host_names,
    limit,
    log_level,
    mail,
    rates,
    secret_key,
    sqlite_url,
)

HERE = Path(__file__).resolve().parent
INSTALLED = (HERE / "files").is_dir()  # from a wheel: setup.py packs there what a checkout has beside this package
BASE_DIR = HERE / "files" if INSTALLED else HERE.parent
# Of the SQLite database, and of the secret key that is generated on the first run.
DATA_DIR = env.path("DATA_DIR", user_data_path("armybuilder", appauthor=False) if INSTALLED else BASE_DIR)
if INSTALLED:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

PRODUCTION = flag("PRODUCTION")
DEBUG = flag("DEBUG")
DEBUG_HEADERS = flag("DEBUG_HEADERS")
SECRET_KEY = secret_key(PRODUCTION, DATA_DIR / ".secret-key")
ALLOWED_HOSTS = comma_separated(
    "ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]" + ("" if PRODUCTION else ",testserver"), host_names
)
CSRF_TRUSTED_ORIGINS = comma_separated("CSRF_TRUSTED_ORIGINS")
TRUST_PROXY_HEADERS = limit("TRUST_PROXY_HEADERS", 0)  # the number of reverse proxies in front; usually 1

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "armybuilder.apps.StaticFiles",
    "csp",
    "django_htmx",
    "bs_icon_templates",
    "django.forms",  # its templates, so that ours override them
    "crispy_forms",
    "allauth",
    "allauth.account",
    "ninja",
    "rosters",
]

MIDDLEWARE = [
    "rosters.web.http.proxy.trust_proxy",
    "rosters.web.http.request_log.request_log",
    "rosters.web.http.security.permissions_policy",
    "rosters.web.http.security.content_security_policy",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "rosters.web.http.probes.probes",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "rosters.web.http.middleware.query_count",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "rosters.web.http.middleware.browser_cookie",
    "rosters.web.http.middleware.messages_not_stored",
