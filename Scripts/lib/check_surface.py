"""Compares the public surface of a module with a list of declarations, and a document with that list.

    check_surface.py MODULE LIST DOCUMENT [--build DIR] [--write]

The list has one line for each declaration and each conformance that the original of the module has and that can exist
here. A line that the built module lacks fails the check. What the module has beyond the list does not. The document has
to mention every name of the list, and may tick only names that the list has. `--write` writes the list anew from the
module; the change then shows in review what was added and what was removed.
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
# What says nothing that other lines do not say.
SKIPPED_KINDS = {"swift.typealias", "swift.associatedtype"}
SKIPPED_CONFORMANCES = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
WITNESSES = {"receive(subscriber:)", "receive(subscription:)", "receive(completion:)", "==(_:_:)", "hash(into:)",
             "description", "playgroundDescription", "customMirror", "combineIdentifier", "hashValue"}


def symbol_graphs(build: Path, module: str) -> list:
    """The symbol graphs of the built module: its own, and one for each module that it extends."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-I", build / "Modules", "-target",
             f"{platform.machine()}-unknown-linux-gnu", "-output-dir", folder, "-minimum-access-level", "public",
             "-skip-synthesized-members"], capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"the symbol graph of {module} could not be made from {build}:\n{result.stderr}")
        return [json.loads(path.read_text()) for path in sorted(Path(folder).glob(f"{module}*.symbols.json"))]


def declaration(symbol: dict) -> str:
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return re.sub(r"\s+", " ", re.sub(r"@(?!escaping)[\w.]+ |nonisolated(\(\w+\))? ", "", text)).strip()


def condition(items: list) -> str:
    """The constraints as a clause, without those that hold anyway."""
    signs = {"conformance": ":", "superclass": ":", "sameType": " =="}
    texts = [f"{item['lhs']}{signs[item['kind']]} {item['rhs']}" for item in items
             if item["rhs"] not in ("Copyable", "Escapable", "Publisher", "Error")]
    return f" where {', '.join(texts)}" if texts else ""


def aliases_of(graphs: list) -> dict:
    """The generic type behind each alias that names an instance of one, by the path of the alias."""
    found = {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            if symbol["kind"]["identifier"] == "swift.typealias" and len(symbol["pathComponents"]) == 2:
                if match := re.fullmatch(r"(?:public )?typealias \w+ = (\w+)<[\w.]+>", declaration(symbol)):
                    found[".".join(symbol["pathComponents"])] = match[1]
    return found


def expanded(lines: set, aliases: dict, module: str) -> set:
    """The lines, and those of a generic type again under the name of each alias, as if it were a type of its own."""
    found = set(lines)
    for alias, generic in aliases.items():
        owner, _, name = alias.rpartition(".")
        for line in lines:
            if re.match(rf"{generic}\b", line):
                found.add(re.sub(rf"\b{generic}\b(<\w+>)?", alias, line))
            elif re.match(rf"{module} \| struct {generic}<", line):
                found.add(f"{owner} | struct {name}")
    return found


def lines_of(graphs: list, module: str) -> set:
    """One line for each public declaration and conformance."""
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
    return expanded(lines, aliases_of(graphs), module)


def undocumented(expected: list, document: Path) -> list:
    """Names of the list that the document does not mention, and ticks in it that the list does not have."""
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
