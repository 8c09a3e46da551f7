"""The program `stamma`: where it is, and what it prints."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple, Union

from ._errors import StammaError, StammaWarning
from ._options import Value, options

PathLike = Union[str, "os.PathLike[str]"]

_NAME = "stamma.exe" if sys.platform == "win32" else "stamma"

#: The exit code of a command that was carried out although something is wrong with the data.
_DATA_PROBLEMS = 1


def find_bin() -> str:
    """The path of the program `stamma` that was installed with this package."""
    folders = _script_folders()
    for folder in folders:
        path = folder / _NAME
        if path.is_file():
            return str(path)
    looked = ", ".join(str(folder) for folder in folders)
    raise FileNotFoundError(f"no program {_NAME} in {looked}: this is not an installed wheel of stamma")


def _script_folders() -> List[Path]:
    """Where installers put programs: beside this Python, into the user's own folder, and for `pip --target`."""
    user = "nt_user" if os.name == "nt" else "posix_user"
    if sysconfig.get_config_var("PYTHONFRAMEWORK"):
        user = "osx_framework_user"
    target = Path(__file__).parent.parent / "bin"
    return [Path(sysconfig.get_path("scripts")), Path(sysconfig.get_path("scripts", user)), target]


def run(*arguments: PathLike) -> str:
    """Run a command of the program, such as `run("optimize", "games.db")`, and return what it prints.

    What it says on standard error becomes a `StammaWarning`, or a `StammaError` when the command fails.
    """
    printed, messages = finished(arguments)
    warn(messages)
    return printed


def finished(arguments: Sequence[PathLike]) -> Tuple[str, str]:
    """What a command prints, and what it says on standard error; it must not fail."""
    command = [find_bin(), *(os.fspath(argument) for argument in arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    messages = _text(done.stderr)
    _expect_success(done.returncode, messages)
    return done.stdout.decode("utf-8"), messages


def import_pgn(database: PathLike, *sources: PathLike, **settings: Value) -> Dict[str, Any]:
    """Import PGN files, archives and folders into a database, which is made when there is none.

    Settings are the options of `stamma import`, such as `index_variations=True`. Returns what `--json` prints: the
    numbers of games and positions, the problems by kind, and what became of each source.
    """
    paths = [os.path.abspath(path) for path in (database, *sources)]
    report = run("import", "--json", "--quiet", *options(settings), *paths)
    result: Dict[str, Any] = json.loads(report)
    return result


def json_lines(arguments: Sequence[str]) -> Iterator[Dict[str, Any]]:
    """The objects that a command prints as JSON Lines, one by one; stops the program when nobody reads on."""
    with tempfile.TemporaryFile() as messages:
        command = [find_bin(), *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages) as program:
            assert program.stdout is not None
            try:
                for line in program.stdout:
                    yield json.loads(line)
            except BaseException:
                program.kill()
                raise
        messages.seek(0)
        said = _text(messages.read())
    _expect_success(program.returncode, said)
    warn(said)


def _text(messages: bytes) -> str:
    return messages.decode("utf-8", "replace").strip()


def _expect_success(code: int, messages: str) -> None:
    if code not in (0, _DATA_PROBLEMS):
        raise StammaError(sentence(messages) or f"stamma ended with exit code {code}")


def warn(messages: str) -> None:
    """Warns of what the program said, at the line that uses this package."""
    if messages:
        warnings.warn(sentence(messages), StammaWarning, stacklevel=_depth_of_caller())


def sentence(text: str) -> str:
    """What is wrong, without the name of the program and the usage of the command."""
    for prefix in ("stamma: ", "error: "):
        if text.startswith(prefix):
            text = text[len(prefix) :]
    return text.split("\n\nUsage:")[0].strip()


def _depth_of_caller() -> int:
    """How many frames below `warn` the code is that uses this package, for a warning to name its line."""
    frame = inspect.currentframe()
    depth = 0
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
        depth += 1
    return depth
