"""URLs of odds."""

from django.urls import path

from rosters.web.odds import views

urlpatterns = [
    path("explain/<system:system>/roll", views.roll, name="roll"),
    path("b/<token:token>/odds", views.matrix, name="battle-odds"),
    path("b/<token:token>/odds/pair", views.pair, name="battle-odds-pair"),
    path("r/<token:token>/odds", views.roster_matrix, name="roster-odds"),
    path("r/<token:token>/odds/column", views.save_column, name="odds-column"),
]
