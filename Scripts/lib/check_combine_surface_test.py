"""Tests of check_combine_surface: run this file."""

import tempfile
import unittest
from pathlib import Path

import check_combine_surface as check


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
        self.assertEqual(check.lines_of([graph]), {"Publisher where Self.Output: Comparable | func min() -> Int"})

    def test_overloads_of_one_name_are_two_lines(self):
        graph = {"symbols": [symbol(["P", "m(_:)"], ["func m(_ a: Int)"]), symbol(["P", "m(_:)"], ["func m(_ a: String)"])],
                 "relationships": []}
        self.assertEqual(len(check.lines_of([graph])), 2)

    def test_a_conformance_is_a_line_with_its_conditions(self):
        graph = {"symbols": [symbol(["Just"], ["struct Just"], kind="swift.struct")], "relationships": [
            {"kind": "conformsTo", "source": "s:Just", "target": "x", "targetFallback": "Swift.Equatable",
             "swiftConstraints": [{"kind": "conformance", "lhs": "Output", "rhs": "Equatable"}]}]}
        self.assertIn("Just : Equatable where Output: Equatable", check.lines_of([graph]))

    def test_the_document_has_to_mention_every_name_and_may_tick_only_what_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            check.DOCUMENT = Path(folder) / "combine.md"
            check.DOCUMENT.write_text("| `map` | ✓ |\n| `zap` | ✓ |\n| `zip` | no |\n")
            found = check.undocumented(["Publisher | func map() -> Int", "Publisher | func scan() -> Int"])
        self.assertEqual(found, ["combine.md does not mention `scan` of Publisher",
                                 "combine.md ticks `zap`, which the module does not have"])


if __name__ == "__main__":
    unittest.main()
