"""The pages about data sets: their Python runs, and prints what they show. `STAMMA_BLESS=1` writes the output into them."""

import contextlib
import importlib.util
import io
import os
import re

import pytest

import stamma
from conftest import GAMES, REPOSITORY

DOCS = REPOSITORY / "docs"
PYTHON = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
NEEDS = {"duckdb": ["duckdb"], "polars": ["polars"], "pandas": ["pandas", "pyarrow", "duckdb"], "clickhouse": ["chdb"]}


@pytest.fixture(scope="session")
def dataset(tmp_path_factory):
    """A folder with a data set of historical games, `games`."""
    folder = tmp_path_factory.mktemp("datasets")
    stamma.run("dataset", "--quiet", GAMES, "-o", folder / "games")
    return folder


def printed(code, names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().rstrip().splitlines())


def check(page, dataset, tmp_path, monkeypatch):
    (tmp_path / "games").symlink_to(dataset / "games")
    monkeypatch.chdir(tmp_path)
    path = DOCS / f"datasets-{page}.md"
    text, names = path.read_text(encoding="utf-8"), {}

    def run(block):
        shown = printed(block[1], names)
        return f"```python\n{block[1]}```\n" + (f"\n```text\n{shown}```\n" if shown else "")

    found = PYTHON.sub(run, text)
    if os.environ.get("STAMMA_BLESS"):
        path.write_text(found, encoding="utf-8")
    assert found == text


@pytest.mark.parametrize("page", sorted(NEEDS))
def test_page(page, dataset, tmp_path, monkeypatch):
    for package in NEEDS[page]:
        pytest.importorskip(package)
    check(page, dataset, tmp_path, monkeypatch)


def spark_is_wanted():
    return os.environ.get("STAMMA_SPARK") == "1" or importlib.util.find_spec("pyspark") is not None


@pytest.mark.skipif(not spark_is_wanted(), reason="pyspark is not installed; STAMMA_SPARK=1 requires it")
def test_page_about_spark(dataset, tmp_path, monkeypatch):
    check("spark", dataset, tmp_path, monkeypatch)
