"""What `make audit` makes of the answers of pip-audit."""

import json

import pytest

from tests.audit import verdict

WELL = {"name": "django", "version": "6.1.3", "vulns": []}
ILL = {"name": "pillow", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1", "2.0"]}]}
UNKNOWN = {"name": "ninja", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("packages", "well", "told"),
    [
        ([WELL], True, "No known advisory on any of 1 packages."),
        ([WELL, ILL], False, "pillow 1.0: CVE-1, mended in 1.1, 2.0"),
        ([ILL, UNKNOWN], False, "The advisory service has no answer for 1 of 2 packages: ninja"),
    ],
)
def test_all_is_well_only_when_every_package_was_asked_for_and_none_has_an_advisory(packages, well, told):
    assert verdict(json.dumps({"dependencies": packages}), "") == (well, [told])


@pytest.mark.parametrize(
    "said", ["Traceback\n  File\nConnectionError: no such host\n", "ConnectionError: no such host"]
)
def test_without_an_answer_it_says_so_in_one_line(said):
    assert verdict("", said) == (False, ["The advisories could not be asked for: ConnectionError: no such host"])
