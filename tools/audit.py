"""The pinned dependencies against the known advisories: python -m tools.audit [pypi|osv].

Every pin that fits this Python is asked for by name and version; nothing is installed and no package index is needed.
Exit 1 when there is an advisory, and when anything could not be asked: silence is no all-clear.
"""

import json
import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).parent.parent / "constraints.txt"
QUIETLY = ("--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json")


def query_advisories(service):
    """What pip-audit prints of the pins, and what it says on standard error."""
    command = [sys.executable, "-m", "pip_audit", "-r", str(PINS), *QUIETLY, "-s", service]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def verdict(printed, said):
    """Whether all is well, and the lines that tell."""
    try:
        found = json.loads(printed)["dependencies"]
    except (ValueError, KeyError):
        why = (said.strip().splitlines() or ["it says nothing"])[-1]
        return False, [f"The advisories could not be asked for: {why[:200]}"]
    unknown = [each["name"] for each in found if "skip_reason" in each]
    if unknown:
        names = ", ".join(unknown[:3]) + (", ..." if len(unknown) > 3 else "")
        return False, [f"The advisory service has no answer for {len(unknown)} of {len(found)} packages: {names}"]
    advisories = [line for each in found for line in advisories_of(each)]
    return not advisories, advisories or [f"No known advisory on any of {len(found)} packages."]


def advisories_of(package):
    """A line for each advisory on a package."""
    for each in package["vulns"]:
        mended = ", ".join(each["fix_versions"]) or "no version yet"
        yield f"{package['name']} {package['version']}: {each['id']}, mended in {mended}"


def main(service="pypi"):
    well, lines = verdict(*query_advisories(service))
    print(*lines, sep="\n")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
