"""Checks rules for the Swift sources that the compiler and the formatter do not check.

Prints each finding as `path:line: message` and exits with status 1 if there are any.
"""

import functools
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
BUDGET = Path(__file__).with_name("unchecked-budget.json")
MODULE = re.compile(r'\.(?:system|library|module|executable|example|macro|tests)\(\s*"(\w+)"(.*?)\)(?=,\s*\n|\s*\])', re.S)
NEEDS = re.compile(r"needs:\s*\[([^\]]*)\]", re.S)
FUNCTION = re.compile(r"^\s*(?:@\S+\s+)*(?:[\w()]+\s+)*(?:func\s+\S+|init[?!]?\s*[(<]|deinit\b|subscript\s*[(<])")
TEXT = re.compile(r'//|/\*|(#*)("""|")')
BRACKET = re.compile(r"[(){}]")
NOT_A_LINE_BREAK = re.compile(r"[^\n]")
ARCHITECTURE = "Docs/architecture.md"
FRAMEWORKS = {"CasePaths", "CombineSchedulers", "ComposableArchitecture", "IssueReporting", "Ricemill", "RxCore", "Unio"}
PATH_STEP = re.compile(r"`([\w+]+\.swift): (\w+)[^`]*`")
FORBIDDEN = [
    (re.compile(r"\bfatalError\s*\("), "fatalError is not allowed in Sources"),
    (re.compile(r"\bcatch\b[^{\n]*\{\s*\}"), "an empty catch is not allowed in Sources"),
    (re.compile(r"//\s*MARK\b"), "no MARK banners"),
]
BUDGETED = {"@unchecked Sendable": re.compile(r"@unchecked\s+Sendable"),
            "nonisolated(unsafe)": re.compile(r"\bnonisolated\(unsafe\)"),
            "@exclusivity(unchecked)": re.compile(r"@exclusivity\(unchecked\)"),
            "unsafeDowncast": re.compile(r"\bunsafeDowncast\b"),
            "Unmanaged": re.compile(r"\bUnmanaged\b")}


@functools.lru_cache(maxsize=None)
def without_text(source: str) -> str:
    """Returns the source with strings and comments replaced by spaces, line for line.

    Interpolations are replaced, too: they are short, and the compiler checks them.
    """
    out, i = [], 0
    while opening := TEXT.search(source, i):
        out.append(source[i : opening.start()])
        if opening[0] == "//":
            end = source.find("\n", opening.end())
            end = len(source) if end < 0 else end
        elif opening[0] == "/*":
            end = source.find("*/", opening.end())
            end = len(source) if end < 0 else end + 2
        else:
            end = end_of_string(source, opening.end(), opening[1], opening[2])
        out.append(NOT_A_LINE_BREAK.sub(" ", source[opening.start() : end]))
        i = end
    out.append(source[i:])
    return "".join(out)


def end_of_string(source: str, i: int, hashes: str, quote: str) -> int:
    """Returns the index after a string whose opening quote ends at `i`."""
    depth = 0
    while i < len(source):
        if depth == 0 and source.startswith(quote + hashes, i):
            return i + len(quote) + len(hashes)
        if source.startswith("\\" + hashes + "(", i):
            depth, i = depth + 1, i + 2 + len(hashes)
        elif depth == 0 and source.startswith("\\" + hashes, i):
            i += 2 + len(hashes)
        elif depth and source[i] == '"':
            i = end_of_string(source, i + 1, "", '"')
        else:
            depth += {"(": 1, ")": -1}.get(source[i], 0) if depth else 0
            i += 1
    return i


def function_lengths(code: str):
    """Yields (line, length) of every function, including its declaration."""
    lines = code.split("\n")
    for index, line in enumerate(lines):
        if not FUNCTION.match(line):
            continue
        depth, opened, parentheses = 0, False, 0
        for end in range(index, len(lines)):
            for character in BRACKET.findall(lines[end]):
                parentheses += {"(": 1, ")": -1}.get(character, 0)
                if parentheses == 0 and character in "{}":
                    depth += 1 if character == "{" else -1
                    opened = True
            if opened and depth <= 0:
                yield index + 1, end - index + 1
                break
            if not opened and parentheses == 0 and (end + 1 == len(lines) or not lines[end + 1].strip()
                                                    or lines[end + 1].strip().startswith("}")):
                break  # A protocol requirement has no body.


def check_source(name: Path, source: str, counts: dict) -> list:
    """Returns the findings of one source file and adds its budgeted constructs to the counts."""
    code = without_text(source)
    found = []
    lines = source.count("\n")
    if lines > MAX_FILE_LINES:
        found.append(f"{name}:1: expected at most {MAX_FILE_LINES} lines, got {lines}")
    for line, length in function_lengths(code):
        if length > MAX_FUNCTION_LINES:
            found.append(f"{name}:{line}: expected at most {MAX_FUNCTION_LINES} lines in a function, got {length}")
    if name.parts[0] == "Sources":
        for pattern, message in FORBIDDEN:
            text = source if "MARK" in message else code
            for match in pattern.finditer(text):
                found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {message}")
        for word, pattern in BUDGETED.items():
            counts[word] += len(pattern.findall(code))
        found += undocumented(name, source, code)
    return found


PUBLIC = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s+(?!import\b|extension\b|internal\(set\))")
ATTRIBUTE = re.compile(r"^\s*@\w+")


def attribute_above(lines: list, end: int) -> int:
    """Returns the first line of an attribute with several lines that ends on a line; else that line."""
    start = end
    while start > 0 and re.match(r"\s*(\)$|[\w(]+.*[,)]$)", lines[start]):
        start -= 1
    return start if start < end and ATTRIBUTE.match(lines[start]) else end


def undocumented(name: Path, source: str, code: str) -> list:
    """Returns the public declarations of the code, which has no strings, without a doc comment in the source."""
    lines = source.split("\n")
    found = []
    for index, line in enumerate(code.split("\n")):
        if not PUBLIC.match(line) or re.search(r"\boverride\b", line):
            continue
        above = attribute_above(lines, index - 1)
        while above >= 0 and (ATTRIBUTE.match(lines[above]) or re.match(r"\s*#(if|endif|else)", lines[above])):
            above = attribute_above(lines, above - 1)
        if above < 0 or not lines[above].strip().startswith("///"):
            found.append(f"{name}:{index + 1}: a public declaration without a doc comment")
    return found


IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:public\s+|package\s+|internal\s+|private\s+)?import[ \t]+(?:\w+[ \t]+)?(\w+)", re.M)
DIRECTIVE = re.compile(r"^\s*#(if|elseif|else|endif)\b(.*)")


def without_apple_branches(code: str) -> str:
    """Returns the code with the lines that only Apple's platforms compile replaced by empty ones.

    A module that they import is Apple's, even if one of ours has its name.
    """
    lines, branches = [], []
    for line in code.split("\n"):
        if directive := DIRECTIVE.match(line):
            kind, condition = directive.groups()
            if kind != "if":
                branches.pop()
            if kind != "endif":
                branches.append("canImport(Darwin)" in condition and "!" not in condition and "||" not in condition)
        lines.append("" if any(branches) else line)
    return "\n".join(lines)


def table_of_modules() -> dict:
    """Returns what each module needs, from the table in Package.swift, in its order."""
    manifest = (ROOT / "Package.swift").read_text()
    table = manifest[manifest.index("let layers") : manifest.index("let package")]
    needs = {}
    for match in MODULE.finditer(table):
        wanted = NEEDS.search(match[2])
        needs[match[1]] = re.findall(r'"(\w+)"', wanted[1]) if wanted else []
    return needs


def check_smallest_machine(needs: dict) -> list:
    """Returns the frameworks that the smallest machine would compile (Docs/decisions/0099)."""
    reached, waiting = set(), ["SmallestMachine"]
    while waiting:
        if (module := waiting.pop()) not in reached:
            reached.add(module)
            waiting += needs[module]
    return [f"Package.swift:1: SmallestMachine may not need {framework}" for framework in sorted(reached & FRAMEWORKS)]


def check_layers(needs: dict) -> list:
    """Returns imports that the table of modules does not allow, and needs that point upwards."""
    found = []
    place = {module: index for index, module in enumerate(needs)}
    for module, wanted in needs.items():
        for other in wanted:
            if place.get(other, len(place)) >= place[module]:
                found.append(f"Package.swift:1: {module} needs {other}, which is not declared before it")
    for folder, depth in [("Sources", 1), ("Tests", 0)]:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            module = path.relative_to(ROOT / folder).parts[depth]
            if module not in needs:
                found.append(f"{path.relative_to(ROOT)}:1: {module} is not in the table of modules")
                continue
            code = without_text(path.read_text())
            for match in IMPORT.finditer(without_apple_branches(code)):
                if match[1] in needs and match[1] not in needs[module]:
                    line = code.count("\n", 0, match.start()) + 1
                    found.append(f"{path.relative_to(ROOT)}:{line}: {module} may not import {match[1]}")
    return found


def check_paths(document: str, sources: dict) -> list:
    """Returns the functions that a document names as `File.swift: function` and that the file does not declare."""
    found = []
    for match in PATH_STEP.finditer(document):
        file, function = match.groups()
        line = document.count("\n", 0, match.start()) + 1
        if file not in sources:
            found.append(f"{ARCHITECTURE}:{line}: expected a file of MachineHost, got {file}")
        elif not re.search(rf"\bfunc {function}\b", sources[file]):
            found.append(f"{ARCHITECTURE}:{line}: expected a function of {file}, got {function}")
    return found


def over_budget(counts: dict, budget: dict) -> list:
    """Returns the constructs that Sources uses more often than the budget allows."""
    return [f"{BUDGET.relative_to(ROOT)}:1: expected at most {budget[word]} times {word} in Sources, got {count}; "
            "Docs/decisions/0022-unchecked-code.md says what each of them needs"
            for word, count in counts.items() if count > budget[word]]


def main() -> int:
    counts = dict.fromkeys(BUDGETED, 0)
    needs = table_of_modules()
    found = check_layers(needs) + check_smallest_machine(needs)
    for folder in ["Sources", "Tests"]:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            found += check_source(path.relative_to(ROOT), path.read_text(), counts)
    host = {path.name: path.read_text() for path in (ROOT / "Sources/Host/MachineHost").rglob("*.swift")}
    found += check_paths((ROOT / ARCHITECTURE).read_text(), host)
    found += over_budget(counts, json.loads(BUDGET.read_text()))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
