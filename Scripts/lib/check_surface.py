"""Compares the public API of a module with a list of declarations, and a document with that list.

    check_surface.py MODULE LIST DOCUMENT [--build DIR] [--write]

The list has one line for each declaration and each conformance that the original of the module has and that is possible
here. A line that the built module lacks fails the check; additional declarations in the module do not. The document must
mention every name of the list, and may tick only names in the list. `--write` regenerates the list from the
module; the diff then shows additions and removals in review.
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Symbols that add nothing to the other lines.
SKIPPED_KINDS = {"swift.typealias", "swift.associatedtype"}
SKIPPED_CONFORMANCES = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
WITNESSES = {"receive(subscriber:)", "receive(subscription:)", "receive(completion:)", "==(_:_:)", "hash(into:)",
             "description", "playgroundDescription", "customMirror", "combineIdentifier", "hashValue"}


def symbol_graphs(build: Path, module: str) -> list:
    """Returns the symbol graphs of the built module: its own, and one for each module that it extends."""
    # The maps of the C modules that the public interface may import.
    maps = [word for path in sorted(Path(build).glob("C*.build/module.modulemap"))
            # Modules that programs of the build need have a second map.
            if not path.parent.name.endswith("-tool.build")
            for word in ("-Xcc", f"-fmodule-map-file={path}")]
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-I", build / "Modules", "-target",
             f"{platform.machine()}-unknown-linux-gnu", "-output-dir", folder, "-minimum-access-level", "public",
             "-skip-synthesized-members", *maps], capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"the symbol graph of {module} could not be extracted from {build}:\n{result.stderr}")
        return [json.loads(path.read_text()) for path in sorted(Path(folder).glob(f"{module}*.symbols.json"))]


def declaration(symbol: dict) -> str:
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return re.sub(r"\s+", " ", re.sub(r"@(?!escaping)[\w.]+ |nonisolated(\(\w+\))? ", "", text)).strip()


def condition(items: list) -> str:
    """Returns the constraints as a where clause, without those that always hold."""
    signs = {"conformance": ":", "superclass": ":", "sameType": " =="}
    texts = [f"{item['lhs']}{signs[item['kind']]} {item['rhs']}" for item in items
             if item["rhs"] not in ("Copyable", "Escapable", "Publisher", "Error")]
    return f" where {', '.join(texts)}" if texts else ""


def lines_of(graphs: list, module: str) -> set:
    """Returns one line for each public declaration and conformance."""
    names, lines = {}, set()
    for graph in graphs:
        for symbol in graph["symbols"]:
            names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    for graph in graphs:
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            is_requirement = len(path) == 2 and "swiftExtension" not in symbol and path[0] in (
                "Publisher", "Subscriber", "Subscription", "Subject", "CustomCombineIdentifierConvertible")
            if symbol["kind"]["identifier"] in SKIPPED_KINDS or path[-1] in WITNESSES and not is_requirement:
                continue
            where = condition(symbol.get("swiftExtension", {}).get("constraints", []))
            owner = ".".join(path[:-1])
            lines.add(f"{owner or module}{where} | {declaration(symbol)}")
        for relation in graph["relationships"]:
            if relation["kind"] != "conformsTo" or relation["source"] not in names:
                continue
            target = names.get(relation["target"]) or relation.get("targetFallback", "").split(".")[-1]
            if not target or target in SKIPPED_CONFORMANCES:
                continue
            lines.add(f"{names[relation['source']]} : {target}{condition(relation.get('swiftConstraints', []))}")
    return lines


def undocumented(expected: list, document: Path) -> list:
    """Returns names in the list that the document does not mention, and ticked names that are not in the list."""
    text = document.read_text()
    mentioned = set(re.findall(r"`([^`]+)`", text))
    words = {word for mention in mentioned for word in re.findall(r"\w+", mention)}
    known = set()
    missing = set()
    for line in expected:
        owner, _, declared = line.partition(" | ")
        known.update(re.findall(r"\w+", line))
        if not declared:
            continue
        name = re.search(r"\b(?:func|struct|class|enum|protocol|var|let|case)\s+`?(\w+)", declared)
        if name and name[1] not in words:
            missing.add(f"{document.name} does not mention `{name[1]}` of {owner.split(' where ')[0]}")
    for row in text.split("\n"):
        if row.startswith("|") and "✓" in row:
            for mention in re.findall(r"`(\w+)[`(<]", row.split("✓")[0]):
                if mention not in known:
                    missing.add(f"{document.name} ticks `{mention}`, which the module does not have")
    return sorted(missing)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("module")
    parser.add_argument("list", type=Path)
    parser.add_argument("document", type=Path)
    parser.add_argument("--build", type=Path, default=ROOT / ".build/debug")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    present = lines_of(symbol_graphs(arguments.build, arguments.module), arguments.module)
    if arguments.write:
        arguments.list.write_text("".join(line + "\n" for line in sorted(present)))
        return 0
    expected = arguments.list.read_text().splitlines()
    found = [f"{arguments.list.name}: the module lacks: {line}" for line in expected if line not in present]
    found += undocumented(expected, arguments.document)
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
