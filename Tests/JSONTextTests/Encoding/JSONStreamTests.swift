import Testing

@testable import JSONText

/// Streaming produces the same text as encoding through a tree of values.
struct JSONStreamTests {
    private func check(_ value: some Encodable, _ expected: String? = nil) throws {
        var (streamed, treed): ([UInt8], [UInt8]) = (Array("before ".utf8), Array("before ".utf8))
        try JSONStream.append(value, to: &streamed)
        try JSONTree.append(value, to: &treed)
        let text = String(decoding: streamed, as: UTF8.self)
        #expect(text == String(decoding: treed, as: UTF8.self))
        if let expected { #expect(text == "before " + expected) }
    }

    struct Repository: Encodable {
        var id = 7
        var name = "a \"b\""
        var stars: Int? = nil
        var ratio = -0.5
        var isFork = true
        var owner: Owner? = Owner()
        var topics: [[String?]] = [["x", nil], []]
        var labels = ["b": Owner(kind: .user), "a": Owner()]
        var nothing = Nothing()
        var sizes: [UInt8: Int16] = [1: 2]
        var float = Float(1.5)

        struct Owner: Encodable {
            var kind = Kind.organisation
            enum Kind: String, Encodable { case user, organisation }
        }

        struct Nothing: Encodable {}
    }

    @Test func `a structure with members of every kind is encoded like the tree`() throws {
        try check(Repository())
        try check([Repository(), Repository(owner: nil, topics: [])])
        try check([String: [Repository]]())
        try check(Repository.Nothing(), "{}")
        try check([[[Int]]](repeating: [[1], []], count: 2), "[[[1],[]],[[1],[]]]")
        try check(Optional<[Int?]>.some([1, nil]), "[1,null]")
        try check(Optional<Repository>.none, "null")
    }

    enum Shape: Encodable {
        case circle(radius: Double)
        case polygon([Int], closed: Bool)
        case nothing
    }

    @Test func `enumerations with associated values are encoded like the tree`() throws {
        try check([Shape.circle(radius: 1), .polygon([1, 2], closed: false), .nothing])
        try check(Shape.polygon([], closed: true), #"{"polygon":{"_0":[],"closed":true}}"#)
    }

    enum Key: String, CodingKey { case a, b, c, d }

    /// A type with a hand-written `encode(to:)`.
    struct ByHand: Encodable {
        let write: (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    @Test func `consecutive nested containers are encoded like the tree`() throws {
        try check(
            ByHand { encoder in
                var object = encoder.container(keyedBy: Key.self)
                var list = object.nestedUnkeyedContainer(forKey: .a)
                try list.encode(1)
                var inner = list.nestedContainer(keyedBy: Key.self)
                try inner.encodeNil(forKey: .b)
                var deepest = list.nestedUnkeyedContainer()
                try deepest.encode("x")
                #expect(list.count == 3)
                var other = object.nestedContainer(keyedBy: Key.self, forKey: .c)
                try other.encode([true], forKey: .a)
                try object.encode(1.5, forKey: .d)
            }, #"{"a":[1,{"b":null},["x"]],"c":{"a":[true]},"d":1.5}"#)
    }

    @Test func `empty containers are encoded like the tree`() throws {
        try check(
            ByHand { encoder in
                var object = encoder.container(keyedBy: Key.self)
                _ = object.nestedUnkeyedContainer(forKey: .a)
                _ = object.nestedContainer(keyedBy: Key.self, forKey: .b)
            }, #"{"a":[],"b":{}}"#)
        try check(ByHand { _ = $0.singleValueContainer() }, "{}")
        try check(ByHand { _ = $0.unkeyedContainer() }, "[]")
        try check(ByHand { _ in }, "{}")
    }

    @Test func `a container can be continued after its parent was used`() throws {
        try check(
            ByHand { encoder in
                var object = encoder.container(keyedBy: Key.self)
                var first = object.nestedUnkeyedContainer(forKey: .a)
                try first.encode(1)
                try object.encode(2, forKey: .b)
                try first.encode(3)
            }, #"{"a":[1,3],"b":2}"#)
    }

    @Test func `the second value of a key replaces the first`() throws {
        try check(
            ByHand { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(1, forKey: .a)
                try object.encode(2, forKey: .b)
                try object.encode("again", forKey: .a)
            }, #"{"a":"again","b":2}"#)
        try check([Derived(), Derived()])
    }

    class Base: Encodable {
        var id = 1
        var name = "base"
    }

    /// Shares the container of its superclass.
    final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(2, forKey: .more)
            try container.encode("derived", forKey: .name)
        }

        enum Keys: String, CodingKey { case more, name }
    }

    @Test func `a super encoder is encoded like the tree`() throws {
        try check(
            ByHand { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(1, forKey: .a)
                try [2].encode(to: object.superEncoder(forKey: .b))
                var list = object.nestedUnkeyedContainer(forKey: .c)
                try "x".encode(to: list.superEncoder())
                try true.encode(to: object.superEncoder())
            }, #"{"a":1,"b":[2],"c":["x"],"super":true}"#)
    }

    @Test func `a type receives its coding path`() throws {
        let paths = Paths()
        let probe = ByHand { encoder in
            paths.all.append(encoder.codingPath.map(\.stringValue).joined(separator: "."))
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
        try check(
            ByHand { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(probe, forKey: .a)
                var inner = object.nestedContainer(keyedBy: Key.self, forKey: .b)
                try inner.encode(probe, forKey: .c)
                try object.encode(probe, forKey: .d)
            }, #"{"a":1,"b":{"c":1},"d":1}"#)
        #expect(paths.all == ["a", "b.c", "d", "a", "b.c", "d"])
    }

    final class Paths {
        var all: [String] = []
    }

    @Test(arguments: [false, true])
    func `a failed encoding leaves the buffer unchanged`(isOutOfOrder: Bool) {
        let failing = ByHand { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            if isOutOfOrder { try object.encode(2, forKey: .a) }
            try object.encode([1, .nan], forKey: .b)
        }
        var text = Array("before".utf8)
        #expect(throws: EncodingError.self) { try JSONStream.append([failing], to: &text) }
        #expect(text == Array("before".utf8))
    }
}
