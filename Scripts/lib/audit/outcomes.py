"""The outcomes of cases, and the explained findings.

A case has a stable name: `part/server/case`. The exceptions are patterns of such names, with `*` for any part of a
name, and state why the tool is wrong or the finding is intended.
"""

import fnmatch
import json
from dataclasses import dataclass
from pathlib import Path

EXCEPTIONS = Path(__file__).resolve().parent.parent / "audit-exceptions.json"


@dataclass
class Outcome:
    """The outcome of one case. `finding` is empty if the case passed."""

    name: str
    finding: str = ""


class Report:
    """Collects outcomes and separates explained findings from new ones."""

    def __init__(self, exceptions: dict[str, str]) -> None:
        self.exceptions = exceptions
        self.used: set[str] = set()
        self.outcomes: list[Outcome] = []
        self.parts: list[str] = []
        self.servers: list[str] = []

    @staticmethod
    def load() -> "Report":
        exceptions = json.loads(EXCEPTIONS.read_text())
        for name, reason in exceptions.items():
            if not reason.strip():
                raise SystemExit(f"{EXCEPTIONS}: {name} has no reason")
        return Report(exceptions)

    def add(self, outcomes: list[Outcome]) -> None:
        self.outcomes += outcomes

    def explanation(self, name: str) -> str | None:
        for pattern, reason in self.exceptions.items():
            if fnmatch.fnmatchcase(name, pattern):
                self.used.add(pattern)
                return reason
        return None

    def print(self, every: bool) -> int:
        """Prints the table and returns the exit status."""
        new = explained = passed = 0
        rows = []
        for outcome in self.outcomes:
            if not outcome.finding:
                passed += 1
                if every:
                    rows.append((outcome.name, "pass", ""))
            elif reason := self.explanation(outcome.name):
                explained += 1
                rows.append((outcome.name, "explained", f"{outcome.finding} ({reason})"))
            else:
                new += 1
                rows.append((outcome.name, "FAIL", outcome.finding))
        self.print_rows(rows)
        for pattern in self.exceptions:
            part, server = pattern.split("/")[:2]
            if pattern not in self.used and part in self.parts and (server == "*" or server in self.servers):
                print(f"no longer occurs, remove it from {EXCEPTIONS.name}: {pattern}")
        print(f"{passed} passed, {explained} explained, {new} failed")
        return 1 if new else 0

    @staticmethod
    def print_rows(rows: list[tuple[str, str, str]]) -> None:
        width = max((len(name) for name, _, _ in rows), default=0)
        for name, result, text in rows:
            print(f"{name:<{width}}  {result:<9}  {' '.join(text.split())}")
