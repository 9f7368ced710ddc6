"""Tests of the comparison with bounds in bench_counts.py, and of the frames that its client of HTTP/2 sends."""

import json
import unittest

from bench_counts import BOUNDS, COUNTS, PROTOCOLS, TOLERANCE, UNITS, excesses, table
from http_bench.clients import HEADERS, frame, literal

ROW = "GET of a session, HTTP/1.1"


def counts(retains: float = 20, releases: float = 30, objects: float = 5) -> dict:
    return {"retains": retains, "releases": releases, "objects": objects}


class BoundTests(unittest.TestCase):
    def test_a_count_within_its_bound_is_no_excess(self):
        self.assertEqual(excesses({ROW: counts(20 + TOLERANCE)}, {ROW: counts()}), [])
        self.assertEqual(excesses({ROW: counts(1, 1, 1)}, {ROW: counts()}), [])

    def test_each_count_beyond_its_bound_is_named(self):
        found = excesses({ROW: counts(21, 30, 6)}, {ROW: counts()})
        self.assertEqual(found, [f"{ROW}: expected at most 20 retains, got 21", f"{ROW}: expected at most 5 objects, got 6"])

    def test_a_row_without_bounds_is_an_excess(self):
        self.assertEqual(excesses({ROW: counts()}, {}), [f"{ROW}: no bounds"])

    def test_every_row_has_committed_bounds(self):
        rows = {f"{unit}, {protocol}" for units in UNITS.values() for unit in units for protocol in PROTOCOLS}
        bounds = json.loads(BOUNDS.read_text())
        self.assertEqual(set(bounds), rows)
        self.assertTrue(all(set(row) == set(COUNTS) for row in bounds.values()))

    def test_the_table_has_the_counts_and_the_bounds(self):
        line = table({ROW: counts()}, {ROW: counts(21, 31, 5)}).splitlines()[-1]
        self.assertEqual(line, "| GET of a session | HTTP/1.1 | 20 | 30 | 5 | 21 / 31 / 5 |")


class FrameTests(unittest.TestCase):
    def test_a_frame_has_the_head_of_rfc_9113(self):
        self.assertEqual(frame(HEADERS, 5, 3, b"ab"), b"\0\0\2\1\5\0\0\0\3ab")

    def test_a_literal_field_is_not_indexed(self):
        self.assertEqual(literal("a", "bc"), b"\0\1a\2bc")


if __name__ == "__main__":
    unittest.main()
