"""URLs of the play page."""

from django.urls import include, path

from rosters.web.play import views

OF_A_ROSTER = [
    path("marks", views.play_page, name="play"),
    path("marks/box", views.set_box, name="play-box"),
    path("marks/turn", views.change_turn, name="play-turn"),
    path("marks/undo", views.undo, name="play-undo"),
    path("marks/reset", views.reset_damage, name="play-reset"),
    path("marks/reference", views.reference, name="play-reference"),
    path("marks/show", views.show_damage, name="play-show"),
]

urlpatterns = [path("r/<token:token>/", include(OF_A_ROSTER))]
