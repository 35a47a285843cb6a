"""Find a Chromium for the browser tests, or get one. Run as a module, it says which; BROWSER=skip does without."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--disable-gpu",
    "--process-per-site",  # tests have one site, and starting a process takes as long as loading two pages
    "--renderer-process-limit=1",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev --single-threaded-gc",  # no page lives long enough to earn its compiling
]


def skipped():
    """Whether the browser tests were called off by name."""
    return os.environ.get("BROWSER") == "skip"


def installed():
    """The path of an installed Chromium: CHROMIUM, the PATH, or Playwright's own; None when there is none."""
    for name in (os.environ.get("CHROMIUM"), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def ways():
    """Commands that may bring one, the most general first."""
    yield [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        yield [["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]]


def found():
    """An installed Chromium, or one that was installed just now; None when none can be had."""
    path = installed()
    for commands in ways():
        if path:
            break
        print("No Chromium here; trying:", *commands[-1], flush=True)
        for command in commands:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        path = installed()
    return path


if __name__ == "__main__":
    if skipped():
        print("BROWSER=skip: the browser tests do not run.")
        sys.exit(0)
    chromium = found()
    print(f"Chromium: {chromium}" if chromium else "No Chromium can be had. BROWSER=skip would leave its tests out.")
    sys.exit(0 if chromium else 1)
