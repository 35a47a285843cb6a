"""Every address of the app. Those of people's rosters stay as they are."""

from django.urls import path

from rosters.views import (
    accounts,
    adding,
    battles,
    books,
    builder,
    checking,
    elements,
    exporting,
    history,
    importing,
    mine,
    settings,
    sharing,
    sheets,
    table,
    visibility,
)
from rosters.views.exporting import EXPORTS as FORMS

urlpatterns = [
    path("", books.home, name="home"),
    path("books/", books.books, name="books"),
    path("import", importing.import_rosters, name="import"),
    path("mine/", mine.mine, name="mine"),
    path("mine/bin", mine.bin_page, name="bin"),
    path("account/", accounts.account, name="account"),
    path("account/claim", accounts.claim, name="claim"),
    path("account/download", accounts.download, name="account-download"),
    path("account/delete", accounts.delete, name="account-delete"),
    path("errata/", books.errata, name="errata"),
    path("explain/<str:slug>", books.explain, name="explain"),
    path("schema/roster.json", books.schema, name="schema"),
    path("new/<str:slug>", builder.start, name="start"),
    path("s/<str:token>.json", sharing.shared_json, name="shared-json"),
    *(
        path(f"s/<str:token>.{ending}", exporting.export, {"ending": ending}, name=f"shared-{ending}")
        for ending in FORMS
    ),
    path("s/<str:token>.png", exporting.card, name="shared-png"),
    path("s/<str:token>/line.txt", exporting.line, name="shared-line"),
    path("s/<str:token>/qr.svg", exporting.qr, name="shared-qr"),
    path("s/<str:token>.pdf", sheets.pdf, name="shared-pdf"),
    path("s/<str:token>/page-one.png", sheets.first_page, name="page-one"),
    path("s/<str:token>/print", sheets.choose, name="print"),
    path("blank/<str:slug>.pdf", sheets.blank, name="blank"),
    path("robots.txt", books.robots, name="robots"),
    path("s/<str:token>/copy", sharing.copy, name="copy"),
    path("s/<str:token>/r<int:number>", history.frozen_page, name="frozen"),
    path("s/<str:token>/r<int:number>.json", history.frozen_json, name="frozen-json"),
    *(
        path(f"s/<str:token>/r<int:number>.{ending}", exporting.export, {"ending": ending}, name=f"frozen-{ending}")
        for ending in FORMS
    ),
    path("s/<str:token>/r<int:number>.png", exporting.card, name="frozen-png"),
    path("s/<str:token>/r<int:number>/line.txt", exporting.line, name="frozen-line"),
    path("s/<str:token>/r<int:number>/qr.svg", exporting.qr, name="frozen-qr"),
    path("s/<str:token>/history", history.shared_history, name="shared-history"),
    path("s/<str:token>/compare", history.compare, name="compare"),
    path("s/<str:token>", sharing.shared, name="shared"),
    path("e/<str:token>/<str:secret>", sharing.edit_link, name="edit-link"),
    path("r/<str:token>/", builder.roster, name="roster"),
    path("r/<str:token>/history", history.history, name="history"),
    path("r/<str:token>/delete", mine.delete, name="delete"),
    path("r/<str:token>/sharing", visibility.sharing, name="sharing"),
    path("r/<str:token>/document.json", exporting.whole, name="document"),
    path("r/<str:token>/marks", table.marks, name="marks"),
    path("r/<str:token>/element", elements.element, name="element"),
    path("r/<str:token>/element/preview", elements.element_preview, name="element-preview"),
    path("r/<str:token>/formation", settings.formation, name="formation"),
    path("r/<str:token>/settings", settings.settings, name="settings"),
    path("r/<str:token>/settings/preview", settings.settings_live, name="settings-preview"),
    path("r/<str:token>/add", adding.add_from, name="add-from"),
    path("battle/new", battles.new, name="battle-new"),
    path("b/<str:token>.pdf", battles.pdf, name="battle-pdf"),
    path("b/<str:token>/opponent", battles.opponent, name="battle-opponent"),
    path("b/<str:token>", battles.battle, name="battle"),
    path("check", checking.check, name="check"),
]
