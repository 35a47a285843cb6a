"""What `make audit` makes of the answers of pip-audit."""

import json

from tools.audit import verdict

SAFE = {"name": "django", "version": "6.1.3", "vulns": []}
UNSAFE = {"name": "pillow", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1", "2.0"]}]}
UNKNOWN = {"name": "ninja", "skip_reason": "Dependency not found on PyPI"}


def test_all_is_well_only_when_every_package_was_asked_for_and_none_has_an_advisory():
    def of(*packages):
        return verdict(json.dumps({"dependencies": packages}), "")

    assert of(SAFE)[0]
    well, [line] = of(SAFE, UNSAFE)
    assert (well, [word in line for word in ("pillow 1.0", "CVE-1", "1.1, 2.0", "django")]) == (
        False,
        [True] * 3 + [False],
    )
    well, [line] = of(UNSAFE, UNKNOWN)
    assert (well, "ninja" in line) == (False, True)
    for said in ("Traceback\n  File\nConnectionError: no such host\n", "ConnectionError: no such host"):
        well, [line] = verdict("", said)
        assert (well, line.endswith(": ConnectionError: no such host")) == (False, True)
