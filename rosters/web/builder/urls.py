"""URLs of the builder."""

from django.urls import include, path

from rosters.web.builder import (
    actions,
    copy_elements,
    crests,
    elements,
    grid,
    guide,
    odds,
    paste,
    quick_add,
    settings,
    start,
    views,
)

OF_A_ROSTER = [
    path("", views.roster, name="roster"),
    path("quantities", actions.save_quantities, name="save-quantities"),
    path("version", views.version, name="roster-version"),
    path("undo", actions.undo, name="undo"),
    path("redo", actions.redo, name="redo"),
    path("element", elements.element, name="element"),
    path("element/preview", elements.element_preview, name="element-preview"),
    path("element/odds", odds.element_odds, name="element-odds"),
    path("element/another", elements.save_and_add_another, name="element-another"),
    path("element/up", actions.move_element_up, name="element-up"),
    path("element/down", actions.move_element_down, name="element-down"),
    path("element/duplicate", actions.duplicate_element, name="element-duplicate"),
    path("element/split", actions.split_element, name="element-split"),
    path("element/delete", actions.delete_element, name="element-delete"),
    path("element/cell", grid.save_cell, name="element-cell"),
    path("line", quick_add.read_quick_line, name="line"),
    path("paste", paste.paste, name="paste"),
    path("line/add", quick_add.add_line, name="line-add"),
    path("selected/set", grid.set_selected, name="set-selected"),
    path("selected/preview", grid.preview_selected, name="preview-selected"),
    path("selected/move", actions.move_selected, name="move-selected"),
    path("selected/duplicate", actions.duplicate_selected, name="duplicate-selected"),
    path("selected/delete", actions.delete_selected, name="delete-selected"),
    path("formation", settings.formation_page, name="formation"),
    path("formation/elements", grid.edit_all, name="formation-elements"),
    path("formation/add", actions.add_formation, name="formation-add"),
    path("formation/up", actions.move_formation_up, name="formation-up"),
    path("formation/down", actions.move_formation_down, name="formation-down"),
    path("formation/place", actions.place_formation, name="formation-place"),
    path("formation/duplicate", actions.duplicate_formation, name="formation-duplicate"),
    path("formation/delete", actions.delete_formation, name="formation-delete"),
    path("fix", actions.fix, name="fix"),
    path("settings", settings.settings, name="settings"),
    path("crest", crests.crest, name="crest"),
    path("guide/leave", guide.leave_guide, name="guide-leave"),
    path("settings/preview", settings.settings_preview, name="settings-preview"),
    path("add", copy_elements.copy_page, name="add-from"),
    path("add/element", copy_elements.copy_element, name="copy-element"),
    path("add/formation", copy_elements.copy_formation, name="copy-formation"),
]
"""Below the address of a roster: its token is matched once for all of them."""

urlpatterns = [
    path("new/", start.new, name="new"),
    path("new/<system:system>", start.start, name="start"),
    path("new/<system:system>/preview", start.preview, name="start-preview"),
    path("r/<token:token>/", include(OF_A_ROSTER)),
]
