import CombineCore
import Dispatch
import Foundation
import Testing

@testable import ComposableArchitecture

@Suite struct DebugOutputTests {
    private struct User {
        var id: Int
        var name: String
    }

    private enum Screen {
        case none
        case number(Int)
        case labelled(one: Int)
        case pair(one: Int, two: String)
        case user(User)
    }

    @Test func `collections have a line for each element, in a stable order`() {
        #expect(debugOutput([1, 2]) == "[\n  1,\n  2,\n]")
        #expect(debugOutput([Int]()) == "[\n]")
        #expect(debugOutput(Set([3, 1, 2])) == "Set([\n  1,\n  2,\n  3,\n])")
        #expect(
            debugOutput(["Blob": 1, "Blob Jr.": 2, "Blob Sr.": 3])
                == "[\n  \"Blob Jr.\": 2,\n  \"Blob Sr.\": 3,\n  \"Blob\": 1,\n]")
        #expect(debugOutput([1: ["a": 1]]) == "[\n  1: [\n    \"a\": 1,\n  ],\n]")
    }

    @Test func `tuples, structures and objects have a line for each member`() {
        final class Box {
            var id = 1
            var next: Box?
        }
        #expect(debugOutput((1, "2", 3.0)) == "(\n  1,\n  \"2\",\n  3.0\n)")
        #expect(debugOutput(("4" as Character, "5" as UnicodeScalar)) == "(\n  \"4\",\n  \"5\"\n)")
        #expect(debugOutput(()) == "()")
        #expect(debugOutput(User(id: 1, name: "Blob")) == "User(\n  id: 1,\n  name: \"Blob\"\n)")
        let box = Box()
        #expect(debugOutput(box) == "Box(\n  id: 1,\n  next: nil\n)")
        box.next = box
        #expect(debugOutput(box) == "Box(\n  id: 1,\n  next: Box(↩︎)\n)")
    }

    @Test func `enums show their case and its payload`() {
        #expect(debugOutput(Screen.none) == "Screen.none")
        #expect(debugOutput(Screen.number(1)) == "Screen.number(\n  1\n)")
        #expect(debugOutput(Screen.labelled(one: 1)) == "Screen.labelled(\n  one: 1\n)")
        #expect(debugOutput(Screen.pair(one: 1, two: "B")) == "Screen.pair(\n  one: 1,\n  two: \"B\"\n)")
        #expect(
            debugOutput(Screen.user(User(id: 1, name: "B")))
                == "Screen.user(\n  User(\n    id: 1,\n    name: \"B\"\n  )\n)")
        #expect(debugOutput(Optional(Screen.none) as Any) == "Screen.none")
    }

    @Test func `types can customize their output`() throws {
        #expect(debugOutput(Date(timeIntervalSinceReferenceDate: 0)) == "2001-01-01T00:00:00Z")
        let address = try #require(URL(string: "https://example.com/a"))
        #expect(debugOutput(address) == "https://example.com/a")
        let id = try #require(UUID(uuidString: "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF"))
        #expect(debugOutput(id) == "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF")
        #expect(debugOutput(DispatchQueue.main) == "DispatchQueue.main")
        #expect(debugOutput(DispatchQueue.global()) == "DispatchQueue.global()")
        #expect(
            debugOutput(DispatchQueue(label: "a.b", qos: .background))
                == #"DispatchQueue(label: "a.b", qos: .background)"#)
        #expect(debugOutput(OperationQueue.main) == "OperationQueue.main")
        #expect(debugOutput(OperationQueue()) == "OperationQueue()")
        #expect(debugOutput(RunLoop.main) == "RunLoop.main")
        #expect(debugOutput(NSObject()) == "NSObject()")
        #expect(debugOutput(Effect<Int, Never>(value: 42)) == "Effect<Int, Never>(\n  value: 42\n)")
        #expect(debugOutput(PassthroughSubject<Int, Never>().eraseToEffect()) == "Effect<Int, Never>()")
    }

    @Test func `the case of an action is shown without its payload`() {
        enum Row { case tapped, changed(query: String) }
        enum Action {
            case first(Bool, label: String)
            case row(index: Int, action: Row)
            case plain
        }
        #expect(debugCaseOutput(Action.first(true, label: "B")) == "Action.first(_:, label:)")
        #expect(debugCaseOutput(Action.row(index: 1, action: .tapped)) == "Action.row(index:, action: .tapped)")
        #expect(
            debugCaseOutput(Action.row(index: 1, action: .changed(query: "x")))
                == "Action.row(index:, action: .changed(query:))")
        #expect(debugCaseOutput(Action.plain) == "Action.plain")
        #expect(debugCaseOutput(1) == "Int")
    }

    @Test func `a difference shows removed lines before added ones, and common lines after a figure space`() {
        let before = "A(\n  login: B(\n    name: 1\n  ),\n  game: nil\n)"
        let after = "A(\n  login: nil,\n  game: nil\n)"
        #expect(
            debugDiff(before, after, printer: { $0 })
                == "\u{2007} A(\n−   login: B(\n−     name: 1\n−   ),\n+   login: nil,\n\u{2007}   game: nil\n\u{2007} )"
        )
        #expect(debugDiff(1, 1) == nil)
        #expect(debugDiff(1, 2) == "− 1\n+ 2")
    }
}
