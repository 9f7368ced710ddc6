import Testing

@testable import StateCapture

@Suite struct CodecReadingTests {
    struct Point: Equatable {
        var x: Int
        var label: String?
    }

    struct Shape: Equatable {
        var points: [Point]
        var named: [String: Point]
        var last: Point??
        var tags: Set<String>
    }

    /// A type that contains itself.
    struct Tree: Equatable {
        var name: String
        var children: [Tree]
    }

    final class Handle {}

    struct Hidden {
        var name: String
        var handle: Handle
    }

    private func codec<Value>(_ type: Value.Type) throws -> StateCodec<Value> {
        var reading = CodecReading()
        let codec = reading.codec(of: type, at: "root")
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

    @Test func `a structure is stored by its fields`() throws {
        #expect(try roundTrip(Point(x: 1, label: "a\"")) == #"{"x":1,"label":"a\""}"#)
        #expect(try roundTrip(Point(x: 1, label: nil)) == #"{"x":1,"label":null}"#)
    }

    @Test(arguments: [Point??.none, .some(nil), .some(.some(Point(x: 2, label: nil)))])
    func `collections and optionals are stored by their elements`(last: Point??) throws {
        let point = Point(x: 3, label: "c")
        _ = try roundTrip(Shape(points: [point, point], named: ["p": point], last: last, tags: ["t", "u"]))
    }

    @Test func `a structure that contains itself is stored to any depth`() throws {
        let leaf = Tree(name: "leaf", children: [])
        let text = try roundTrip(Tree(name: "root", children: [Tree(name: "branch", children: [leaf, leaf]), leaf]))
        #expect(text.hasPrefix(#"{"name":"root","children":[{"name":"branch","children":["#))
    }

    @Test func `a structure that contains itself is compared by its bytes`() {
        #expect(StateComparison.isSound(for: Tree.self))
        #expect(!StateComparison.isSound(for: Hidden.self))
    }

    @Test func `a value of unknown type is not compared by its bytes`() {
        #expect(!StateComparison.isSound(for: (any CustomStringConvertible).self))
        #expect(!StateComparison.isSound(for: [any Error].self))
        #expect(!StateComparison.isSound(for: (any Error)?.self))
    }

    @Test func `a field that cannot be captured is named by its path`() {
        var reading = CodecReading()
        #expect(reading.codec(of: [String: Hidden?].self, at: "Store.items") == nil)
        #expect(reading.obstacles.map(\.part) == ["Store.items.handle"])
        #expect(reading.obstacles.map(\.type) == [String(reflecting: Handle.self)])
    }

    @Test(arguments: [#"{"x":1}"#, "[]", "null", #"{"x":"1","label":null}"#, #"{"label":"only","x":[]}"#])
    func `another form is rejected, and no field remains`(json: String) throws {
        let codec = try codec(Point.self)
        #expect(throws: (any Error).self) { try codec.decode(Array(json.utf8)[...]) }
    }

    @Test func `fields that were decoded before a mismatch are released`() throws {
        let codec = try codec(Counted.self)
        Count.alive = 0
        #expect(throws: (any Error).self) { try codec.decode(Array(#"{"first":1,"second":"x"}"#.utf8)[...]) }
        #expect(Count.made == 1)
        #expect(Count.alive == 0)
    }

    /// Counts its objects.
    final class Count: Codable {
        nonisolated(unsafe) static var alive = 0
        nonisolated(unsafe) static var made = 0

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Int.self)
            Count.alive += 1
            Count.made += 1
        }

        deinit { Count.alive -= 1 }

        func encode(to encoder: any Encoder) throws {}
    }

    struct Counted {
        var first: Count
        var second: Int
    }
}
