"""Publishes the results of a benchmark: on standard output, as JSON, and in a document between two marker lines."""

import argparse
import json
import pathlib
import sys


def write(path: pathlib.Path, name: str, text: str) -> None:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    document = path.read_text()
    if begin not in document or end not in document:
        sys.exit(f"expected the lines {begin} and {end} in {path}")
    head, rest = document.split(begin, 1)
    path.write_text(f"{head}{begin}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}")


def publish(options: argparse.Namespace, name: str, text: str, found: dict) -> None:
    """Prints the text, and writes the figures and the text to the files that the options `json` and `write` name."""
    print(text)
    if options.json:
        options.json.write_text(json.dumps(found, indent=4, ensure_ascii=False) + "\n")
    if options.write:
        write(options.write, name, text)
