import CombineCore
import CombineSchedulers
import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import StateCapture

/// The capture of states, without a host.
@Suite struct StateCaptureTests {
    enum Phase: Equatable {
        case idle
        case loading(String)
        case loaded(Int, name: String, page: Page?)
        case nested(Inner)
    }

    enum Inner: Equatable {
        case on
        case off(reason: String)
    }

    struct Page: Equatable {
        var number: Int
    }

    indirect enum Chain: Equatable {
        case end
        case link(Chain)
        case pair(Phase, name: String)
    }

    private func codec<Value>(_ type: Value.Type) throws -> StateCodec<Value> {
        var reading = CodecReading()
        let codec = reading.codec(of: type, at: "State.value")
        #expect(reading.obstacles == [])
        return try #require(codec)
    }

    private func roundTrip<Value: Equatable>(_ value: Value) throws -> String {
        let codec = try codec(Value.self)
        var json: [UInt8] = []
        try codec.encode(value, &json)
        #expect(try codec.decode(json[...]) == value)
        return String(decoding: json, as: UTF8.self)
    }

    @Test(arguments: [
        (Phase.idle, #""idle""#), (.loading("a"), #"{"loading":{"_0":"a"}}"#),
        (.loaded(1, name: "n", page: nil), #"{"loaded":{"_0":1,"name":"n","page":[]}}"#),
        (.loaded(1, name: "n", page: Page(number: 2)), #"{"loaded":{"_0":1,"name":"n","page":[{"number":2}]}}"#),
        (.nested(.off(reason: "r")), #"{"nested":{"_0":{"off":{"reason":"r"}}}}"#),
        (.nested(.on), #"{"nested":{"_0":"on"}}"#),
    ])
    func `an enumeration is stored by its case and values`(phase: Phase, json: String) throws {
        #expect(try roundTrip(phase) == json)
    }

    struct Folder: Equatable {
        var name: String
        var inner = PresentationState<Folder>(wrappedValue: nil)
    }

    @Test func `a presented state is stored as a field with its value`() throws {
        #expect(try roundTrip(PresentationState<Page>(wrappedValue: nil)) == #"{"wrappedValue":[]}"#)
        #expect(
            try roundTrip(PresentationState(wrappedValue: Page(number: 2))) == #"{"wrappedValue":[{"number":2}]}"#)
    }

    @Test func `a state that presents itself is stored`() throws {
        let inner = Folder(name: "b")
        let outer = Folder(name: "a", inner: .init(wrappedValue: inner))
        let stored = #"{"name":"b","inner":{"wrappedValue":[]}}"#
        #expect(try roundTrip(outer) == #"{"name":"a","inner":{"wrappedValue":[\#(stored)]}}"#)
    }

    @Test func `a presented state is a member, captured when it changes`() throws {
        let layout = MemberLayout.of(Folder.self, transient: [], scope: .all)
        #expect(layout.obstacles == [])
        #expect(layout.members.map(\.path) == ["name", "inner.wrappedValue"])
        let member = try #require(layout.members.last)
        #expect(member.typeName == "Optional<Folder>")
        #expect(member.comparesBytes)
        #expect(MemberLayout.of(Folder.self, transient: ["inner.wrappedValue"], scope: .all).members.count == 1)
    }

    @Test(arguments: [#""gone""#, #"{"gone":{}}"#, #""loading""#, #"{"loading":{}}"#, "{}", "1"])
    func `a case of another build is rejected`(json: String) throws {
        let codec = try codec(Phase.self)
        #expect(throws: (any Error).self) { try codec.decode(Array(json.utf8)[...]) }
    }

    @Test func `indirect cases are captured like others`() throws {
        #expect(try roundTrip(Chain.end) == #""end""#)
        #expect(try roundTrip(Chain.link(.end)) == #"{"link":{"_0":"end"}}"#)
        _ = try roundTrip(Chain.link(.link(.pair(.loading("x"), name: "n"))))
        let action = PresentationAction<Phase>.presented(.loading("x"))
        #expect(try roundTrip(action) == #"{"presented":{"_0":{"loading":{"_0":"x"}}}}"#)
        let codec = try codec(Chain.self)
        #expect(throws: (any Error).self) { try codec.decode(Array(#"{"link":{}}"#.utf8)[...]) }
    }

    @Test func `the bytes of an enumeration are compared unless it holds objects`() {
        final class Object {}
        enum Holding { case object(Object) }
        #expect(StateComparison.isSound(for: Phase.self))
        #expect(!StateComparison.isSound(for: Holding.self))
        indirect enum Boxed { case phase(Phase), other(Boxed) }
        indirect enum Owning { case object(Object) }
        #expect(StateComparison.isSound(for: Boxed.self))
        #expect(!StateComparison.isSound(for: Owning.self))
        #expect(StateComparison.isSound(for: IdentifiedArrayOf<Identified<Int, Phase>>.self))
    }

    @Test func `the wrappers of states are stored with everything they know`() throws {
        struct Row: Identifiable, Equatable {
            let id: Int
            var phase: Phase
        }
        _ = try roundTrip(IdentifiedArrayOf<Row>([Row(id: 2, phase: .idle), Row(id: 1, phase: .loading("x"))]))
        _ = try roundTrip(PresentationState<Phase>(wrappedValue: .loading("x")))
        _ = try roundTrip(PresentationState<Phase>(wrappedValue: nil))
        _ = try roundTrip(BindableState(wrappedValue: Phase.idle))
        _ = try roundTrip(AlertState<Phase>(title: "t", primaryButton: .cancel(), secondaryButton: .default("d")))
        var stack = StackState<Phase>([.idle, .loading("x")])
        stack.popLast()
        let codec = try codec(StackState<Phase>.self)
        var json: [UInt8] = []
        try codec.encode(stack, &json)
        var restored = try codec.decode(json[...])
        #expect(restored == stack)
        // The id of a popped element is not used again.
        #expect(restored.append(.idle) == 2)
    }

    @Test func `a stack that is Codable is stored with everything it knows, too`() throws {
        var stack = StackState([1, 2])
        stack.popLast()
        #expect(try roundTrip(stack).contains("nextNumber"))
        #expect(try roundTrip(Optional(stack)).contains("nextNumber"))
    }

    @Test func `an alert keeps its id`() throws {
        let alert = AlertState<Phase>(title: "t")
        let codec = try codec(AlertState<Phase>.self)
        var json: [UInt8] = []
        try codec.encode(alert, &json)
        #expect(try codec.decode(json[...]).id == alert.id)
    }

    @Test func `a presented state is Codable if the child's state is`() throws {
        struct Child: Codable, Equatable { var count: Int }
        struct Parent: Codable, Equatable { @PresentationState var child: Child? }
        #expect(try roundTrip(Parent(child: Child(count: 1))) == #"{"child":{"count":1}}"#)
        #expect(try roundTrip(Parent(child: nil)) == #"{"child":null}"#)
    }
}
