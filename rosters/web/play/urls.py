"""URLs of the play page."""

from django.urls import path

from rosters.web.play import views

urlpatterns = [
    path("r/<token:token>/marks", views.play_page, name="play"),
    path("r/<token:token>/marks/box", views.set_box, name="play-box"),
    path("r/<token:token>/marks/turn", views.change_turn, name="play-turn"),
    path("r/<token:token>/marks/undo", views.undo, name="play-undo"),
    path("r/<token:token>/marks/reset", views.reset_damage, name="play-reset"),
    path("r/<token:token>/marks/reference", views.reference, name="play-reference"),
    path("r/<token:token>/marks/show", views.show_damage, name="play-show"),
]
