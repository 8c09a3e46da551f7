"""Writes a data set on a cluster of two processes, one of which is killed: `killed_worker.py OUT PGN...`.

The first task kills the process that runs it, as when a machine is lost; Spark starts another and repeats its tasks.
"""

import json
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

import stamma
from stamma import spark as in_spark

PROGRAM = """#!{python}
import os, pathlib, signal, sys

def executor():
    pid = os.getppid()
    while pathlib.Path(f"/proc/{{pid}}/comm").read_text().strip() != "java":
        pid = int(pathlib.Path(f"/proc/{{pid}}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return pid

try:
    pathlib.Path({marker!r}).touch(exist_ok=False)
except FileExistsError:
    os.execv({program!r}, [{program!r}, *sys.argv[1:]])
os.kill(executor(), signal.SIGKILL)
sys.exit(2)
"""


def main():
    out, paths = Path(sys.argv[1]), sys.argv[2:]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    marker, program = out.with_name("killed"), out.with_name("program")
    program.write_text(PROGRAM.format(python=sys.executable, marker=str(marker), program=stamma.find_bin()))
    program.chmod(0o755)
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.executor.memory", "512m").getOrCreate()
    parts = in_spark.write_dataset(spark, paths, out, program=str(program))
    games = in_spark.games(spark, out)
    counts = [len(parts), marker.exists(), games.count(), games.select("game_id").distinct().count()]
    spark.stop()
    print(json.dumps(counts))


main()
