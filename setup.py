"""What pyproject.toml cannot say of the wheel: the files beside the code travel inside it, in armybuilder/files/."""

from setuptools import find_packages, setup

BESIDE = "armybuilder.files"

setup(
    packages=[*find_packages(include=["armybuilder", "rosters", "rosters.*"]), BESIDE],
    package_dir={BESIDE: "."},
    package_data={BESIDE: ["templates/**/*", "static/**/*", "fixtures/**/*"]},  # Python files come by themselves
)
