"""A cache in the memory of a process, bounded in bytes.

Written by hand because `functools.lru_cache` counts entries: a few large ones would fill the memory. So what depends on
what users write, and can be large, is cached here. `functools.cache` is for constants of the code: tables, fonts,
fixtures. `functools.lru_cache`, which is faster, is for keys and values of limited size: a character, a stat.

A cache stays if it saves 3 % of a page, a print or an appraisal that it serves; what it saves is written beside it, as
measured by switching it off.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from sys import getsizeof
from threading import Lock
from typing import Any, Generic, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

ENTRY_BYTES = 200
"""Bytes of an entry besides its key and value: its slot in the dictionary, and the `CacheEntry` object."""


class CacheEntry(Generic[V]):
    """A value, its bytes, and whether it was read since eviction last skipped it."""

    __slots__ = ("referenced", "size", "value")

    def __init__(self, value: V, size: int) -> None:
        self.value, self.size, self.referenced = value, size, False


class MemoryCache(Generic[K, V]):
    """A thread-safe dictionary that drops old entries when it outgrows ``max_bytes``.

    The oldest entry is evicted first, unless it was read since eviction last skipped it (the CLOCK algorithm). LRU
    would need a lock for every read, to reorder the entries.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes, self.bytes = max_bytes, 0
        self._entries: dict[K, CacheEntry[V]] = {}
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value of a key, or None."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        entry.referenced = True
        return entry.value

    def set(self, key: K, value: V, size: int | None = None) -> None:
        """Store a value. ``size`` is its bytes, measured if None; a value larger than the cache is not stored."""
        size = ENTRY_BYTES + measure(key) + (measure(value) if size is None else size)
        with self._lock:
            self._discard(key)
            if size > self.max_bytes:
                return
            while self.bytes + size > self.max_bytes:  # before it is stored: else it goes first, if all were read
                oldest = next(iter(self._entries))
                entry = self._entries.pop(oldest)
                if entry.referenced:
                    entry.referenced = False
                    self._entries[oldest] = entry
                else:
                    self.bytes -= entry.size
            self._entries[key] = CacheEntry(value, size)
            self.bytes += size

    def delete(self, key: K) -> bool:
        """Remove a key. True if it was there."""
        with self._lock:
            return self._discard(key)

    def clear(self) -> None:
        """Remove everything."""
        with self._lock:
            self._entries.clear()
            self.bytes = 0

    def _discard(self, key: K) -> bool:
        entry = self._entries.pop(key, None)
        self.bytes -= entry.size if entry else 0
        return entry is not None


_COLLECTIONS = (tuple, list, set, frozenset)


def measure(value: Any) -> int:
    """The bytes of a value with everything in it, for plain data; of another object its own bytes alone."""
    size, left = 0, [value]
    while left:
        each = left.pop()
        size += getsizeof(each)
        if isinstance(each, dict):
            left += each
            left += each.values()
        elif isinstance(each, _COLLECTIONS):
            left += each
    return size


def cached(max_bytes: int) -> Callable[[FunctionT], FunctionT]:
    """Like `functools.lru_cache`, but bounded in bytes. For functions that never return None."""

    def decorate(function: FunctionT) -> FunctionT:
        cache = MemoryCache[tuple[Any, ...], Any](max_bytes)

        @wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            key = (args, *kwargs.items()) if kwargs else args
            value = cache.get(key)
            if value is None:
                value = function(*args, **kwargs)
                cache.set(key, value)
            return value

        wrapper.cache_clear = cache.clear  # type: ignore[attr-defined]
        return cast(FunctionT, wrapper)

    return decorate
