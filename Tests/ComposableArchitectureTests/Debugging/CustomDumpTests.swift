import Foundation
import Testing

@testable import ComposableArchitecture

@Suite struct CustomDumpTests {
    private struct User: Equatable {
        var id: Int
        var name: String
        var numbers: [Int] = []
        var friend: Friend?
    }

    private struct Friend: Equatable { var name: String }

    private struct Row: Equatable, Identifiable {
        var id: Int
        var name: String
    }

    private struct Wrapper<Value> { var value: Value }

    private enum Action: Equatable {
        case tap
        case number(Int)
        case user(User)
        case pair(first: Int, second: String)
        indirect case nested(Action)
    }

    private final class Node {
        var next: Node?
    }

    private typealias Names = CustomDumpTests

    @Test func `members are on lines of their own`() {
        #expect(
            String(customDumping: User(id: 1, name: "Blob", numbers: [42, 1729], friend: Friend(name: "B"))) == """
                CustomDumpTests.User(
                  id: 1,
                  name: "Blob",
                  numbers: [
                    [0]: 42,
                    [1]: 1729
                  ],
                  friend: CustomDumpTests.Friend(name: "B")
                )
                """)
    }

    @Test func `cases have the name of their type only at the beginning`() {
        #expect(String(customDumping: Action.tap) == "CustomDumpTests.Action.tap")
        #expect(String(customDumping: Action.number(3)) == "CustomDumpTests.Action.number(3)")
        #expect(String(customDumping: [Action.number(3)]) == "[\n  [0]: .number(3)\n]")
        #expect(
            String(customDumping: Action.pair(first: 1, second: "a"))
                == "CustomDumpTests.Action.pair(\n  first: 1,\n  second: \"a\"\n)")
    }

    @Test func `texts, dates and collections have forms of their own`() {
        #expect(String(customDumping: "a\nb") == "\"\"\"\na\nb\n\"\"\"")
        #expect(String(customDumping: Optional<Int>.none) == "nil")
        #expect(String(customDumping: Optional(1)) == "1")
        #expect(String(customDumping: 1.5) == "1.5")
        #expect(String(customDumping: ["b": 1, "a": 2]) == "[\n  \"a\": 2,\n  \"b\": 1\n]")
        #expect(String(customDumping: Set([2, 1])) == "Set([\n  1,\n  2\n])")
        #expect(String(customDumping: [Int]()) == "[]")
        #expect(String(customDumping: [Int: Int]()) == "[:]")
        #expect(String(customDumping: AnyHashable(42)) == "42")
        #expect(String(customDumping: "é" as Character) == "\"é\"")
        #expect(String(customDumping: "é" as Unicode.Scalar) == "\"é\"")
        #expect(String(customDumping: "é" as StaticString) == "\"é\"")
        #expect(String(customDumping: UUID(1)) == "UUID(00000000-0000-0000-0000-000000000001)")
        #expect(String(customDumping: Date(timeIntervalSinceReferenceDate: 0)) == "Date(2001-01-01T00:00:00.000Z)")
        #expect(String(customDumping: (1, "a")) == "(\n  1,\n  \"a\"\n)")
        #expect(String(customDumping: Int.self) == "Int.self")
    }

    @Test func `a value with one simple member is on one line`() {
        #expect(String(customDumping: Wrapper(value: 1)) == "CustomDumpTests.Wrapper(value: 1)")
        #expect(String(customDumping: Wrapper(value: [Int]())) == "CustomDumpTests.Wrapper(value: [])")
        #expect(String(customDumping: Wrapper(value: Action.tap)) == "CustomDumpTests.Wrapper(value: .tap)")
        #expect(String(customDumping: Wrapper(value: Int?.none)) == "CustomDumpTests.Wrapper(value: nil)")
        #expect(String(customDumping: Wrapper(value: Int?.some(1))) == "CustomDumpTests.Wrapper(\n  value: 1\n)")
        let date = Date(timeIntervalSince1970: 0)
        #expect(
            String(customDumping: Wrapper(value: Date?.some(date)))
                == "CustomDumpTests.Wrapper(value: Date(1970-01-01T00:00:00.000Z))")
        #expect(
            String(customDumping: Wrapper(value: Wrapper(value: 1)))
                == "CustomDumpTests.Wrapper(\n  value: CustomDumpTests.Wrapper(value: 1)\n)")
        #expect(String(customDumping: Action.nested(.tap)) == "CustomDumpTests.Action.nested(.tap)")
        #expect(
            String(customDumping: Action.nested(.number(1))) == "CustomDumpTests.Action.nested(\n  .number(1)\n)")
    }

    @Test func `a dump has an indentation, a name and a depth`() {
        let user = User(id: 1, name: "Blob", numbers: [1], friend: Friend(name: "B"))
        func dump(name: String? = nil, indent: Int = 0, depth: Int) -> String {
            var text = ""
            customDump(user, to: &text, name: name, indent: indent, maxDepth: depth)
            return text
        }
        #expect(dump(depth: 0) == "CustomDumpTests.User(…)")
        #expect(
            dump(name: "user", indent: 2, depth: 1) == """
                  user: CustomDumpTests.User(
                    id: 1,
                    name: "Blob",
                    numbers: […],
                    friend: CustomDumpTests.Friend(name: "B")
                  )
                """)
        #expect(dump(depth: 2) == String(customDumping: user))
    }

    @Test func `strings with quotes and lines have delimiters of their own`() {
        #expect(String(customDumping: "a \"b\" \\") == "#\"a \"b\" \\\"#")
        #expect(String(customDumping: "a \"# b") == "##\"a \"# b\"##")
        #expect(String(customDumping: "a\n\"\"\"#") == "##\"\"\"\na\n\"\"\"#\n\"\"\"##")
        #expect(
            String(customDumping: Friend(name: "a\n\nb"))
                == "CustomDumpTests.Friend(\n  name: \"\"\"\n    a\n    \n    b\n    \"\"\"\n)")
    }

    @Test func `objects of a type are numbered and shown once`() {
        let (first, second) = (Node(), Node())
        let name = "CustomDumpTests.Node"
        #expect(
            String(customDumping: [first, first, second, second]) == """
                [
                  [0]: \(name)(next: nil),
                  [1]: \(name)(↩︎),
                  [2]: #1 \(name)(next: nil),
                  [3]: #1 \(name)(↩︎)
                ]
                """)
    }

    @Test func `types have short forms of optionals and collections`() {
        #expect(String(customDumping: [String: [Int?]].self) == "[String: [Int?]].self")
        #expect(String(customDumping: Result<[Int], any Error>?.self) == "Result<[Int], Error>?.self")
        #expect(String(customDumping: ((Int) -> [Int: String])?.self) == "((Int) -> [Int: String])?.self")
        #expect(String(customDumping: [(Int, [String])].self) == "[(Int, [String])].self")
    }

    @Test func `members that macros have added are not shown`() {
        struct Pair {
            let name = "a"
            let _$registrar = 1
        }
        #expect(String(customDumping: Pair()) == "CustomDumpTests.Pair(\n  name: \"a\"\n)")
    }

    @Test func `entries of a mirror are shown in its order`() {
        struct Ordered: CustomReflectable {
            var customMirror: Mirror {
                let entries = [(key: 2, value: "b"), (key: 1, value: "a")]
                return Mirror(self, unlabeledChildren: entries, displayStyle: .dictionary)
            }
        }
        #expect(String(customDumping: Ordered()) == "[\n  2: \"b\",\n  1: \"a\"\n]")
    }

    @Test func `different objects are shown in full`() {
        final class Box {
            let value: Int

            init(_ value: Int) { self.value = value }
        }
        let box = Box(1)
        #expect(diff(box, box) == nil)
        #expect(diff(box, Box(1)) == nil)
        #expect(diff(box, Box(2)) == "- CustomDumpTests.Box(value: 1)\n+ #1 CustomDumpTests.Box(value: 2)")
    }

    @Test func `values with texts of their own are compared by what they are`() {
        struct Secret: CustomDumpStringConvertible {
            let text: String
            var customDumpDescription: String { "<secret>" }
        }
        #expect(diff(Secret(text: "a"), Secret(text: "a")) == nil)
        #expect(diff(Secret(text: "a"), Secret(text: "b")) == "- <secret>\n+ <secret>")
        #expect(diff(Data([1]), Data([2])) == "- Data(1 bytes)\n+ Data(1 bytes)")
    }

    @Test func `objects of Foundation are shown like the values that they stand for`() throws {
        #expect(String(customDumping: NSArray(array: [1, 2])) == "[\n  [0]: 1,\n  [1]: 2\n]")
        #expect(String(customDumping: NSOrderedSet(array: ["a"])) == "[\n  [0]: \"a\"\n]")
        #expect(String(customDumping: NSSet(array: [2, 1])) == "Set([\n  1,\n  2\n])")
        #expect(String(customDumping: NSDictionary(dictionary: ["b": 2, "a": 1])) == "[\n  \"a\": 1,\n  \"b\": 2\n]")
        #expect(String(customDumping: NSDate(timeIntervalSince1970: 0)) == "Date(1970-01-01T00:00:00.000Z)")
        #expect(String(customDumping: NSAttributedString(string: "a")) == "\"a\"")
        #expect(String(customDumping: NSString(string: "a")) == "\"a\"")
        #expect(String(customDumping: NSNumber(value: 1.5)) == "1.5")
        #expect(String(customDumping: NSRange(0..<2)) == "0..<2")
        #expect(String(customDumping: NSLocale(localeIdentifier: "en_US")) == "Locale(en_US)")
        #expect(String(customDumping: NSData(data: Data([1, 2]))) == "Data(2 bytes)")
        #expect(try String(customDumping: #require(NSURL(string: "https://a.example"))) == "URL(https://a.example)")
    }

    @Test func `values of Foundation have short forms`() throws {
        #expect(String(customDumping: Data(repeating: 0, count: 4)) == "Data(4 bytes)")
        #expect(String(customDumping: Data(repeating: 0, count: 1_234_567)) == "Data(1,234,567 bytes)")
        #expect(String(customDumping: Decimal(string: "1.23")) == "1.23")
        #expect(String(customDumping: Locale(identifier: "en_US")) == "Locale(en_US)")
        #expect(String(customDumping: URL(string: "https://a.b/")) == "URL(https://a.b/)")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let text = String(customDumping: calendar)
        #expect(text.hasPrefix("Calendar(\n  identifier: .gregorian,\n"))
        #expect(text.contains("  timeZone: TimeZone(\n    identifier: \"GMT\",\n"))
    }

    @Test func `an object that contains itself ends`() {
        let node = Node()
        node.next = node
        #expect(String(customDumping: node) == "CustomDumpTests.Node(\n  next: CustomDumpTests.Node(↩︎)\n)")
        node.next = nil
    }

    @Test func `a difference shortens what has not changed`() {
        let before = User(id: 1, name: "Blob", numbers: [42, 1729], friend: Friend(name: "B"))
        var after = before
        #expect(diff(before, after) == nil)
        after.name = "Blob Jr."
        after.friend?.name = "C"
        #expect(
            diff(before, after) == """
                  CustomDumpTests.User(
                    id: 1,
                -   name: "Blob",
                +   name: "Blob Jr.",
                    numbers: […],
                -   friend: CustomDumpTests.Friend(name: "B")
                +   friend: CustomDumpTests.Friend(name: "C")
                  )
                """)
    }

    @Test func `unchanged elements are counted`() {
        #expect(
            diff([1, 2, 3, 4, 5], [1, 2, 9, 4, 5]) == """
                  [
                    … (2 unchanged),
                -   [2]: 3,
                +   [2]: 9,
                    … (2 unchanged)
                  ]
                """)
        #expect(
            diff([1, 2, 3], [0, 1, 2, 3]) == """
                  [
                +   [0]: 0,
                    … (3 unchanged)
                  ]
                """)
        #expect(
            diff([Friend(name: "a"), Friend(name: "b")], [Friend(name: "a"), Friend(name: "c")]) == """
                  [
                    [0]: CustomDumpTests.Friend(name: "a"),
                -   [1]: CustomDumpTests.Friend(name: "b")
                +   [1]: CustomDumpTests.Friend(name: "c")
                  ]
                """)
        #expect(
            diff([1, 2, 3, 4, 5, 6, 7, 8], [1, 4, 64, 7, 8, 42]) == """
                  [
                    [0]: 1,
                -   [1]: 2,
                -   [2]: 3,
                    [1]: 4,
                -   [4]: 5,
                +   [2]: 64,
                -   [5]: 6,
                    … (2 unchanged),
                +   [5]: 42
                  ]
                """)
        #expect(diff(Set([1, 2, 3]), [1, 3, 4]) == "  Set([\n-   2,\n+   4,\n    … (2 unchanged)\n  ])")
    }

    @Test func `an element with an id is found where it has changed and moved`() {
        let before = [Row(id: 1, name: "a"), Row(id: 2, name: "b"), Row(id: 3, name: "c")]
        #expect(
            diff(before, [Row(id: 1, name: "x"), Row(id: 3, name: "c"), Row(id: 4, name: "b")]) == """
                  [
                    [0]: CustomDumpTests.Row(
                      id: 1,
                -     name: "a"
                +     name: "x"
                    ),
                -   [1]: CustomDumpTests.Row(
                -     id: 2,
                -     name: "b"
                -   ),
                    [1]: CustomDumpTests.Row(…),
                +   [2]: CustomDumpTests.Row(
                +     id: 4,
                +     name: "b"
                +   )
                  ]
                """)
    }

    @Test func `values without common parts are shown in full`() {
        #expect(diff(1, 2, format: .proportional) == "− 1\n+ 2")
        #expect(diff(Friend?.none, Friend(name: "a")) == "- nil\n+ CustomDumpTests.Friend(name: \"a\")")
        #expect(
            diff(Action.number(1), .number(2))
                == "- CustomDumpTests.Action.number(1)\n+ CustomDumpTests.Action.number(2)")
        #expect(diff([Int](), [1]) == "  [\n+   [0]: 1\n  ]")
    }

    @Test func `values that are not equal but look the same are shown too`() {
        struct Unequal: Equatable {
            static func == (lhs: Unequal, rhs: Unequal) -> Bool { false }
        }
        let name = "CustomDumpTests.Unequal()"
        #expect(
            diff(Unequal(), Unequal()) == "  // Not equal but no difference detected:\n- \(name)\n+ \(name)")
        #expect(diff({ 1 }, { 2 }) == nil)
    }

    @Test func `a difference of strings is shown line by line`() {
        #expect(diff("a\nb", "a\nc") == "  \"\"\"\n  a\n- b\n+ c\n  \"\"\"")
        let mail = User(id: 1, name: "a\n\nb")
        #expect(
            diff(mail, User(id: 1, name: "a\n\nc", numbers: [1])) == """
                  CustomDumpTests.User(
                    id: 1,
                    name: \"""
                      a
                      \("")
                -     b
                +     c
                      \""",
                    numbers: [
                +     [0]: 1
                    ],
                    friend: nil
                  )
                """)
        #expect(diff(mail, User(id: 2, name: "a\n\nb"))?.contains("    name: \"…\",\n") == true)
    }

    @Test func `entries of a dictionary are compared by key`() {
        #expect(
            diff(["a": Friend(name: "a"), "b": Friend(name: "b")], ["a": Friend(name: "x"), "c": Friend(name: "b")])
                == """
                  [
                -   "a": CustomDumpTests.Friend(name: "a"),
                +   "a": CustomDumpTests.Friend(name: "x"),
                -   "b": CustomDumpTests.Friend(name: "b")
                +   "c": CustomDumpTests.Friend(name: "b")
                  ]
                """)
        #expect(
            diff(["a": 1, "b": 2], ["a": 1, "b": 3]) == "  [\n-   \"b\": 2\n+   \"b\": 3\n    … (1 unchanged)\n  ]")
    }

    @Test func `stacks and identified arrays show their elements`() {
        var stack = StackState<Int>([1])
        stack.append(2)
        stack.popLast()
        stack.append(3)
        #expect(String(customDumping: stack) == "[\n  #0: 1,\n  #2: 3\n]")
        #expect(
            String(customDumping: IdentifiedArray([Friend(name: "a")], id: \.name)).hasPrefix(
                "[\n  [0]: CustomDumpTests"))
    }

    @Test func `expectations of values fail with a difference`() {
        #expect(issues { expectNoDifference(1, 1) } == [])
        #expect(
            issues { expectNoDifference(1, 2, "numbers") } == [
                "numbers - Difference: …\n\n  − 1\n  + 2\n\n(First: −, Second: +)"
            ])
        var count = 0
        let found = issues {
            expectDifference(count, operation: { count += 1 }, changes: { $0 = 1 })
            expectDifference(count, operation: { count += 1 }, changes: { $0 = 7 })
            XCTAssertNoDifference(1, 1)
            XCTAssertNoDifference(1, 2, "a")
            XCTAssertDifference(count, operation: { count += 1 }, changes: { $0 = 9 })
        }
        #expect(
            found == [
                "Difference: …\n\n  − 7\n  + 2\n\n(Expected: −, Actual: +)",
                "a - Difference: …\n\n  − 1\n  + 2\n\n(First: −, Second: +)",
                "Difference: …\n\n  − 9\n  + 3\n\n(Expected: −, Actual: +)",
            ])
    }

    @Test func `an expectation of an asynchronous operation fails with a difference`() async {
        struct Refusal: Error {}
        var count = 0
        let found = await issues {
            for expected in [1, 7] {
                await expectDifference(count) {
                    await Task.yield()
                    count += 1
                } changes: {
                    $0 = expected
                }
            }
            await expectDifference(count) {
                await Task.yield()
                throw Refusal()
            } changes: {
                $0 = 7
            }
        }
        #expect(found == ["Difference: …\n\n  − 7\n  + 2\n\n(Expected: −, Actual: +)", "Caught error: Refusal()"])
    }
}
