"""What pyproject.toml cannot say of the wheel: the files beside the code travel inside it, in armybuilder/files/."""

import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))  # a build backend runs it from elsewhere

from rosters.ops import assets

BESIDE = "armybuilder.files"


class BuildWithAssets(build_py):
    """Makes faces, style sheet and script before it looks for files."""

    def run(self):
        assets.make()
        super().run()


setup(
    cmdclass={"build_py": BuildWithAssets},
    packages=[*find_packages(include=["armybuilder", "rosters", "rosters.*"]), BESIDE],
    package_dir={BESIDE: "."},
    package_data={
        BESIDE: [
            *("templates/**/*", "static/**/*", "build/assets/**/*", "fixtures/**/*"),
            *("docs/odds.md", "docs/balance.md"),
        ]
    },  # Python files come by themselves
)
