"""Prints measures of the host's structure: how much code a request runs, what is asserted, what other files can change, and where
requests wait. Scripts/host-measures starts it."""

import argparse
import functools
import pathlib
import re
import signal
import sys
import tempfile

import request_steps
from check_shape import without_text
from http_bench.processes import Failure
from swift_declarations import Declarations

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES, HOST = pathlib.Path("Sources"), pathlib.Path("Sources/Host/MachineHost")
# The maximum duration of a run in seconds.
LONGEST = 1200
# A stored property whose declaration contains one of these types is a container of waiting requests, except within the types.
WAITING = re.compile(r"\b(?:WaitingRequest|PendingRequest|DeferredResponse)\b")
# A call such as `assert`, `preconditionFailure` or `preconditionInEventLoop`, and not its declaration.
ASSERTION = re.compile(r"(?<!func )\b(?:assert|precondition)\w*\(")


class Overdue(BaseException):
    """The run exceeded its time."""


def give_up(*_) -> None:
    raise Overdue


@functools.lru_cache(maxsize=None)
def lines(file: pathlib.Path) -> int:
    return (ROOT / file).read_text().count("\n")


def sources(folder: pathlib.Path) -> list:
    """Returns the Swift files in a folder, relative to the root."""
    return sorted(path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.swift"))


def table(head: list, rows: list) -> str:
    """Returns a table of which the first column is text."""
    cells = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in row)} |" for row in cells)


def folder_table() -> str:
    """Returns the files and lines of each folder of the sources."""
    found = {}
    for file in sources(SOURCES):
        found.setdefault(file.parts[1], []).append(lines(file))
    rows = [[folder, len(counts), sum(counts)] for folder, counts in found.items()]
    rows.append(["in all", sum(row[1] for row in rows), sum(row[2] for row in rows)])
    return table([f"`{SOURCES}`", "files", "lines"], rows)


def host_table() -> str:
    """Returns what the host declares and asserts, and the containers of waiting requests."""
    functions, assertions, properties = 0, 0, []
    for file in sources(HOST):
        source = (ROOT / file).read_text()
        declared = Declarations(source)
        functions += declared.functions
        assertions += len(ASSERTION.findall(without_text(source)))
        properties += declared.properties
    variables = [each for each in properties if each.is_variable and each.owner_kind in ("class", "struct")]
    shared = [each for each in variables if not each.is_private]
    changeable = [each.owner_kind for each in shared if not each.has_private_setter]
    containers = [each for each in properties if WAITING.search(each.text) and not WAITING.search(each.owner)]
    rows = [
        ["functions, initializers and accessors with a body", functions],
        ["assertions", assertions],
        ["functions for each assertion", f"{functions / max(assertions, 1):.1f}"],
        ["stored variables of classes", sum(each.owner_kind == "class" for each in variables)],
        ["of which other files can change", changeable.count("class")],
        ["stored variables of structures", sum(each.owner_kind == "struct" for each in variables)],
        ["of which other files can change", changeable.count("struct")],
        ["containers of waiting requests", len(containers)]]
    text = table([f"`{HOST}`", "count"], rows)
    return "\n".join([text, "", *(f"- `{each.owner}.{each.text.splitlines()[0]}`" for each in containers)])


def steps_table(found: dict) -> str:
    """Returns the steps of each path, the files that they are in, and the same for the host alone."""
    rows = []
    for path, steps in found.items():
        row = [path]
        for chosen in (steps, [step for step in steps if pathlib.Path(step.file).is_relative_to(HOST)]):
            files = {pathlib.Path(step.file) for step in chosen}
            row += [len(chosen), len(files), sum(lines(file) for file in files)]
        rows.append(row)
    return table(["path", "steps", "files", "their lines", "steps in the host", "files", "their lines"], rows)


def steps_list(found: dict) -> str:
    """Returns a line for each step of each path: its place, its name and the calls for each request."""
    parts = []
    for path, steps in found.items():
        listed = [f"{step.file}:{step.line} {step.name} {step.calls:.2f}" for step in steps]
        parts.append("\n".join([f"{path}:", "", *listed]))
    return "\n\n".join(parts)


def measured(binary: pathlib.Path) -> dict:
    """Returns the steps of each path."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="host-measures-") as name:
        tools = request_steps.Tools(binary, pathlib.Path(name))
        for number, (path, steps) in enumerate(request_steps.PATHS.items()):
            print(path, file=sys.stderr)
            folder = pathlib.Path(name) / str(number)
            folder.mkdir()
            found[path] = steps(tools, folder)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/host-measures")
    parser.add_argument("binary", type=pathlib.Path, nargs="?", help="a debug build of granary from these sources")
    parser.add_argument("--static", action="store_true", help="print only what the sources show, without a server")
    parser.add_argument("--list", action="store_true", help="print each function that a request runs, too")
    options = parser.parse_args()
    if not options.binary and not options.static:
        parser.error("expected a binary or --static")
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, give_up)
    signal.alarm(LONGEST)
    try:
        found = {} if options.static else measured(options.binary.resolve())
    except (Overdue, KeyboardInterrupt):
        sys.exit("the run was aborted")
    except Failure as failure:
        sys.exit(str(failure))
    parts = [steps_table(found)] if found else []
    parts += [host_table(), folder_table()]
    if options.list and found:
        parts.append(steps_list(found))
    print("\n\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
