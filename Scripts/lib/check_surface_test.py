"""Tests of check_surface.py."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import check_surface as check


def symbol(path, declaration, kind="swift.method", constraints=None):
    made = {"identifier": {"precise": "s:" + ".".join(path)}, "pathComponents": path, "kind": {"identifier": kind},
            "declarationFragments": [{"spelling": part} for part in declaration]}
    if constraints is not None:
        made["swiftExtension"] = {"constraints": constraints}
    return made


class SurfaceTests(unittest.TestCase):
    def test_a_declaration_is_one_line_with_the_conditions_of_its_extension(self):
        graph = {"symbols": [symbol(["Publisher", "min()"], ["@inlinable func ", "min", "()  -> Int"], constraints=[
            {"kind": "conformance", "lhs": "Self.Output", "rhs": "Comparable"},
            {"kind": "conformance", "lhs": "Self.Output", "rhs": "Copyable"}])], "relationships": []}
        self.assertEqual(check.lines_of([graph], "Core"), {"Publisher where Self.Output: Comparable | func min() -> Int"})

    def test_attributes_except_escaping_are_left_out(self):
        graph = {"symbols": [symbol(["insert(_:)"], ["func insert(@Bag.Builder _ list: @escaping @Sendable () -> Int)"])],
                 "relationships": []}
        self.assertEqual(check.lines_of([graph], "Core"), {"Core | func insert(_ list: @escaping () -> Int)"})

    def test_two_overloads_are_two_lines(self):
        graph = {"symbols": [symbol(["P", "m(_:)"], ["func m(_ a: Int)"]), symbol(["P", "m(_:)"], ["func m(_ a: String)"])],
                 "relationships": []}
        self.assertEqual(len(check.lines_of([graph], "Core")), 2)

    def test_a_conformance_is_a_line_with_its_conditions(self):
        graph = {"symbols": [symbol(["Just"], ["struct Just"], kind="swift.struct")], "relationships": [
            {"kind": "conformsTo", "source": "s:Just", "target": "x", "targetFallback": "Swift.Equatable",
             "swiftConstraints": [{"kind": "conformance", "lhs": "Output", "rhs": "Equatable"}]}]}
        self.assertIn("Just : Equatable where Output: Equatable", check.lines_of([graph], "Core"))

    def test_a_declaration_without_an_owner_belongs_to_the_checked_module(self):
        graph = {"symbols": [symbol(["Just"], ["struct Just"], kind="swift.struct")], "relationships": []}
        self.assertEqual(check.lines_of([graph], "RxCore"), {"RxCore | struct Just"})

    def test_an_alias_does_not_count_as_a_type(self):
        graph = {"symbols": [
            symbol(["WallTime"], ["struct WallTime<Context>"], kind="swift.struct"),
            symbol(["RunLoop", "Time"], ["typealias Time = WallTime<RunLoop>"], kind="swift.typealias"),
        ], "relationships": []}
        self.assertEqual(check.lines_of([graph], "Core"), {"Core | struct WallTime<Context>"})

    def test_the_document_must_mention_every_name_and_may_tick_only_existing_names(self):
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "combine.md"
            document.write_text("| `map` | ✓ |\n| `zap` | ✓ |\n| `zip` | no |\n")
            found = check.undocumented(["Publisher | func map() -> Int", "Publisher | func scan() -> Int"], document)
        self.assertEqual(found, ["combine.md does not mention `scan` of Publisher",
                                 "combine.md ticks `zap`, which the module does not have"])


class CommandTests(unittest.TestCase):
    """The whole command with an artificial symbol graph: `map` and `scan` of a module RxCore."""

    def run_command(self, listed, documented, *options):
        graph = {"symbols": [symbol(["Stream", "map()"], ["func map()"]), symbol(["Stream", "scan()"], ["func scan()"])],
                 "relationships": []}
        with tempfile.TemporaryDirectory() as folder:
            surface, document = Path(folder) / "rx-surface.txt", Path(folder) / "rx.md"
            surface.write_text(listed)
            document.write_text(documented)
            output = io.StringIO()
            arguments = ["check_surface.py", "RxCore", str(surface), str(document), *options]
            with mock.patch.object(check, "symbol_graphs", return_value=[graph]) as graphs, \
                    mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(output):
                status = check.main()
            self.assertEqual(graphs.call_args.args[1], "RxCore")
            return status, output.getvalue().splitlines(), surface.read_text()

    def test_a_module_that_matches_the_list_and_the_document_passes(self):
        status, found, _ = self.run_command("Stream | func map()\n", "| `map` | ✓ |\n")
        self.assertEqual((status, found), (0, []))

    def test_a_line_that_the_module_lacks_fails(self):
        status, found, _ = self.run_command("Stream | func zip()\n", "`zip`")
        self.assertEqual((status, found), (1, ["rx-surface.txt: the module lacks: Stream | func zip()"]))

    def test_a_name_that_the_document_lacks_fails(self):
        status, found, _ = self.run_command("Stream | func map()\nStream | func scan()\n", "| `map` | ✓ |\n")
        self.assertEqual((status, found), (1, ["rx.md does not mention `scan` of Stream"]))

    def test_write_regenerates_the_list(self):
        status, _, written = self.run_command("Stream | func zip()\n", "", "--write")
        self.assertEqual((status, written), (0, "Stream | func map()\nStream | func scan()\n"))


if __name__ == "__main__":
    unittest.main()
