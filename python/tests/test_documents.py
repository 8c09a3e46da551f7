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


def test_notebook(folder, monkeypatch):
    pytest.importorskip("nbconvert")
    pytest.importorskip("matplotlib")
    # Where it lies in the repository.
    folder = folder / "python" / "notebooks"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    shutil.copy(PYTHON / "notebooks" / "openings.ipynb", folder)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--execute", "--inplace", "openings.ipynb"]
    subprocess.run(command, check=True)
    notebook = json.loads((folder / "openings.ipynb").read_text(encoding="utf-8"))
    outputs = [output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert sum("image/png" in output for output in outputs) == 2, "two charts"
    assert sum("image/svg+xml" in output for output in outputs) == 1, "a board"


def test_notebook_names_what_it_imports():
    notebook = json.loads((PYTHON / "notebooks" / "openings.ipynb").read_text(encoding="utf-8"))
    words = "".join(notebook["cells"][0]["source"])
    assert all(name in words for name in ["pandas", "matplotlib", "apsw"])


@pytest.mark.parametrize("package", ["datasette-stamma", "sqlite-utils-stamma"])
def test_readme_installs_what_there_is(package):
    """Nothing is published, so that pip finds these packages in the folder of wheels alone."""
    readme = (PYTHON / package / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^pip install .*", readme, re.MULTILINE)
    assert commands == [f"pip install --find-links dist {package}"]
    assert "python/build dist" in readme


def test_all_that_is_public_has_a_docstring():
    for name in stamma.__all__:
        thing = getattr(stamma, name)
        assert thing.__doc__, name
        if isinstance(thing, type) and Path(sys.modules[thing.__module__].__file__).parent.name == "stamma":
            public = [value for key, value in vars(thing).items() if callable(value) and not key.startswith("_")]
            assert all(value.__doc__ for value in public), name
