"""Settings, all from the environment, with defaults that suit one machine."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

import bootstrap
import dj_database_url
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent


def flag(name: str) -> bool:
    """Whether the environment turns ``name`` on."""
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def listed(name: str, default: str) -> list[str]:
    """The comma-separated words of the environment variable ``name``."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def limit(name: str, default: int) -> int:
    """A limit from the environment; 0 turns it off."""
    return int(os.environ.get(name, "") or default)


def kept_secret(path: Path) -> str:
    """The secret key of this checkout: made on the first run and kept beside the database."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text()


DEBUG = flag("DEBUG")
DEBUG_HEADERS = flag("DEBUG_HEADERS")
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(BASE_DIR / ".secret-key")
ALLOWED_HOSTS = listed("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1],testserver")
CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS", "")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "bs_icon_templates",
    "crispy_forms",
    "crispy_bootstrap5",
    "allauth",
    "allauth.account",
    "rosters",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "rosters.middleware.query_count",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "rosters.middleware.browser",
    "rosters.middleware.body_size",
]

ROOT_URLCONF = "armybuilder.urls"
WSGI_APPLICATION = "armybuilder.wsgi.application"
ASGI_APPLICATION = "armybuilder.asgi.application"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

DATABASES = {
    "default": dj_database_url.config(default=f"sqlite:///{BASE_DIR / 'armybuilder.sqlite3'}", conn_max_age=60)
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # a writer takes its lock at once, so none fails half-way
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-20000;",
    }
    # Browser tests share the database with the server's thread, so it stands in a file.
    DATABASES["default"]["TEST"] = {"NAME": str(BASE_DIR / "build" / "test.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FIXTURE_DIRS = [BASE_DIR / "fixtures"]
ARMIES = BASE_DIR / "fixtures" / "armies"

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "sheets": {  # drawn PDFs and pictures: few, because they are large
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "sheets",
        "OPTIONS": {"MAX_ENTRIES": 64},
    },
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "build" / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static", ("bootstrap", next(iter(bootstrap.__path__)))]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# Accounts are optional: an e-mail address and a password, no usernames. Without EMAIL_URL, mails are printed.
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",  # the admin's, by username
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "claim"  # goes on to My rosters when this browser has nothing to claim
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = os.environ.get("EMAIL_VERIFICATION") or "optional"  # or mandatory, or none
ACCOUNT_CHANGE_EMAIL = True  # one address for each account; a new one counts once it is confirmed
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nobody gets mail because a stranger typed their address
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of a changed password or address
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Armybuilder: "
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_USER_DISPLAY = "rosters.access.name_of"
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/300s/key", "signup": "20/m/ip"}

_mail = urlsplit(os.environ.get("EMAIL_URL") or "console:")  # smtp://user:password@host:port, smtp+tls:, smtps:
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _mail.scheme.startswith('smtp') else 'console'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = _mail.hostname or "localhost", _mail.port or 25
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.scheme == "smtp+tls", _mail.scheme == "smtps"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM") or "Armybuilder <armybuilder@localhost>"

# Limits: each is an environment variable, and 0 turns it off.
MOST_PAGES = limit("MOST_PAGES", 500)  # of one PDF; counted before anything is drawn
MOST_FILLABLE_PAGES = limit("MOST_FILLABLE_PAGES", 50)  # of one with form fields, which take longest to draw
PDFS_A_MINUTE = limit("PDFS_A_MINUTE", 30)  # for each client
MOST_SENT = limit("MOST_SENT", 24 * 1024 * 1024)  # bytes of one request: twenty files to import, and some room
DOWNLOADS_A_MINUTE = limit("DOWNLOADS_A_MINUTE", 10)  # of all that an account holds, for each client
CHECKS_A_MINUTE = limit("CHECKS_A_MINUTE", 20)  # pages of many links, for each client
PREVIEWS_A_MINUTE = limit("PREVIEWS_A_MINUTE", 240)  # pictures of a sheet's first page, for each client

# A page of 2,000 elements sends one quantity field for each when JavaScript is off.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
BROWSER_COOKIE = "armybuilder_browser"
BROWSER_COOKIE_AGE = 400 * 24 * 3600
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "rosters.views.errors.csrf_failure"
