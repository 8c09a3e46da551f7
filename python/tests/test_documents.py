"""What the documents show runs."""

import doctest
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stamma
from conftest import REPOSITORY

PYTHON = REPOSITORY / "python"


def code_block(document, language="python"):
    found = re.search(rf"```{language}\n(.*?)```", (REPOSITORY / document).read_text(encoding="utf-8"), re.DOTALL)
    assert found, document
    return found[1]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder like the repository, in which `games.db` may be made."""
    (tmp_path / "tests").symlink_to(REPOSITORY / "tests")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("document", ["python/README.md", "docs/python.md"])
def test_example(document, folder, capsys):
    exec(code_block(document), {})
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "1896.01.04 Pillsbury, Harry Nelson Lasker, Emanuel c5"
    assert shown[-1] == "Nf3 6 2764"


def test_docstring(folder):
    done = doctest.testmod(stamma)
    assert done.attempted >= 4 and done.failed == 0


def test_notebook(folder):
    pytest.importorskip("nbconvert")
    pytest.importorskip("matplotlib")
    shutil.copy(PYTHON / "notebooks" / "openings.ipynb", folder)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--execute", "--inplace", "openings.ipynb"]
    subprocess.run(command, check=True)
    notebook = json.loads((folder / "openings.ipynb").read_text(encoding="utf-8"))
    outputs = [output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert sum("image/png" in output for output in outputs) == 2, "two charts"
    assert sum("image/svg+xml" in output for output in outputs) == 1, "a board"


def test_all_that_is_public_has_a_docstring():
    for name in stamma.__all__:
        thing = getattr(stamma, name)
        assert thing.__doc__, name
        if isinstance(thing, type) and Path(sys.modules[thing.__module__].__file__).parent.name == "stamma":
            public = [value for key, value in vars(thing).items() if callable(value) and not key.startswith("_")]
            assert all(value.__doc__ for value in public), name
