import Testing

@testable import MachineHost

struct TopicTableTests {
    private final class Session {}

    private var table: TopicTable

    init() {
        table = TopicTableTests.table { _ in }
    }

    private static func table(_ configure: (inout TopicLimits) -> Void) -> TopicTable {
        var limits = TopicLimits()
        configure(&limits)
        return TopicTable(limits)
    }

    private func value(_ topic: String, _ text: String = "1", _ rule: TopicRule = .dropOldest) -> Publication {
        Publication(topic: topic, rule: rule, json: Array(text.utf8))
    }

    private func text(_ value: TopicValue?) -> String? {
        value.map { "\($0.number): \(String(decoding: $0.json, as: UTF8.self))" }
    }

    @Test mutating func `each loop with a subscriber is told once, until it has taken everything`() throws {
        _ = try table.subscribe(to: "a", on: 0)
        _ = try table.subscribe(to: "a", on: 2)
        _ = try table.subscribe(to: "b", on: 1)
        #expect(table.publish(value("a", "1")).loops == [0, 2])
        #expect(table.publish(value("a", "2")).loops == [])
        #expect(text(table.take(for: 0)) == "1: 1")
        #expect(text(table.take(for: 0)) == "2: 2")
        #expect(table.publish(value("a", "3")).loops == [])
        #expect(text(table.take(for: 0)) == "3: 3")
        #expect(table.take(for: 0) == nil)
        #expect(table.publish(value("a", "4")).loops == [0])
        #expect(table.take(for: 1) == nil)
    }

    @Test mutating func `nothing is kept of values that nobody receives`() {
        #expect(table.publish(value("a")) == TopicTable.Outcome())
        #expect(table.count == 0)
        #expect(table.byteCount == 0)
    }

    @Test mutating func `a topic with a current value keeps it for later subscribers`() throws {
        _ = table.publish(value("a", "1", .latest))
        _ = table.publish(value("a", "2", .latest))
        let beginning = try table.subscribe(to: "a", on: 0)
        #expect(beginning.number == 2)
        #expect(text(beginning.current) == "2: 2")
        #expect(table.byteCount == 1)
        table.unsubscribe(from: "a", on: 0)
        #expect(text(table.current("a")) == "2: 2")
    }

    @Test mutating func `an offer counts only if there is no current value`() throws {
        _ = try table.subscribe(to: "a", on: 0)
        var offer = value("a", "1", .latest)
        offer.isOffer = true
        #expect(table.publish(offer).loops == [0])
        #expect(table.publish(offer) == TopicTable.Outcome())
        #expect(text(table.take(for: 0)) == "1: 1")
        #expect(table.take(for: 0) == nil)
    }

    @Test mutating func `a topic without subscribers and without a current value is forgotten`() throws {
        _ = try table.subscribe(to: "a", on: 0)
        _ = try table.subscribe(to: "a", on: 0)
        table.unsubscribe(from: "a", on: 0)
        #expect(table.count == 1)
        table.unsubscribe(from: "a", on: 0)
        #expect(table.count == 0)
    }

    @Test mutating func `a topic that is used again does not reuse numbers, as older values may wait`() throws {
        _ = try table.subscribe(to: "a", on: 0)
        _ = table.publish(value("a", "1"))
        table.unsubscribe(from: "a", on: 0)
        #expect(table.count == 0)
        #expect(try table.subscribe(to: "a", on: 0).number == 1)
        _ = table.publish(value("a", "2"))
        #expect(text(table.take(for: 0)) == "1: 1")
        #expect(text(table.take(for: 0)) == "2: 2")
    }

    @Test mutating func `a queue that is full loses values by the rule of their topic`() throws {
        table = TopicTableTests.table { $0.queuedValues = 2 }
        for topic in ["a", "b"] { _ = try table.subscribe(to: topic, on: 0) }
        var dropped = 0
        for number in 1...5 { dropped += table.publish(value("a", "\(number)")).dropped }
        #expect(dropped == 3)
        var conflated = 0
        for number in 1...5 { conflated += table.publish(value("b", "\(number)", .latest)).conflated }
        #expect(conflated == 4)
        #expect(text(table.take(for: 0)) == "4: 4")
        #expect(text(table.take(for: 0)) == "5: 5")
        #expect(text(table.take(for: 0)) == "10: 5")
    }

    @Test mutating func `values of all topics together have a limit, which those that are taken leave`() throws {
        table = TopicTableTests.table { $0.bytes = 10 }
        _ = try table.subscribe(to: "a", on: 0)
        #expect(table.publish(value("a", "123456")).dropped == 0)
        #expect(table.publish(value("a", "12345")).dropped == 1)
        _ = table.take(for: 0)
        #expect(table.publish(value("a", "12345")).dropped == 0)
    }

    @Test mutating func `the places in which a value waits count`() throws {
        for loop in 0...1 { _ = try table.subscribe(to: "a", on: loop) }
        _ = table.publish(value("a", "1"))
        #expect(table.byteCount == 1 + 2 * TopicQueue.bytesPerPlace)
        for loop in 0...1 { _ = table.take(for: loop) }
        #expect(table.byteCount == 0)
    }

    @Test mutating func `current values of topics that nobody uses make room for others`() throws {
        table = TopicTableTests.table { $0.bytes = 10 }
        _ = table.publish(value("idle", "12345", .latest))
        _ = try table.subscribe(to: "a", on: 0)
        _ = table.publish(value("a", "12345", .latest))
        _ = table.take(for: 0)
        #expect(table.publish(value("a", "123456")).dropped == 1)
        #expect(table.current("idle") != nil)
        #expect(table.publish(value("a", "1234")).dropped == 0)
        #expect(table.current("idle") == nil)
    }

    @Test mutating func `what members state counts for the limit of all topics`() throws {
        table = TopicTableTests.table { $0.bytes = 10 }
        let (one, other) = (Session(), Session())
        _ = try table.enter("list", ObjectIdentifier(one), Array("123456".utf8))
        #expect(throws: TopicLimitReached.bytes(10)) {
            try table.enter("list", ObjectIdentifier(other), Array("12345".utf8))
        }
        _ = table.leave("list", ObjectIdentifier(one))
        _ = try table.enter("list", ObjectIdentifier(other), Array("12345".utf8))
        #expect(table.byteCount == 5)
    }

    @Test mutating func `a topic that nobody uses makes room, and one with subscribers does not`() throws {
        table = TopicTableTests.table { $0.count = 2 }
        _ = table.publish(value("idle", "1", .latest))
        _ = try table.subscribe(to: "a", on: 0)
        _ = try table.subscribe(to: "b", on: 0)
        #expect(table.current("idle") == nil)
        #expect(throws: TopicLimitReached.topics(2)) { try table.subscribe(to: "c", on: 0) }
        #expect(table.publish(value("c", "1", .latest)).dropped == 1)
        table.unsubscribe(from: "a", on: 0)
        _ = try table.subscribe(to: "c", on: 0)
    }

    @Test mutating func `a topic has a number of subscribers, and a name has a size`() throws {
        table = TopicTableTests.table { $0.subscribers = 2 }
        _ = try table.subscribe(to: "a", on: 0)
        _ = try table.subscribe(to: "a", on: 1)
        #expect(throws: TopicLimitReached.subscribers(of: "a", 2)) { try table.subscribe(to: "a", on: 0) }
        #expect(throws: TopicLimitReached.name(0)) { try table.subscribe(to: "", on: 0) }
        let long = String(repeating: "n", count: 201)
        #expect(throws: TopicLimitReached.name(201)) { try table.subscribe(to: long, on: 0) }
    }

    @Test mutating func `the members are listed in the order in which they came`() throws {
        let (one, other) = (Session(), Session())
        _ = try table.subscribe(to: "list", on: 0)
        #expect(try table.enter("list", ObjectIdentifier(one), Array("\"one\"".utf8)) != nil)
        #expect(try table.enter("list", ObjectIdentifier(other), Array("\"other\"".utf8)) != nil)
        #expect(try table.enter("list", ObjectIdentifier(one), Array("\"one\"".utf8)) == nil)
        #expect(try table.enter("list", ObjectIdentifier(one), Array("\"first\"".utf8)) != nil)
        _ = table.publishList("list")
        #expect(text(table.take(for: 0)) == #"1: {"count":2,"members":["first","other"]}"#)
        #expect(table.leave("list", ObjectIdentifier(one)) != nil)
        #expect(table.leave("list", ObjectIdentifier(one)) == nil)
        _ = table.publishList("list")
        #expect(text(table.take(for: 0)) == #"2: {"count":1,"members":["other"]}"#)
    }

    @Test mutating func `a list that is too long for a value has the first members, and counts all`() throws {
        table = TopicTableTests.table { $0.valueBytes = 40 }
        let sessions = (0..<3).map { _ in Session() }
        _ = try table.subscribe(to: "list", on: 0)
        for session in sessions { _ = try table.enter("list", ObjectIdentifier(session), Array("\"member\"".utf8)) }
        _ = table.publishList("list")
        #expect(text(table.take(for: 0)) == #"1: {"count":3,"members":["member"]}"#)
    }

    @Test mutating func `a member that states more than a list has room for does not hide the others`() throws {
        table = TopicTableTests.table { $0.valueBytes = 40 }
        let sessions = (0..<3).map { _ in Session() }
        _ = try table.subscribe(to: "list", on: 0)
        let long = "\"" + String(repeating: "x", count: 38) + "\""
        for (session, statement) in zip(sessions, [long, "1", "2"]) {
            _ = try table.enter("list", ObjectIdentifier(session), Array(statement.utf8))
        }
        _ = table.publishList("list")
        #expect(text(table.take(for: 0)) == #"1: {"count":3,"members":[1,2]}"#)
    }

    @Test mutating func `nothing is kept of a list without members and subscribers`() throws {
        let session = Session()
        _ = try table.enter("list", ObjectIdentifier(session), [])
        _ = table.publishList("list")
        #expect(table.leave("list", ObjectIdentifier(session)) != nil)
        #expect(table.publishList("list") == TopicTable.Outcome())
        #expect(table.count == 0)
        #expect(table.byteCount == 0)
    }
}
