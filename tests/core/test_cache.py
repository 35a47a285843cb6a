"""Caches of a process: bounded in bytes, the oldest that nobody reads leave first."""

from concurrent.futures import ThreadPoolExecutor

from django.core.cache import caches

from rosters.core.cache import ENTRY_BYTES, MemoryCache, cached, measure

ROOM = 3 * (ENTRY_BYTES + measure("a") + 100)
"""Bytes for three entries of 100 bytes."""


def filled():
    cache = MemoryCache(ROOM)
    for key in "abc":
        cache.set(key, key.upper(), 100)
    return cache


def held(cache):
    return "".join(key for key in "abcd" if cache.get(key))


def test_the_oldest_entry_that_was_not_read_leaves_first_and_what_is_larger_than_the_cache_is_not_stored():
    read, unread = filled(), filled()
    read.get("a")
    read.set("d", "D", 100)
    assert (held(read), read.bytes <= ROOM) == ("acd", True)
    unread.set("d", "D", 200)
    assert (held(unread), unread.bytes <= ROOM) == ("cd", True)
    read.set("b", "B", 100)
    assert held(read) == "abd", "the latest stays, although all others were read"
    cache = filled()
    cache.set("d", "D", ROOM)
    assert (held(cache), cache.bytes) == ("abc", ROOM)
    cache.set("a", "A", ROOM)
    assert held(cache) == "bc", "an old value is not left in its place"
    assert (cache.delete("b"), cache.delete("b")) == (True, False)
    cache.clear()
    assert (held(cache), cache.bytes) == ("", 0)
    text = "x" * 10_000  # sizes are measured with everything inside
    assert all(measure(value) > 20_000 for value in ((text, text), {text: 1, 2: text}, frozenset([(text, text + "y")])))


def test_a_function_is_not_called_again_for_the_same_arguments_and_threads_share_a_cache():
    calls = []

    @cached(10_000)
    def double(text, times=2):
        calls.append(text)
        return text * times

    assert [double("a"), double("a"), double("a", times=3), double("a", times=3)] == ["aa", "aa", "aaa", "aaa"]
    assert calls == ["a", "a"]
    cache = MemoryCache(ROOM)
    with ThreadPoolExecutor(4) as pool:
        pool.map(lambda _: [cache.set(str(n % 7), n, 100) for n in range(2_000)], range(4))
    assert cache.bytes == sum(ENTRY_BYTES + measure(str(n)) + 100 for n in range(7) if cache.get(str(n))) <= ROOM


def test_printed_sheets_stay_in_memory_until_they_outgrow_it():
    sheets = caches["responses"]
    sheets.clear()
    assert (sheets.add("a", b"1"), sheets.add("a", b"2"), sheets.get("a")) == (True, False, b"1")
    sheets.set("b", b"1", timeout=-1)
    assert sheets.get("b", "expired") == "expired"
    for number in range(80):
        sheets.set(f"large-{number}", bytes(1 << 20))
    assert sheets.get("a") is None
    assert sheets.get("large-79")
    sheets.clear()
