import CombineCore
import CombineSchedulers
import ComposableArchitecture
import FoundationEssentials
import JSONText
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

    struct Flow: Codable, Equatable {
        var path = StackState<Int>()
        var others: [String: StackState<Int>] = [:]
    }

    @Test func `a stack in a state that is Codable does not use the ids of popped elements after a restore`() throws {
        var flow = Flow(path: [1, 2], others: ["a": [4]])
        // As in earlier builds.
        #expect(
            try roundTrip(flow)
                == #"{"path":[{"id":0,"value":1},{"id":1,"value":2}],"others":{"a":[{"id":0,"value":4}]}}"#)
        flow.path.append(3)
        flow.path[id: 1] = nil
        flow.path.popLast()
        flow.others["a"]?.removeAll()
        let codec = try codec(Flow.self)
        var json: [UInt8] = []
        try codec.encode(flow, &json)
        var restored = try codec.decode(json[...])
        #expect(restored == flow)
        #expect(restored.path.append(5) == 3)
        #expect(restored.path.ids == [0, 3])
        #expect(restored.others["a"]?.append(6) == 1)
        // What clients see has no number.
        var text: [UInt8] = []
        try JSONStream.append(flow, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == #"{"path":[{"id":0,"value":1}],"others":{"a":[]}}"#)
    }

    @Test(arguments: [
        (#"{"path":[{"id":4,"value":1}],"others":{}}"#, 5), (#"{"path":[1,2],"others":{}}"#, 2),
        (#"{"path":{"storage":[{"id":0,"value":1}],"nextNumber":7},"others":{}}"#, 7),
    ])
    func `a stack that an earlier build has stored is restored`(json: String, next: Int) throws {
        var flow = try codec(Flow.self).decode(Array(json.utf8)[...])
        #expect(flow.path.append(9).number == next)
    }

    @Test func `elements of a stored stack with the same id are rejected`() throws {
        let json = #"{"path":{"storage":[{"id":0,"value":1},{"id":0,"value":2}],"nextNumber":1},"others":{}}"#
        #expect(throws: (any Error).self) { try codec(Flow.self).decode(Array(json.utf8)[...]) }
    }

    struct Ranked: Codable, Identifiable, Equatable {
        let id: Int
        var rank: Int
        var code: Int { id }
    }

    struct Hidden: Identifiable, Equatable {
        let id: Int
        var rank: Int
        var phase = Phase.idle
    }

    @Test func `an array with a key path of its own is not stored`() throws {
        func store<Value>(_ value: Value) throws {
            var json: [UInt8] = []
            try codec(Value.self).encode(value, &json)
        }
        #expect(throws: CaptureObstacle.self) { try store(IdentifiedArray<Int, Ranked>(id: \.rank)) }
        #expect(throws: CaptureObstacle.self) { try store([IdentifiedArray([Hidden(id: 1, rank: 2)], id: \.rank)]) }
        #expect(throws: CaptureObstacle.self) { try store(IdentifiedArray([Ranked(id: 1, rank: 2)], id: \.rank)) }
        // The id itself, in all ways of writing it.
        try store(IdentifiedArray([Ranked(id: 1, rank: 2)], id: \.id))
        try store(IdentifiedArray([Ranked(id: 1, rank: 2)], id: \.code))
        try store(IdentifiedArray<Int, Hidden>(id: \.id))
        try store(IdentifiedArrayOf<Hidden>([Hidden(id: 1, rank: 2)]))
        // Clients have no use for a key path.
        var json: [UInt8] = []
        try JSONStream.append(IdentifiedArray([Ranked(id: 1, rank: 2)], id: \.rank), to: &json)
        #expect(String(decoding: json, as: UTF8.self) == #"[{"id":1,"rank":2}]"#)
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
