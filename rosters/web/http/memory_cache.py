"""A Django cache in the memory of a process, bounded in bytes.

Written by hand because Django's LocMemCache counts entries, and a printed pack may have megabytes.
"""

from time import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

from rosters.core.cache import MemoryCache

_caches: dict[str, MemoryCache[str, tuple[Any, float | None]]] = {}
"""The caches by location: Django creates a backend for each thread, and all of them share the entries."""


class MemoryCacheBackend(BaseCache):
    """Keeps plain data such as the bytes of PDFs; ``OPTIONS["max_bytes"]`` is its bound."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        max_bytes = params.get("OPTIONS", {})["max_bytes"]
        self._cache = _caches.setdefault(location, MemoryCache(max_bytes))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        entry = self._cache.get(self.make_and_validate_key(key, version))
        return default if entry is None or (entry[1] is not None and entry[1] <= time()) else entry[0]

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._cache.set(self.make_and_validate_key(key, version), (value, self.get_backend_timeout(timeout)))

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        if self.has_key(key, version):
            return False
        self.set(key, value, timeout, version)
        return True

    def delete(self, key: str, version: int | None = None) -> bool:
        return self._cache.delete(self.make_and_validate_key(key, version))

    def clear(self) -> None:
        self._cache.clear()
