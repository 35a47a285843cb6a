"""Settings, all from the environment, with defaults that suit one machine; PRODUCTION=1 suits the internet.

docs/deploy.md documents each; `manage.py config` prints those in force.
"""

from pathlib import Path

from csp.constants import NONE, SELF
from django import VERSION
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
    replica,
    secret_key,
    sqlite_url,
    unchecked,
)

HERE = Path(__file__).resolve().parent
INSTALLED = (HERE / "files").is_dir()  # from a wheel: setup.py packs there what a checkout has beside this package
BASE_DIR = HERE / "files" if INSTALLED else HERE.parent
# The folder of the SQLite database and of the secret key, which is generated on the first run.
DATA_DIR = env.path("DATA_DIR", user_data_path("armybuilder", appauthor=False) if INSTALLED else BASE_DIR)
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

PRODUCTION = flag("PRODUCTION")
DEBUG = flag("DEBUG")
DEBUG_HEADERS = flag("DEBUG_HEADERS")
SECRET_KEY = secret_key(PRODUCTION, DATA_DIR / ".secret-key")
SECRET_KEY_FALLBACKS = comma_separated("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = comma_separated(
    "ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]" + ("" if PRODUCTION else ",testserver"), host_names
)
CSRF_TRUSTED_ORIGINS = comma_separated("CSRF_TRUSTED_ORIGINS")
TRUST_PROXY_HEADERS = limit("TRUST_PROXY_HEADERS", 0)  # the number of reverse proxies in front; usually 1

INSTALLED_APPS = [
    "rosters.web.accounts.apps.AdminConfig",
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
    "allauth.mfa",
    "allauth.usersessions",
    "ninja",
    *(["django_tasks"] if VERSION < (6, 0) else []),  # Django's tasks, for the release that has none
    "django_tasks_db",
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
    "rosters.web.http.middleware.language",
    "rosters.web.http.middleware.refuse_other_ports",
    "rosters.web.http.middleware.query_count",
    "rosters.web.sharing.cached.shared_pages",
    "rosters.web.http.middleware.drop_nul_cookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "rosters.web.http.middleware.browser_cookie",
    "rosters.web.http.middleware.form_redirect",
    "rosters.web.http.middleware.limit_body_size",
    "rosters.web.http.rate_limit.ProcessorTime",
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
FORM_RENDERER = "rosters.forms.renderer.Renderer"
CRISPY_ALLOWED_TEMPLATE_PACKS = ("armybuilder",)
CRISPY_TEMPLATE_PACK = "armybuilder"

DATABASES = {
    "default": database(default=sqlite_url(DATA_DIR / "armybuilder.sqlite3")),
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # a writer locks when its transaction begins, so that none fails half-way
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-20000;",
    }
    # A file, because browser tests share the database with the thread of the live server.
    DATABASES["default"]["TEST"] = {"NAME": str(BASE_DIR / "build" / "test.sqlite3")}
else:
    DATABASES["default"]["OPTIONS"].setdefault("connect_timeout", 5)  # seconds, then the error page
DATABASES |= unchecked(DATABASES["default"])  # for the query of rosters/store/shared.py
DATABASES |= replica(DATABASES["default"])  # for public reads, see rosters/store/replica.py
REPLICA_LAG_SECONDS = limit("REPLICA_LAG_SECONDS", 5)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ARMIES = BASE_DIR / "fixtures" / "armies"

CACHES = caches(default="locmem:")  # redis://host:port/0 for several processes, so that they count limits together

# Reports are worked on by `manage.py worker`; the database is the queue.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", (DATA_DIR if INSTALLED else BASE_DIR / "build") / "static")
if not PRODUCTION:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "build" / "assets", BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("map", "png", "jpg", "gif", "webp", "woff", "woff2", "gz", "br", "zip")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"  # hashed names, cached for ever
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Accounts are optional: an e-mail address and a password; staff have usernames. Without EMAIL_URL, e-mails are printed.
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "rosters.web.accounts.passwords.PasswordLength", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "claim"  # redirects to My rosters if this browser has nothing to claim
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "rosters.web.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email", "username"}  # createsuperuser asks for a username, and for no confirmed address
ACCOUNT_FORMS = {
    name: f"rosters.web.accounts.forms.{form}"
    for name, form in {
        "login": "SignInForm",
        "signup": "SignUpForm",
        "add_email": "ChangeEmailForm",
        "change_password": "ChangePasswordForm",
        "set_password": "SetPasswordForm",
        "reset_password": "ResetPasswordForm",
        "reset_password_from_key": "ResetPasswordKeyForm",
        "reauthenticate": "ReauthenticateForm",
    }.items()
}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that signed up
ACCOUNT_CHANGE_EMAIL = True  # one address per account; a new one replaces it once it is confirmed
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # to change the address
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True  # otherwise the time that a password reset takes would reveal who has an account
ACCOUNT_EMAIL_NOTIFICATIONS = True  # about a changed password or address
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Armybuilder: "
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_USER_DISPLAY = "rosters.web.http.permissions.display_name"

# smtp://user:password@host:port, smtp+tls:, smtps:. Not printed in production: logs hold no personal data.
MAIL = mail(default="dummy:" if PRODUCTION else "console:")
globals().update(MAIL)
EMAIL_TIMEOUT = 20
# Signing up can hide that an address is taken only if addresses must be confirmed, so they must wherever e-mail works.
ACCOUNT_EMAIL_VERIFICATION = choice(
    "EMAIL_VERIFICATION",
    ["mandatory", "optional", "none"],
    "mandatory" if MAIL["EMAIL_BACKEND"].endswith("smtp.EmailBackend") else "optional",
)
MFA_ALLOW_UNVERIFIED_EMAIL = True  # else a second factor would forbid to change the address
MFA_TOTP_TOLERANCE = 1  # accepts the codes before and after: clocks of phones differ
STAFF_SECOND_FACTOR = flag("STAFF_SECOND_FACTOR")
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", "Armybuilder <armybuilder@localhost>")

# Limits: each is an environment variable, and 0 turns it off.
MOST_PAGES = limit("MOST_PAGES", 100)  # of one PDF; counted before anything is rendered
MOST_FILLABLE_PAGES = limit("MOST_FILLABLE_PAGES", 40)  # of one PDF with form fields, which render slowest
PDFS_A_MINUTE = limit("PDFS_A_MINUTE", 30)  # for each client
MOST_SENT = limit("MOST_SENT", 24 * 1024 * 1024)  # bytes of one request: twenty files to import
DOWNLOADS_A_MINUTE = limit("DOWNLOADS_A_MINUTE", 10)  # of a whole account, for each client
REPORTS_A_MINUTE = limit("REPORTS_A_MINUTE", 6)  # of simulated battles, for each client
REPORT_WORKERS = limit("REPORT_WORKERS", 1)  # that the command `armybuilder` starts beside the server
REPORTS_AT_ONCE = limit("REPORTS_AT_ONCE", 3)  # that wait or are worked on, for each client
MOST_REPORTS = limit("MOST_REPORTS", 100)  # that wait for a worker, of everybody
CHECKS_A_MINUTE = limit("CHECKS_A_MINUTE", 20)  # link checks, for each client
COMPARISONS_A_MINUTE = limit("COMPARISONS_A_MINUTE", 60)  # of rosters or versions, for each client
PRINT_PAGES_A_MINUTE = limit("PRINT_PAGES_A_MINUTE", 120)  # pages of print options, for each client
ODDS_A_MINUTE = limit("ODDS_A_MINUTE", 60)  # pages and API requests of odds, for each client
API_A_MINUTE = limit("API_A_MINUTE", 120)  # API requests, for each client
CREATIONS_A_MINUTE = limit("CREATIONS_A_MINUTE", 60)  # for each client; a club may share one address
DRAWINGS_A_MINUTE = limit("DRAWINGS_A_MINUTE", 240)  # of shared pages and files that are in no cache, for each client
PREVIEWS_A_MINUTE = limit("PREVIEWS_A_MINUTE", 600)  # images of printed pages, for each client
LIVE_PREVIEWS_A_MINUTE = limit("LIVE_PREVIEWS_A_MINUTE", 1200)  # beside forms, for each client
BULK_CHANGES_A_MINUTE = limit("BULK_CHANGES_A_MINUTE", 120)  # of many elements at once, for each client
PROCESSOR_SECONDS_A_MINUTE = limit("PROCESSOR_SECONDS_A_MINUTE", 30)  # of each process, for all requests of a client
SIGN_INS_A_MINUTE = limit("SIGN_INS_A_MINUTE", 30)  # for each client
FAILED_SIGN_INS_A_MINUTE = limit("FAILED_SIGN_INS_A_MINUTE", 10)  # for each client; see below for each address
SIGN_UPS_A_MINUTE = limit("SIGN_UPS_A_MINUTE", 20)  # for each client
RESETS_A_MINUTE = limit("RESETS_A_MINUTE", 20)  # of passwords, for each client
ACCOUNT_CHANGES_A_MINUTE = limit("ACCOUNT_CHANGES_A_MINUTE", 10)  # for each account
ACCOUNT_RATE_LIMITS = {
    "login": rates(SIGN_INS_A_MINUTE, "m/ip"),
    "login_failed": rates(FAILED_SIGN_INS_A_MINUTE, "m/ip", "5/300s/key"),
    "signup": rates(SIGN_UPS_A_MINUTE, "m/ip"),
    "reset_password": rates(RESETS_A_MINUTE, "m/ip"),
    "strangers_mail": rates(RESETS_A_MINUTE and 5, "h/key"),  # one mailbox, by our adapter
    "reset_password_from_key": rates(RESETS_A_MINUTE, "m/ip"),
    **dict.fromkeys(["change_password", "manage_email", "reauthenticate"], rates(ACCOUNT_CHANGES_A_MINUTE, "m/user")),
}

SHARED_CACHE_SECONDS = limit("SHARED_CACHE_SECONDS", 0)  # for which a proxy may show a shared page without asking

# Without JavaScript, a roster of 2,000 elements submits a quantity field for each.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
BROWSER_COOKIE, LINKS_COOKIE = "armybuilder_browser", "armybuilder_links"
BROWSER_COOKIE_AGE = 400 * 24 * 3600
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {  # of pages; files have their own in rosters/web/http/security.py
    "DIRECTIVES": {
        "default-src": NONE,
        "script-src": SELF,
        "style-src": SELF,
        "img-src": [SELF, "data:"],  # the arrow of a select is an image inside the style sheet
        "font-src": SELF,
        "connect-src": SELF,
        "manifest-src": SELF,
        "base-uri": NONE,
        "form-action": SELF,
        "frame-ancestors": NONE,
    }
}

# Production alone: https everywhere. HTTPS=0 is for a trial on one machine.
HTTPS = flag("HTTPS", PRODUCTION)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
HTTPS_PORT = limit("HTTPS_PORT", 443)
SECURE_REDIRECT_EXEMPT = ["^health$", "^ready$", "^metrics$"]  # probes inside the network use no https
SECURE_HSTS_SECONDS = limit("HSTS_SECONDS", 365 * 24 * 3600 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = flag("HSTS_SUBDOMAINS"), flag("HSTS_PRELOAD")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # HSTS for subdomains: the domain owner decides
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY_HEADERS else None
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"

# Logs and metrics.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
LOG_LEVEL = log_level("LOG_LEVEL", "INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "rosters.web.http.request_log.JsonFormatter"},
        "text": {"()": "rosters.web.http.request_log.TextFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": choice("LOG_FORMAT", ["json", "text"], "json" if PRODUCTION else "text"),
        },
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "armybuilder": {"level": LOG_LEVEL},
        "django": {"level": LOG_LEVEL, "handlers": []},
        "django.request": {"level": "ERROR"},  # client errors are in the access log
        "django.security.DisallowedHost": {"level": "CRITICAL", "handlers": []},
        "django.server": {"level": "CRITICAL", "handlers": []},  # would print query strings and edit links
    },
}
CSRF_FAILURE_VIEW = "rosters.web.http.errors.csrf_failure"
