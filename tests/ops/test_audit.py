"""What `make audit` makes of the answers of pip-audit."""

import json

from tools.audit import verdict

SAFE = {"name": "django", "version": "6.1.3", "vulns": []}
UNSAFE = {"name": "pillow", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1", "2.0"]}]}
UNKNOWN = {"name": "ninja", "skip_reason": "Dependency not found on PyPI"}


# packages, the error output, whether all is well, what the line names
VERDICTS = [
    ([SAFE], "", True, []),
    ([SAFE, UNSAFE], "", False, ["pillow 1.0", "CVE-1", "1.1, 2.0"]),
    ([UNSAFE, UNKNOWN], "", False, ["ninja"]),
    (None, "Traceback\n  File\nConnectionError: no such host\n", False, [": ConnectionError: no such host"]),
]


def test_all_is_well_only_when_every_package_was_asked_for_and_none_has_an_advisory():
    for packages, errors, expected, named in VERDICTS:
        well, lines = verdict(json.dumps({"dependencies": packages}) if packages else "", errors)
        assert (well, all(word in lines[0] for word in named)) == (expected, True)
        assert well or "django" not in lines[0]
