"""Every address of the app. Those of people's rosters stay as they are."""

from django.urls import path

from rosters.api import docs_page
from rosters.api.operations import addresses
from rosters.web.accounts import tokens
from rosters.web.accounts import views as accounts
from rosters.web.battles import link_check
from rosters.web.battles import views as battles
from rosters.web.builder import copy_elements, elements, settings
from rosters.web.builder import views as builder
from rosters.web.http import probes
from rosters.web.library import browse, download, imports
from rosters.web.library import views as mine
from rosters.web.play import views as table
from rosters.web.printing import views as sheets
from rosters.web.sharing import downloads, history, visibility
from rosters.web.sharing import views as sharing
from rosters.web.sharing.downloads import EXPORTS as FORMS

urlpatterns = [
    path("", browse.home, name="home"),
    path("books/", browse.books, name="books"),
    path("import", imports.import_rosters, name="import"),
    path("mine/", mine.mine, name="mine"),
    path("mine/bin", mine.bin_page, name="bin"),
    path("mine/backup", download.mine, name="my-backup"),
    path("account/", accounts.account, name="account"),
    path("account/claim", accounts.claim, name="claim"),
    path("account/download", accounts.download, name="account-download"),
    path("account/delete", accounts.delete, name="account-delete"),
    path("account/tokens", tokens.api_tokens, name="api-tokens"),
    path("api/", docs_page.page, name="api"),
    path("api/v1/openapi.json", docs_page.served, name="openapi"),
    *addresses(),
    path("errata/", browse.errata, name="errata"),
    path("explain/<str:slug>", browse.explain, name="explain"),
    path("schema/roster.json", browse.schema, name="schema"),
    path("new/<str:slug>", builder.start, name="start"),
    path("s/<str:token>.json", sharing.shared_json, name="shared-json"),
    *(
        path(f"s/<str:token>.{ending}", downloads.export, {"ending": ending}, name=f"shared-{ending}")
        for ending in FORMS
    ),
    path("s/<str:token>.png", downloads.card, name="shared-png"),
    path("s/<str:token>/line.txt", downloads.line, name="shared-line"),
    path("s/<str:token>/qr.svg", downloads.qr, name="shared-qr"),
    path("s/<str:token>.pdf", sheets.pdf, name="shared-pdf"),
    path("s/<str:token>/page-one.png", sheets.first_page, name="page-one"),
    path("s/<str:token>/print", sheets.choose, name="print"),
    path("blank/<str:slug>.pdf", sheets.blank, name="blank"),
    path("robots.txt", browse.robots, name="robots"),
    path("health", probes.health, name="health"),
    path("ready", probes.ready, name="ready"),
    path("metrics", probes.metrics, name="metrics"),
    path("s/<str:token>/copy", sharing.copy, name="copy"),
    path("s/<str:token>/r<int:number>", history.frozen_page, name="frozen"),
    path("s/<str:token>/r<int:number>.json", history.frozen_json, name="frozen-json"),
    *(
        path(f"s/<str:token>/r<int:number>.{ending}", downloads.export, {"ending": ending}, name=f"frozen-{ending}")
        for ending in FORMS
    ),
    path("s/<str:token>/r<int:number>.png", downloads.card, name="frozen-png"),
    path("s/<str:token>/r<int:number>/line.txt", downloads.line, name="frozen-line"),
    path("s/<str:token>/r<int:number>/qr.svg", downloads.qr, name="frozen-qr"),
    path("s/<str:token>/history", history.shared_history, name="shared-history"),
    path("s/<str:token>/compare", history.compare, name="compare"),
    path("s/<str:token>", sharing.shared, name="shared"),
    path("e/<str:token>/<str:secret>", sharing.edit_link, name="edit-link"),
    path("r/<str:token>/", builder.roster, name="roster"),
    path("r/<str:token>/history", history.history, name="history"),
    path("r/<str:token>/delete", mine.delete, name="delete"),
    path("r/<str:token>/sharing", visibility.sharing, name="sharing"),
    path("r/<str:token>/document.json", downloads.whole, name="document"),
    path("r/<str:token>/marks", table.marks, name="marks"),
    path("r/<str:token>/element", elements.element, name="element"),
    path("r/<str:token>/element/preview", elements.element_preview, name="element-preview"),
    path("r/<str:token>/formation", settings.formation, name="formation"),
    path("r/<str:token>/settings", settings.settings, name="settings"),
    path("r/<str:token>/settings/preview", settings.settings_live, name="settings-preview"),
    path("r/<str:token>/add", copy_elements.add_from, name="add-from"),
    path("battle/new", battles.new, name="battle-new"),
    path("b/<str:token>.pdf", battles.pdf, name="battle-pdf"),
    path("b/<str:token>/opponent", battles.opponent, name="battle-opponent"),
    path("b/<str:token>", battles.battle, name="battle"),
    path("check", link_check.check, name="check"),
]
