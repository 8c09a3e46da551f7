"""Puts the program and the loadable extension into the wheel, which fits every Python 3 of one platform."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REPOSITORY = Path(__file__).resolve().parent.parent
EXECUTABLE_SUFFIX = ".exe" if sys.platform == "win32" else ""
LIBRARY_NAME = {"win32": "stamma.dll", "darwin": "libstamma.dylib"}.get(sys.platform, "libstamma.so")


class NativeFiles(BuildHookInterface[Any]):
    """Takes both files from `STAMMA_PROGRAM` and `STAMMA_EXTENSION`, or has Cargo build what these do not name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        program = native_file("STAMMA_PROGRAM", ".", f"stamma{EXECUTABLE_SUFFIX}")
        extension = native_file("STAMMA_EXTENSION", "extension", LIBRARY_NAME)
        notices = self.notices()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag([program, extension])}"
        build_data["shared_scripts"][str(program)] = f"stamma{EXECUTABLE_SUFFIX}"
        build_data["force_include"][str(extension)] = f"stamma/{LIBRARY_NAME}"
        build_data["force_include"][str(notices)] = "stamma/THIRD-PARTY-LICENCES"

    def notices(self) -> Path:
        """The licences of what is built into both files."""
        path = Path(self.directory) / "THIRD-PARTY-LICENCES"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(subprocess.check_output([sys.executable, str(REPOSITORY / "packaging" / "notices")], cwd=REPOSITORY))
        return path


def native_file(variable: str, package: str, name: str) -> Path:
    """The file that an environment variable names, else what Cargo builds of a package."""
    if variable in os.environ:
        return Path(os.environ[variable]).resolve(strict=True)
    folder = REPOSITORY / package
    command = ["cargo", "build", "--release", "--locked", "--manifest-path", str(folder / "Cargo.toml")]
    target = os.environ.get("CARGO_TARGET_DIR", str(folder / "target"))
    subprocess.run([*command, "--target-dir", target], check=True)
    return (Path(target) / "release" / name).resolve(strict=True)


def platform_tag(files: list[Path]) -> str:
    """The platform of a wheel with these files, which on Linux depends on the newest glibc that they need."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if not platform.startswith("linux_"):
        return platform
    needed = [version for file in files for version in glibc_versions(file.read_bytes())]
    if not needed:
        return platform
    major, minor = max(needed)
    return f"manylinux_{major}_{minor}_{platform[len('linux_'):]}"


def glibc_versions(content: bytes) -> list[tuple[int, int]]:
    """The versions of glibc whose symbols a file names."""
    names = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", content)
    return [(int(major), int(minor)) for major, minor in names]
