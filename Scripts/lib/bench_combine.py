"""Runs the benchmarks of the reactive core and prints a table. Scripts/bench builds them and calls this script."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import document

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BARS = json.loads((ROOT / "Benchmarks/bars.json").read_text())


class Bench:
    """The benchmark program and its output."""

    def __init__(self, folder: str, part: str):
        self.program = os.path.join(folder, "combine-bench")
        # Debian's valgrind cannot read the compiler's debug information.
        self.stripped = os.path.join(folder, "combine-bench-stripped")
        subprocess.run(["strip", "-g", "-o", self.stripped, self.program], check=True)
        self.counter = os.path.join(folder, "libAllocationCounter.so")
        self.part = part

    def lines(self, command: str, counting: bool = False) -> list:
        environment = dict(os.environ, LD_PRELOAD=self.counter) if counting else None
        arguments = [self.program, command] + ([self.part] if self.part and command != "list" else [])
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def rows(self) -> list:
        return [row for row in self.lines("list") if self.part in row["name"]]

    def collected(self, row: str, rounds: int) -> int:
        """Returns the instructions of a whole run."""
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.stripped, "run", row, str(rounds)],
            capture_output=True, text=True, check=True)
        return int(re.search(r"Collected : (\d+)", done.stderr)[1])

    def instructions(self, row: dict) -> float:
        """Returns the instructions of one operation: the difference between two run lengths."""
        scale = int(row["scale"])
        rounds = max(20, 2000 // scale)
        short, long = (self.collected(row["name"], count) for count in (rounds, 3 * rounds))
        return (long - short) / (2 * rounds * scale)


def measure(bench: Bench) -> dict:
    """Measures all rows and holdings and returns them by name."""
    rows = bench.rows()
    # Callgrind runs one thread at a time, so instructions do not show the cost of contention.
    counted = [row for row in rows if not row["name"].startswith("two threads")]
    found = {row["name"]: {} for row in rows}
    for command, counting in [("time", False), ("allocations", True)]:
        print(f"measuring {command}", file=sys.stderr)
        for line in bench.lines(command, counting):
            found[line.pop("name")].update(line)
    print("counting instructions", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, count in zip(counted, pool.map(bench.instructions, counted)):
            found[row["name"]]["instructions"] = count
    print("measuring memory", file=sys.stderr)
    holdings = {line.pop("name"): line for line in bench.lines("memory", counting=True)}
    return {"events": found, "subscriptions": holdings}


def verdict(value: float, bar: dict) -> str:
    """Returns the verdict on a figure: whether it meets its target."""
    if "bar" not in bar:
        if "peer" not in bar:
            return ""
        return f"{bar['peer'] / value:.1f} times less" if value <= bar["peer"] else "**more than the best peer**"
    if value <= bar["reach"]:
        return "reached"
    return "clearly faster" if value <= bar["bar"] else "**missed**"


def number(value) -> str:
    if value is None:
        return "–"
    value += 0  # Turns -0.0 into 0.0.
    return f"{value:,.1f}" if 0 < abs(value) < 10 and value != int(value) else f"{value:,.0f}"


def target(bar: dict) -> list:
    peer = f"{bar['peer']:,} ({bar['of']})" if "peer" in bar else "–"
    return [peer, f"{bar['bar']:,} / {bar['reach']:,}" if "bar" in bar else "–"]


def table(found: dict) -> str:
    lines = ["| an event | ns | allocations | instructions | best peer's | bar / reach | |",
             "| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    for name, row in found["events"].items():
        bar, count = BARS.get(name, {}), row.get("instructions")
        cells = [name, number(row["nanoseconds"]), number(round(row["allocations"], 2)), number(count)]
        cells += target(bar) + [verdict(count, bar) if count is not None else ""]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| a live subscription | bytes | allocations | best peer's bytes | bar / reach | |",
              "| --- | ---: | ---: | ---: | ---: | --- |"]
    for name, row in found["subscriptions"].items():
        bar = BARS.get(name, {})
        cells = [name, number(round(row["bytes"])), number(round(row["allocations"], 2))]
        lines.append(f"| {' | '.join(cells + target(bar) + [verdict(round(row['bytes']), bar)])} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench combine")
    parser.add_argument("folder", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--only", default="", metavar="PART")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    found = measure(Bench(options.folder, options.only))
    text = table(found)
    document.publish(options, "combine", text, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
