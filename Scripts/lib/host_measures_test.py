"""Tests of what the measures of the host count: declarations, assertions, the calls that callgrind reports, and kinds of symbols."""

import unittest
from collections import Counter
from unittest import mock

import request_steps
from host_measures import ASSERTION, WAITING
from request_steps import calls, is_written, steady
from swift_declarations import Declarations


def functions(source: str) -> int:
    return Declarations(source).functions


def stored(source: str) -> dict:
    """Returns the owner and the name of each stored property with what other files can do: see it, and change it."""
    return {
        f"{each.owner}.{each.name}": (not each.is_private, each.is_variable and not (each.is_private or each.has_private_setter))
        for each in Declarations(source).properties}


class FunctionTests(unittest.TestCase):
    def test_each_body_is_counted_once(self):
        for source, count in [
            ("func f() {\n    if a { b() }\n    items.forEach { c($0) }\n}\n", 1),
            ("@Sendable\nfunc f(\n    _ work: () -> Void = {}\n) throws(E) -> [Int] {\n}\n", 1),
            ("struct S {\n    init() { a = 1 }\n    static func g() {}\n    private mutating func h() {}\n}\n", 3),
            ("final class C {\n    class func f() {}\n    deinit { g() }\n}\n", 2),
            ("func f() {\n    func g() {}\n    let a = 1\n    if a == 1 {}\n}\n", 2),
        ]:
            with self.subTest(source):
                self.assertEqual(functions(source), count)

    def test_each_accessor_with_a_body_is_counted(self):
        for source, count in [
            ("struct S { var a: Int { 1 } }\n", 1),
            ("struct S { var a: Int { get { 1 } nonmutating set { b(newValue) } } }\n", 2),
            ("struct S { var a = 0 { didSet { b() } } }\n", 1),
            ("struct S { subscript(a: Int) -> Int { get { a } set(value) {} } }\n", 2),
            ("struct S { subscript(a: Int) -> Int { a } }\n", 1),
            ("struct S { var a: Int { get throws(E) { 1 } } }\n", 1),
            ("struct S { var a: Int { read() } }\n", 1),
        ]:
            with self.subTest(source):
                self.assertEqual(functions(source), count)

    def test_what_has_no_body_or_only_looks_similar_is_not_counted(self):
        for source in [
            "protocol P {\n    func f()\n    var a: Int { get }\n    var b: Int { get set }\n    init(a: Int)\n}\n",
            "let a = items.map { $0 }\n", "struct S { let a: Int = { 1 }() }\n", '// func f() {}\nlet a = "func f() {}"\n',
        ]:
            with self.subTest(source):
                self.assertEqual(functions(source), 0)


class StoredPropertyTests(unittest.TestCase):
    def test_stored_properties_are_found_with_their_access(self):
        source = """
        final class C {
            let a: Int
            var b = 0, c: [Int: String] = [:]
            private var d: ((Int, Int) -> Void)?
            private(set) weak var e: C?
            @exclusivity(unchecked) var f = 0 { didSet { g() } }
            static var h: Int { 1 }
            var i: Int {
                get { let local = 1; return local }
            }
            func g() { var local = 0 }
            private struct S {
                var a = items.map { $0 }
            }
        }
        """
        self.assertEqual(stored(source), {
            "C.a": (True, False), "C.b": (True, True), "C.c": (True, True), "C.d": (False, False), "C.e": (True, False),
            "C.f": (True, True), "C.S.a": (False, False)})

    def test_requirements_and_associated_values_are_none(self):
        self.assertEqual(stored("protocol P { var a: Int { get } }\nenum E { case a(b: Int), c }\n"), {})

    def test_a_container_is_found_by_its_type_and_by_its_initial_value(self):
        source = "struct S {\n    var a: [Int: Queue<PendingRequest>] = [:]\n    var b = [WaitingRequest]()\n    var c: Request?\n}\n"
        found = [each.name for each in Declarations(source).properties if WAITING.search(each.text)]
        self.assertEqual(found, ["a", "b"])


class AssertionTests(unittest.TestCase):
    def test_calls_are_counted_and_declarations_are_not(self):
        for text, count in [
            ("assert(a)", 1), ("preconditionFailure()", 1), ("loop.preconditionInEventLoop()", 1), ("loop.assertCurrent()", 1),
            ("func assertCurrent() {", 0), (".preconditionFailed,", 0), ("isAsserted(a)", 0),
        ]:
            with self.subTest(text):
                self.assertEqual(len(ASSERTION.findall(text)), count)


class StepTests(unittest.TestCase):
    def test_calls_are_summed_over_callers_and_recursion(self):
        text = "fn=(1) a\n0 5\ncfn=(2) b\ncalls=3 0\n0 9\n\nfn=(3) c\ncfi=(4)\ncfn=(2)\ncalls=4 0\n0 9\ncfn=(5) b'2\ncalls=1 0\n0 9\n"
        self.assertEqual(calls(text), {"b": 8})

    def test_a_step_is_called_by_nearly_all_requests(self):
        requests = [Counter({"each": 1})] * 89 + [Counter({"each": 1, "some": 100})] * 10 + [Counter()]
        self.assertEqual(steady(requests), ["each"])

    def test_only_written_functions_are_steps(self):
        for kinds, expected in [
            ("  kind=Function\n    kind=Class\n", True), ("  kind=Static\n    kind=Function\n", True),
            ("  kind=GenericSpecialization\n    kind=Type\n  kind=Constructor\n    kind=Class\n", True),
            ("  kind=Getter\n    kind=Variable\n", False), ("  kind=Static\n    kind=Getter\n", False),
            ("  kind=ExplicitClosure\n    kind=Function\n", False), ("  kind=ProtocolWitness\n    kind=Function\n", False),
            ("  kind=OutlinedCopy\n", False), ('  kind=Function\n    kind=Function\n      kind=Identifier, text="$defer"\n', False),
            ("", False),
        ]:
            with self.subTest(kinds):
                self.assertEqual(is_written(f"$s1a\nkind=Global\n{kinds}"), expected)

    def test_a_place_is_a_function_of_these_sources(self):
        with mock.patch.object(request_steps.pathlib.Path, "exists", return_value=True), \
                mock.patch.object(request_steps.pathlib.Path, "read_text", return_value="struct S {\n    func f() {}\n    let a\n}\n"):
            self.assertEqual(request_steps.declaration("/x/Sources/A/B.swift:2"), ("Sources/A/B.swift", 2))
            self.assertEqual(request_steps.declaration("/x/Sources/A/B.swift:2 (discriminator 1)"), ("Sources/A/B.swift", 2))
            self.assertIsNone(request_steps.declaration("/x/Sources/A/B.swift:1"))
            self.assertIsNone(request_steps.declaration("<compiler-generated>:?"))
            with self.assertRaises(request_steps.Failure):
                request_steps.declaration("/x/Sources/A/B.swift:9")


if __name__ == "__main__":
    unittest.main()
