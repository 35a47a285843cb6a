"""URLs of the builder."""

from django.urls import path

from rosters.web.builder import actions, copy_elements, crests, elements, grid, paste, quick_add, settings, views

urlpatterns = [
    path("new/<system:system>", views.start, name="start"),
    path("r/<token:token>/", views.roster, name="roster"),
    path("r/<token:token>/quantities", actions.save_quantities, name="save-quantities"),
    path("r/<token:token>/version", views.version, name="roster-version"),
    path("r/<token:token>/undo", actions.undo, name="undo"),
    path("r/<token:token>/redo", actions.redo, name="redo"),
    path("r/<token:token>/element", elements.element, name="element"),
    path("r/<token:token>/element/preview", elements.element_preview, name="element-preview"),
    path("r/<token:token>/element/another", elements.save_and_add_another, name="element-another"),
    path("r/<token:token>/element/up", actions.move_element_up, name="element-up"),
    path("r/<token:token>/element/down", actions.move_element_down, name="element-down"),
    path("r/<token:token>/element/duplicate", actions.duplicate_element, name="element-duplicate"),
    path("r/<token:token>/element/split", actions.split_element, name="element-split"),
    path("r/<token:token>/element/delete", actions.delete_element, name="element-delete"),
    path("r/<token:token>/element/cell", grid.save_cell, name="element-cell"),
    path("r/<token:token>/line", quick_add.read_quick_line, name="line"),
    path("r/<token:token>/paste", paste.paste, name="paste"),
    path("r/<token:token>/line/add", quick_add.add_line, name="line-add"),
    path("r/<token:token>/selected/set", grid.set_selected, name="set-selected"),
    path("r/<token:token>/selected/preview", grid.preview_selected, name="preview-selected"),
    path("r/<token:token>/selected/move", actions.move_selected, name="move-selected"),
    path("r/<token:token>/selected/duplicate", actions.duplicate_selected, name="duplicate-selected"),
    path("r/<token:token>/selected/delete", actions.delete_selected, name="delete-selected"),
    path("r/<token:token>/formation", settings.formation_page, name="formation"),
    path("r/<token:token>/formation/elements", grid.edit_all, name="formation-elements"),
    path("r/<token:token>/formation/add", actions.add_formation, name="formation-add"),
    path("r/<token:token>/formation/up", actions.move_formation_up, name="formation-up"),
    path("r/<token:token>/formation/down", actions.move_formation_down, name="formation-down"),
    path("r/<token:token>/formation/duplicate", actions.duplicate_formation, name="formation-duplicate"),
    path("r/<token:token>/formation/delete", actions.delete_formation, name="formation-delete"),
    path("r/<token:token>/settings", settings.settings, name="settings"),
    path("r/<token:token>/crest", crests.crest, name="crest"),
    path("r/<token:token>/settings/preview", settings.settings_preview, name="settings-preview"),
    path("r/<token:token>/add", copy_elements.copy_page, name="add-from"),
    path("r/<token:token>/add/element", copy_elements.copy_element, name="copy-element"),
    path("r/<token:token>/add/formation", copy_elements.copy_formation, name="copy-formation"),
]
