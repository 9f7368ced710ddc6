"""Puts what a benchmark has found into a document, between two lines that mark the place."""

import pathlib
import sys


def write(path: pathlib.Path, name: str, text: str) -> None:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    document = path.read_text()
    if begin not in document or end not in document:
        sys.exit(f"{path} has no lines {begin} and {end}")
    head, rest = document.split(begin, 1)
    path.write_text(f"{head}{begin}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}")
