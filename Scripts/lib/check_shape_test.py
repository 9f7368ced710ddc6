"""Tests of check_shape.py: each rule reports violations and ignores code that only looks similar."""

import unittest
from pathlib import Path

import check_shape


def findings(source: str, folder: str = "Sources") -> list:
    counts = dict.fromkeys(check_shape.BUDGETED, 0)
    return [line.split(": ", 1)[1] for line in check_shape.check_source(Path(folder, "M", "F.swift"), source, counts)]


class CheckShapeTests(unittest.TestCase):
    def test_each_forbidden_construct_is_reported_once(self):
        for source, message in [
            ("fatalError()\n", "fatalError"),
            ("do { try f() } catch {}\n", "an empty catch"), ("do { try f() } catch E.a {\n}\n", "an empty catch"),
            ("// MARK: - Things\n", "no MARK"),
        ]:
            with self.subTest(source):
                found = findings(source)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(message), found)

    def test_code_that_only_looks_similar_is_ignored(self):
        for source in [
            'let a = "fatalError()"\n', "// fatalError() and catch {}\n", 'let a = #"x" fatalError() "#\n',
            'let a = "\\(f("fatalError()"))"\n', "do { try f() } catch { g() }\n", "preconditionFailure()\n",
        ]:
            with self.subTest(source):
                self.assertEqual(findings(source), [])

    def test_the_steps_of_the_documented_paths_exist(self):
        sources = {"A+B.swift": "func take(_ a: Int) {}\nfunc taken() {}\n"}
        self.assertEqual(check_shape.check_paths("1. `A+B.swift: take(_:)`: text, `take`\n", sources), [])
        for step in ["`A+B.swift: tak`", "`A+B.swift: takes`", "`C.swift: take`"]:
            with self.subTest(step):
                found = check_shape.check_paths("one\n" + step, sources)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith("Docs/architecture.md:2: expected a "), found)

    def test_files_and_functions_have_a_maximum_length(self):
        self.assertEqual(findings("//\n" * 600), [])
        self.assertEqual(findings("//\n" * 601), ["expected at most 600 lines, got 601"])
        body = "    g()\n"
        self.assertEqual(findings("func f() {\n" + body * 58 + "}\n"), [])
        self.assertEqual(findings("func f() {\n" + body * 59 + "}\n"), ["expected at most 60 lines in a function, got 61"])
        self.assertEqual(
            findings("init(\n    a: Int = 1,\n    b: () -> Int = { 1 }\n) {\n" + body * 59 + "}\n"),
            ["expected at most 60 lines in a function, got 64"])

    def test_protocol_requirements_have_no_length(self):
        self.assertEqual(findings("protocol P {\n    func f()\n    init(a: Int)\n}\n" + "let a = 1\n" * 90), [])

    def test_public_declarations_need_doc_comments(self):
        message = ["a public declaration without a doc comment"]
        self.assertEqual(findings("public struct A {}\n"), message)
        self.assertEqual(findings("// Why.\n@inlinable\npublic func f() {}\n"), message)
        self.assertEqual(findings("/// What.\n@inlinable\npublic func f() {}\n"), [])
        several_lines = "@attached(\n    member, names: named(a),\n    named(b))\npublic macro M()\n"
        self.assertEqual(findings("/// What.\n@inlinable\n" + several_lines), [])
        self.assertEqual(findings("// Why.\n" + several_lines), message)
        self.assertEqual(findings("public import A\npublic extension B {}\n"), [])
        self.assertEqual(findings('let a = """\n    public struct A {}\n    """\n'), [])

    def test_each_of_successive_imports_is_found(self):
        source = "import A\npublic import B\n@_exported public import C\nimport struct D.E\n@testable import F\n"
        self.assertEqual(check_shape.IMPORT.findall(source), ["A", "B", "C", "D", "F"])

    def test_what_only_apple_platforms_compile_imports_their_modules(self):
        def imports(code: str) -> list:
            return check_shape.IMPORT.findall(check_shape.without_apple_branches(code))

        branches = "#if canImport(Combine) && canImport(Darwin)\n    public import Combine\n#else\n    import A\n#endif\nimport B\n"
        self.assertEqual(imports(branches), ["A", "B"])
        self.assertEqual(imports("#if canImport(Combine)\nimport Combine\n#endif\n"), ["Combine"])
        self.assertEqual(imports("#if !canImport(Darwin)\nimport A\n#else\nimport B\n#endif\n"), ["A", "B"])
        self.assertEqual(imports("#if canImport(Darwin) || os(Linux)\nimport A\n#endif\n"), ["A"])
        self.assertEqual(imports("#if canImport(Darwin)\n#if DEBUG\nimport A\n#endif\nimport B\n#endif\nimport C\n"), ["C"])

    def test_the_smallest_machine_needs_no_framework(self):
        needs = {"Unio": [], "Shared": [], "Adapter": ["Shared", "Unio"], "Granary": ["Shared"], "SmallestMachine": ["Granary"]}
        self.assertEqual(check_shape.check_smallest_machine(needs), [])
        needs["Granary"].append("Adapter")
        self.assertEqual(
            check_shape.check_smallest_machine(needs), ["Package.swift:1: SmallestMachine may not need Unio"])

    def test_the_budget_counts_code_only(self):
        counts = dict.fromkeys(check_shape.BUDGETED, 0)
        source = "final class A: @unchecked Sendable {} // @unchecked Sendable\nnonisolated(unsafe) var a = 1\n"
        source += '@exclusivity(unchecked) var b = 1 // @exclusivity(unchecked)\nlet c = "Unmanaged"\n'
        source += "let d = unsafeDowncast(Unmanaged<A>.fromOpaque(e).takeUnretainedValue(), to: B.self) // unsafeDowncast\n"
        check_shape.check_source(Path("Sources/M/F.swift"), source, counts)
        self.assertEqual(list(counts.values()), [1, 1, 1, 1, 1])

    def test_only_an_exceeded_budget_is_reported(self):
        budget = {"unsafeDowncast": 2}
        self.assertEqual(check_shape.over_budget({"unsafeDowncast": 2}, budget), [])
        self.assertEqual(len(check_shape.over_budget({"unsafeDowncast": 3}, budget)), 1)
        self.assertEqual(len(check_shape.over_budget({"unsafeDowncast": 1}, budget)), 0)


if __name__ == "__main__":
    unittest.main()
