import Foundation
import Testing

@testable import MachineAdapters

/// Values encoded as JSON.
struct ValueWriterTests {
    private func json<Value>(_ value: Value) throws -> String {
        let writer = try #require(ValueWriter<Value>())
        var bytes: [UInt8] = []
        try writer.append(value, &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `scalars are encoded`() throws {
        #expect(try json(true) == "true")
        #expect(try json(Int.min) == "-9223372036854775808")
        #expect(try json(UInt8(7)) == "7")
        #expect(try json(UInt64.max) == "18446744073709551615")
        #expect(try json(1.0) == "1")
        #expect(try json(-0.25) == "-0.25")
        #expect(try json(1e300) == "1e+300")
        #expect(try json("a\"\n/é") == #""a\"\n/é""#)
        #expect(try json(()) == "null")
    }

    @Test func `nil is null`() throws {
        #expect(try json(Int?.none) == "null")
        #expect(try json(String??.some(nil)) == "null")
        #expect(try json([Int]?.none) == "null")
        #expect(try json(Int?.some(3)) == "3")
    }

    @Test func `a number that JSON cannot represent is rejected`() {
        #expect(throws: EncodingError.self) { try json(Double.nan) }
        #expect(throws: EncodingError.self) { try json([Double.infinity]) }
        #expect(throws: EncodingError.self) { try json(Float?.some(.nan)) }
    }

    struct Row: Encodable {
        var zebra = 1
        var apple: String?
        var when = Date(timeIntervalSince1970: 0.5)
        var url = URL(string: "https://example.org/a/b")
        var data = Data([1, 2, 3])
        var price = Decimal(string: "1.10")
        var inner = [Inner(), Inner(flag: true)]
        var empty = Empty()

        struct Inner: Encodable { var flag: Bool? }
        struct Empty: Encodable {}
    }

    @Test func `members keep the order of their declarations`() throws {
        #expect(
            try json(Row())
                == #"{"zebra":1,"when":"1970-01-01T00:00:00.500Z","url":"https://example.org/a/b","data":"AQID","#
                + #""price":1.1,"inner":[{},{"flag":true}],"empty":{}}"#)
    }

    @Test func `dictionaries are sorted, so that equal ones have equal texts`() throws {
        let keys = (0..<40).map { "key\($0)" }
        let one = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
        var two: [String: Int] = Dictionary(minimumCapacity: 1000)
        for key in keys.reversed() { two[key] = 1 }
        #expect(try json(one) == json(two))
        #expect(try json(["b": [1], "a": []]) == #"{"a":[],"b":[1]}"#)
    }

    enum Shape: Encodable {
        case circle(radius: Double)
        case nothing
    }

    enum Side: String, Encodable { case left }

    final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("d", forKey: .name)
            try super.encode(to: container.superEncoder())
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try list.encodeNil()
        }

        enum Keys: String, CodingKey { case name, list }
    }

    class Base: Encodable {
        var id = 1
    }

    @Test func `every encodable value is written as Foundation writes it`() throws {
        #expect(try json(Shape.circle(radius: 2)) == #"{"circle":{"radius":2}}"#)
        #expect(try json(Shape.nothing) == #"{"nothing":{}}"#)
        #expect(try json([Side.left]) == #"["left"]"#)
        #expect(try json(Derived()) == #"{"name":"d","super":{"id":1},"list":[1,null]}"#)
        #expect(try json(1...3) == "[1,3]")
        #expect(try json([1: "a"]) == #"{"1":"a"}"#)
    }

    struct Opaque {}

    @Test func `a type that is not Encodable has no writer`() {
        #expect(ValueWriter<Opaque>().map { _ in true } == nil)
    }
}
