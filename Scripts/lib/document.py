"""Writes the results of a benchmark into a document, between two marker lines."""

import pathlib
import sys


def write(path: pathlib.Path, name: str, text: str) -> None:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    document = path.read_text()
    if begin not in document or end not in document:
        sys.exit(f"expected the lines {begin} and {end} in {path}")
    head, rest = document.split(begin, 1)
    path.write_text(f"{head}{begin}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}")
