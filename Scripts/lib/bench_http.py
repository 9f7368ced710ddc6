"""Runs the benchmarks of the server and its peers and prints tables. Scripts/bench builds and installs them first."""

import argparse
import pathlib
import signal
import sys
import tempfile

import document
from http_bench import report, rows
from http_bench.loads import Loads
from http_bench.peers import Peers, versions
from http_bench.processes import Failure

# The maximum duration of a run in seconds.
LONGEST = 900


class Overdue(BaseException):
    """The run exceeded its time. Not a `Failure`, so that the handler for failed rows does not catch it."""


def give_up(*_) -> None:
    raise Overdue


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench http")
    parser.add_argument("folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--only", default="", metavar="PART")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="take one sample of each row")
    options = parser.parse_args()
    repetitions, seconds = (1, 1) if options.quick else (9, 1)
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, give_up)
    signal.alarm(LONGEST)
    try:
        with tempfile.TemporaryDirectory(prefix="http-bench-") as name:
            folder = pathlib.Path(name)
            with Peers(options.folder, folder) as peers:
                chosen = [row for row in rows.rows(Loads(options.folder, folder), seconds) if options.only in row.name]
                found = {"versions": versions(), "rows": rows.measure(chosen, peers, repetitions)}
    except (Overdue, KeyboardInterrupt):
        sys.exit("the run was aborted")
    except Failure as failure:
        sys.exit(str(failure))
    text = report.text(found)
    document.publish(options, "http", text, found)
    return 1 if any("failure" in row for row in found["rows"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
