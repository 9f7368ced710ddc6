import FoundationEssentials
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

    private enum Action: Equatable {
        case tap
        case number(Int)
        case user(User)
        case pair(first: Int, second: String)
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
                  friend: CustomDumpTests.Friend(
                    name: "B"
                  )
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
        #expect(String(customDumping: UUID(1)) == "UUID(00000000-0000-0000-0000-000000000001)")
        #expect(String(customDumping: Date(timeIntervalSinceReferenceDate: 0)) == "Date(2001-01-01T00:00:00Z)")
        #expect(String(customDumping: (1, "a")) == "(\n  1,\n  \"a\"\n)")
        #expect(String(customDumping: Int.self) == "Int.self")
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
                    friend: CustomDumpTests.Friend(
                -     name: "B"
                +     name: "C"
                    )
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
                    … (1 unchanged),
                    [1]: CustomDumpTests.Friend(
                -     name: "b"
                +     name: "c"
                    )
                  ]
                """)
    }

    @Test func `values without common parts are shown in full`() {
        #expect(diff(1, 2, format: .proportional) == "− 1\n+ 2")
        #expect(diff(Friend?.none, Friend(name: "a")) == "- nil\n+ CustomDumpTests.Friend(\n+   name: \"a\"\n+ )")
        #expect(
            diff(Action.number(1), .number(2))
                == "- CustomDumpTests.Action.number(1)\n+ CustomDumpTests.Action.number(2)")
        #expect(diff([Int](), [1]) == "- []\n+ [\n+   [0]: 1\n+ ]")
    }

    @Test func `entries of a dictionary are compared by key`() {
        #expect(
            diff(["a": Friend(name: "a"), "b": Friend(name: "b")], ["a": Friend(name: "x"), "c": Friend(name: "b")])
                == """
                  [
                -   "a": CustomDumpTests.Friend(
                -     name: "a"
                -   ),
                -   "b": CustomDumpTests.Friend(
                -     name: "b"
                -   )
                +   "a": CustomDumpTests.Friend(
                +     name: "x"
                +   ),
                +   "c": CustomDumpTests.Friend(
                +     name: "b"
                +   )
                  ]
                """)
        #expect(
            diff(["a": 1, "b": 2], ["a": 1, "b": 3]) == "  [\n    … (1 unchanged),\n-   \"b\": 2\n+   \"b\": 3\n  ]")
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
                "numbers - Expected equal values: …\n\n  − 1\n  + 2\n\n(First: −, Second: +)"
            ])
        var count = 0
        let found = issues {
            expectDifference(count, operation: { count += 1 }, changes: { $0 = 1 })
            expectDifference(count, operation: { count += 1 }, changes: { $0 = 7 })
        }
        #expect(found.count == 1)
    }
}
