"""`python -m stamma` is the program `stamma`."""

import subprocess
import sys

from ._program import find_bin

if __name__ == "__main__":
    try:
        sys.exit(subprocess.call([find_bin(), *sys.argv[1:]]))
    except KeyboardInterrupt:
        # The program has had the same signal, and has said what it kept.
        sys.exit(130)
