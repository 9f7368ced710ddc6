"""Tests of the comparison in bench_http.py with servers whose figures are known."""

import argparse
import contextlib
import io
import pathlib
import tempfile
import unittest

import document
from http_bench import outputs, report
from http_bench.processes import Failure
from http_bench.rows import Row, measure


class Peers:
    """Fake servers that are only names."""

    def __init__(self):
        self.renewed = []

    def get(self, name: str) -> str:
        return name

    def renew(self, name: str) -> str:
        self.renewed.append(name)
        return name


def row(figures: dict, **changes) -> Row:
    """Returns a row whose servers take the given microseconds, sample by sample."""
    left = {name: list(values) for name, values in figures.items()}

    def take(server: str) -> dict:
        if not left[server]:
            raise Failure("no more")
        return {"cpu": left[server].pop(0), "rate": 1.0, "p50": 1.0, "p99": 2.0, "resident": 1 << 20}

    return Row("work", "request", list(figures), take, **changes)


def found(one: Row, repetitions: int, peers: Peers = None) -> dict:
    with contextlib.redirect_stderr(io.StringIO()) as order:
        result = measure([one], peers or Peers(), repetitions)["work"]
    result["order"] = [line.split(": ")[1].split(",")[0] for line in order.getvalue().splitlines()]
    return result


class ComparingTests(unittest.TestCase):
    def test_the_ratio_is_computed_within_each_turn(self):
        # The machine slows down by a factor of 3: by the medians alone, the server would be slower than its peer.
        result = found(row({"ours": [10.0, 30.0, 30.0], "peer": [12.0, 12.0, 36.0]}, best_of=["peer"]), 3)
        self.assertEqual(result["servers"]["ours"]["cpu"], 30.0)
        self.assertAlmostEqual(result["ratio"], 10 / 12)
        self.assertTrue(result["reached"])

    def test_the_best_peer_is_named_even_if_another_one_is_the_target(self):
        figures = {"ours": [5.0], "aimed": [6.0], "best": [4.0]}
        result = found(row(figures, best_of=["aimed"]), 1)
        self.assertEqual((result["best peer"], result["aim"], result["reached"]), ("best", 6.0, True))
        self.assertAlmostEqual(result["ratio"], 1.25)

    def test_the_better_of_two_targets_counts(self):
        figures = {"ours": [5.0], "one": [6.0], "other": [4.0]}
        self.assertFalse(found(row(figures, best_of=["one", "other"]), 1)["reached"])

    def test_a_limit_is_reached_at_its_value_but_not_above(self):
        self.assertTrue(found(row({"ours": [15.0], "peer": [1.0]}, most=15), 1)["reached"])
        self.assertFalse(found(row({"ours": [15.1], "peer": [99.0]}, most=15), 1)["reached"])

    def test_turns_alternate_in_direction(self):
        result = found(row({"ours": [1.0, 1.0], "peer": [1.0, 1.0]}, best_of=["peer"]), 2)
        self.assertEqual(result["order"], ["ours", "peer", "peer", "ours"])

    def test_a_row_can_require_fresh_servers(self):
        peers = Peers()
        found(row({"ours": [1.0], "peer": [1.0]}, best_of=["peer"], fresh=True), 1, peers)
        self.assertEqual(peers.renewed, ["ours", "peer"])

    def test_a_failure_is_shown_in_its_row(self):
        result = found(row({"ours": [1.0], "peer": []}, best_of=["peer"]), 1)
        self.assertEqual(result["failure"], "peer: no more")
        self.assertIn("not measured: peer: no more", "\n".join(report.verdicts({"work": result})))


class ReportTests(unittest.TestCase):
    def test_a_row_has_our_figure_the_best_peer_and_the_verdict(self):
        result = found(row({"ours": [1234.5, 1234.5], "peer": [1000.0, 1000.0]}, best_of=["peer"]), 2)
        self.assertEqual(
            report.verdicts({"work": result})[-1],
            "| work | request | 1,234.50 µs | 1,000.00 µs (peer) | 1.23 | 1,000.00 µs (peer) | **missed** |")

    def test_the_spread_is_half_of_the_range(self):
        result = found(row({"ours": [9.0, 10.0, 12.0], "peer": [1.0, 1.0, 1.0]}, best_of=["peer"]), 3)
        self.assertIn("| work | ours | 10.00 | 15% |", report.work({"work": result})[2])

    def test_a_table_replaces_the_previous_one(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "page.md")
            path.write_text("before\n<!-- http: begin -->\nold\n<!-- http: end -->\nafter\n")
            document.write(path, "http", "new")
            self.assertEqual(path.read_text(), "before\n<!-- http: begin -->\n\nnew\n\n<!-- http: end -->\nafter\n")
            with self.assertRaises(SystemExit):
                document.write(path, "combine", "new")

    def test_results_are_printed_and_written_where_the_options_say(self):
        with tempfile.TemporaryDirectory() as folder:
            figures, page = pathlib.Path(folder, "figures.json"), pathlib.Path(folder, "page.md")
            page.write_text("<!-- http: begin --><!-- http: end -->")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                document.publish(argparse.Namespace(json=figures, write=page), "http", "new", {"µs": 1})
                document.publish(argparse.Namespace(json=None, write=None), "combine", "other", {})
            self.assertEqual(printed.getvalue(), "new\nother\n")
            self.assertEqual(figures.read_text(), '{\n    "µs": 1\n}\n')
            self.assertIn("\nnew\n", page.read_text())


WRK = """Running 2s test @ https://127.0.0.1:18602/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.58ms    4.34ms  95.97ms   98.17%
    Req/Sec    39.07k     5.77k   45.12k    84.21%
  Latency Distribution
     50%  970.00us
     75%    1.29ms
     90%    1.69ms
     99%   14.72ms
  75917 requests in 2.01s, 155.81MB read
Requests/sec:  37772.79
Transfer/sec:     77.52MB
"""
H2LOAD = """finished in 2.00s, 157136.00 req/s, 310.95MB/s
requests: 314272 total, 314528 started, 314272 done, 314272 succeeded, 0 failed, 0 errored, 0 timeout
status codes: 314272 2xx, 0 3xx, 0 4xx, 0 5xx
"""


class OutputTests(unittest.TestCase):
    def test_wrk_output_is_parsed_with_its_units(self):
        self.assertEqual(outputs.wrk(WRK), (75917, 37772.79, [970.0, 14720.0]))

    def test_failed_requests_invalidate_a_measurement(self):
        for line in ["Non-2xx or 3xx responses: 7", "Socket errors: connect 0, read 3, write 0, timeout 0"]:
            with self.subTest(line), self.assertRaisesRegex(Failure, line):
                outputs.wrk(WRK + line)
        for change in [("314272 succeeded", "314271 succeeded"), ("314272 done, 314272", "0 done, 0")]:
            with self.subTest(change), self.assertRaises(Failure):
                outputs.h2load(H2LOAD.replace(*change))

    def test_h2load_output_is_parsed_with_its_log(self):
        self.assertEqual(outputs.h2load(H2LOAD), (314272, 157136.0))
        lines = [f"1795286544962251\t200\t{duration}\n" for duration in range(101, 0, -1)]
        self.assertEqual(outputs.h2load_log(lines), [51, 100])

    def test_the_error_names_missing_output(self):
        with self.assertRaisesRegex(Failure, "requests in"):
            outputs.wrk("nothing")


if __name__ == "__main__":
    unittest.main()
