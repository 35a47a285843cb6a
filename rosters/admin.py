"""The admin is read-only: reference rows change with a release, rosters through `rosters.store.writer`."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from rosters.models import Capability, Roster, SuperPower, Trait


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in its stubs alone
    """Rows without adding, changing and deleting."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Capability, Trait, SuperPower)
class ReferenceAdmin(ReadOnly):
    list_display = ("number", "name", "text")
    search_fields = ("name", "text")


@admin.register(Roster)
class RosterAdmin(ReadOnly):
    list_display = ("name", "system", "points", "legal", "changed")
    list_filter = ("system", "legal")
    search_fields = ("name",)
