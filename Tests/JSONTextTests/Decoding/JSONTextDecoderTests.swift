import Foundation
import Testing

@testable import JSONText

/// The fast decoder returns the same values as Foundation's, or none.
struct JSONTextDecoderTests {
    private func decodeFast<T: Decodable>(_ type: T.Type, _ json: String) -> T? {
        let reading = JSONReading(Array(json.utf8))
        return try? reading.decode(type, reading.root, at: nil)
    }

    private func decodeWithFoundation<T: Decodable>(_ type: T.Type, _ json: String) -> T? {
        try? JSONDecoder().decode(type, from: Data(json.utf8))
    }

    struct Row: Decodable, Equatable {
        var id: Int
        var ratio: Double?
        var name: String
        var flags: [Bool]
        var kind: Kind?
        var inner: Inner?
        var counts: [String: UInt8]?

        enum Kind: String, Decodable { case one, two }
        struct Inner: Decodable, Equatable { var deep: [[Inner]] }
    }

    @Test(arguments: [
        #"{"id":1,"name":"a","flags":[]}"#,
        #"{"flags":[true,false],"name":"\u00e4\n\ud83d\ude00","id":-5,"ratio":1e-3,"kind":"two","extra":{"x":[1]}}"#,
        #"{"id" : 1.0 , "name" : "" , "flags" : [ ] , "ratio" : null , "kind" : null , "inner" : null }"#,
        #"{"id":1,"name":"a","flags":[true],"inner":{"deep":[[],[{"deep":[]}]]},"counts":{"a":255,"ä\"":0}}"#,
        #"{"\u0069d":7,"name":"escaped key","flags":[]}"#,
    ])
    func `a structure decodes to the same value as with Foundation`(json: String) throws {
        let row = try #require(decodeFast(Row.self, json))
        #expect(row == decodeWithFoundation(Row.self, json))
    }

    @Test(arguments: [
        #"{"id":"1","name":"a","flags":[]}"#, #"{"id":1,"name":"a"}"#, #"{"id":1.5,"name":"a","flags":[]}"#,
        #"{"id":1,"name":null,"flags":[]}"#, #"{"id":1,"name":"a","flags":[1]}"#, "[]", "null", "7",
        #"{"id":1,"name":"a","flags":[],"kind":"three"}"#, #"{"id":1,"name":"a","flags":{}}"#,
        #"{"id":1,"name":"a","flags":[],"counts":{"a":256}}"#, #"{"id":9223372036854775808,"name":"a","flags":[]}"#,
    ])
    func `JSON that Foundation rejects is rejected`(json: String) {
        #expect(decodeWithFoundation(Row.self, json) == nil)
        #expect(decodeFast(Row.self, json) == nil)
    }

    @Test func `of two members with the same name, the same one wins as with Foundation`() {
        #expect(
            decodeFast([String: Int].self, #"{"a":1,"a":2}"#)
                == decodeWithFoundation([String: Int].self, #"{"a":1,"a":2}"#))
        let row = #"{"id":1,"id":2,"name":"a","flags":[]}"#
        #expect(decodeFast(Row.self, row) == decodeWithFoundation(Row.self, row))
    }

    enum Shape: Decodable, Equatable {
        case circle(radius: Double)
        case polygon([Int], closed: Bool)
        case nothing
    }

    @Test func `enumerations with associated values and types with a hand-written decoder are decoded`() {
        #expect(decodeFast(Shape.self, #"{"circle":{"radius":2}}"#) == .circle(radius: 2))
        #expect(decodeFast(Shape.self, #"{"polygon":{"_0":[1,2],"closed":true}}"#) == .polygon([1, 2], closed: true))
        #expect(decodeFast(Shape.self, #"{"nothing":{}}"#) == .nothing)
        #expect(decodeFast(Shape.self, #"{"circle":{"radius":2},"nothing":{}}"#) == nil)
        #expect(decodeFast([Int: String].self, #"{"1":"a"}"#) == [1: "a"])
        #expect(decodeFast(UUID.self, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#) != nil)
        #expect(decodeFast(ByHand.self, #"{"list":[1,null,{"a":true},[2]]}"#)?.seen == ["1", "null", "true", "2"])
    }

    struct ByHand: Decodable {
        var seen: [String] = []

        enum Key: String, CodingKey { case list, a }

        init(from decoder: any Decoder) throws {
            var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .list)
            seen.append(String(try list.decode(Int.self)))
            if try list.decodeNil() { seen.append("null") }
            let object = try list.nestedContainer(keyedBy: Key.self)
            seen.append(String(try object.decode(Bool.self, forKey: .a)))
            var inner = try list.nestedUnkeyedContainer()
            seen.append(String(try inner.decode(Int.self)))
            guard list.isAtEnd, inner.isAtEnd, list.count == 4 else { throw CocoaError(.coderInvalidValue) }
        }
    }

    @Test func `a type receives its coding path`() {
        #expect(decodeFast([String: [Place]].self, #"{"a":[1,2]}"#)?["a"]?.map(\.path) == ["a.Index 0", "a.Index 1"])
        #expect(
            decodeWithFoundation([String: [Place]].self, #"{"a":[1,2]}"#)?["a"]?.map(\.path) == [
                "a.Index 0", "a.Index 1",
            ])
    }

    struct Place: Decodable {
        let path: String

        init(from decoder: any Decoder) throws {
            path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        }
    }
}
