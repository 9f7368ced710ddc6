import Foundation
import MachineHost
import Testing

@testable import MachineAdapters

/// Values decoded from JSON, and the messages for mismatched JSON.
struct ValueReaderTests {
    private func read<Value>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        let reader = try #require(ValueReader<Value>())
        return try reader.read(Array(json.utf8)[...])
    }

    private func mismatch<Value>(_ json: String, as type: Value.Type) throws -> String {
        let reader = try #require(ValueReader<Value>())
        do throws(InputMismatch) {
            let value = try reader.read(Array(json.utf8)[...])
            Issue.record("expected a mismatch, got \(value)")
            return ""
        } catch {
            return error.pointer.isEmpty ? error.detail : "\(error.pointer): \(error.detail)"
        }
    }

    @Test func `scalars are decoded`() throws {
        #expect(try read("true"))
        #expect(try read("-128") as Int8 == -128)
        #expect(try read("18446744073709551615") as UInt64 == .max)
        #expect(try read("-9223372036854775808") as Int == .min)
        #expect(try read("1e3") as Int == 1000)
        #expect(try read("2.0") as UInt8 == 2)
        #expect(try read("-0.5") as Double == -0.5)
        #expect(try read("\"grüße\"") as String == "grüße")
        #expect(try read(#""a\"b\u00e9\ud83d\ude00""#) as String == "a\"bé😀")
    }

    @Test func `an optional accepts null`() throws {
        #expect(try read("null") as Int? == nil)
        #expect(try read("5") as Int? == 5)
        #expect(try read("null") as [Int]? == nil)
    }

    struct Point: Decodable, Equatable {
        var x: Int
        var name: String?
        var tags: [Tag] = []

        enum Tag: String, Decodable { case red, blue }

        enum CodingKeys: String, CodingKey { case x, name, tags }
    }

    @Test func `structures are decoded`() throws {
        #expect(try read(#"{"x":1,"tags":["red"]}"#) as Point == Point(x: 1, tags: [.red]))
        #expect(try read(#""1970-01-01T00:00:00Z""#) as Date == Date(timeIntervalSince1970: 0))
    }

    @Test func `an input without a value accepts only null`() throws {
        try read("null") as Void
        #expect(try mismatch("1", as: Void.self) == "expected null or no body, got the number 1")
        #expect(try mismatch("{}", as: Void.self) == "expected null or no body, got an object")
    }

    @Test func `a mismatch states the expected and the received value`() throws {
        #expect(try mismatch(#""on""#, as: Bool.self) == "expected a boolean, got the string \"on\"")
        #expect(try mismatch("256", as: UInt8.self) == "expected a whole number from 0 to 255, got the number 256")
        #expect(try mismatch("1.5", as: Int.self) == "expected a whole number, got the number 1.5")
        #expect(try mismatch("null", as: Int.self) == "expected a whole number, got null")
        #expect(try mismatch("[]", as: String?.self) == "expected a string or null, got an array")
        #expect(try mismatch("1e400", as: Double.self) == "expected a number, got the number 1e400")
    }

    @Test func `a mismatch inside a value states its location`() throws {
        #expect(try mismatch(#"{"x":"1"}"#, as: Point.self) == #"/x: expected a whole number, got the string "1""#)
        #expect(try mismatch(#"{"tags":[]}"#, as: Point.self) == "/x: expected a whole number, got nothing")
        #expect(
            try mismatch(#"{"x":1,"tags":["red","green"]}"#, as: Point.self)
                == #"/tags/1: expected one of "red", "blue", got the string "green""#)
        #expect(
            try mismatch(#""purple""#, as: Point.Tag.self) == #"expected one of "red", "blue", got the string "purple""#
        )
        #expect(
            try mismatch(#"{"a":1.5}"#, as: [String: Int].self) == "/a: expected a whole number, got the number 1.5")
        #expect(
            try mismatch(#"{"b":[1,{}]}"#, as: [String: [Int]].self) == "/b/1: expected a whole number, got an object")
        #expect(try mismatch("3", as: Point.self) == "expected an object, got the number 3")
        #expect(
            try mismatch(#"{"a/b~":true}"#, as: [String: Int].self)
                == "/a~1b~0: expected a whole number, got the boolean true")
    }

    @Test func `a value that is long or contains quotes is quoted safely`() throws {
        let long = String(repeating: "x", count: 100_000)
        #expect(try mismatch("\"\(long)\"", as: Point.Tag.self).utf8.count < 120)
        #expect(
            try mismatch(#""a\"\n\u0000""#, as: Point.Tag.self)
                == #"expected one of "red", "blue", got the string "a\"\n\u0000""#)
        #expect(try mismatch(String(repeating: "1", count: 5000), as: Int.self).utf8.count < 120)
    }

    @Test func `a number is decoded as an integer only if it is exactly one`() throws {
        for text in ["1e-400000", "0.99999999999999999999999", "-1e-999999999999999999999", "1.0000000000000000000001"]
        {
            #expect(try mismatch(text, as: Int.self).hasPrefix("expected a whole number, got the number "))
        }
        for text in ["9223372036854775808", "1e19", "9.3e18", "1e999999999999999999999"] {
            #expect(try mismatch(text, as: Int.self).hasPrefix("expected a whole number, got the number "))
        }
        #expect(try read("9007199254740993.0") as Int == 9_007_199_254_740_993)
        #expect(try read("9223372036854775807.00e0") as Int == .max)
        #expect(try read("-9.223372036854775808E+18") as Int == .min)
        #expect(try read("120e-1") as Int == 12)
        #expect(try read("-0") as Int == 0)
        #expect(try read("-0.0e5") as UInt8 == 0)
        #expect(try read("0e999999999999999999") as Int == 0)
        #expect(try read("0.000e-999999999999999999") as Int == 0)
        #expect(try read("2.55e2") as UInt8 == 255)
        #expect((try read("-0") as Double).sign == .minus)
        #expect(try read("170141183460469231731687303715884105727") as Int128 == .max)
        #expect(
            try mismatch(#"{"x":1e-400000}"#, as: Point.self) == "/x: expected a whole number, got the number 1e-400000"
        )
    }

    struct Move: Decodable {
        var player: String?
        var from: Point?
        var path: [Point]?
        var open: [String: Point]?
    }

    @Test func `unknown members are reported with the nearest known name`() throws {
        #expect(
            try mismatch(#"{"plyer":"a"}"#, as: Move.self) == #"/plyer: unknown member "plyer", did you mean "player"?"#
        )
        #expect(
            try mismatch(#"{"from":{"x":1,"tags":[],"nane":"a"}}"#, as: Move.self)
                == #"/from/nane: unknown member "nane", did you mean "name"?"#)
        #expect(
            try mismatch(#"{"open":{"a/b":{"x":1,"tags":[],"zzzzzz":1}}}"#, as: Move.self)
                == #"/open/a~1b/zzzzzz: unknown member "zzzzzz", expected "x", "name", "tags""#)
        #expect(
            try mismatch(#"{"path":[{"x":1,"tags":[]},{"x":1,"tags":[],"y":2}]}"#, as: Move.self)
                .hasPrefix(#"/path/1/y: unknown member "y", did you mean "x"?"#) == false)
    }

    @Test func `unknown members are all reported, up to a maximum`() throws {
        let reader = try #require(ValueReader<Move>())
        let json = "{" + (0..<100).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
        let mismatch = #expect(throws: InputMismatch.self) { try reader.read(Array(json.utf8)[...]) }
        #expect(mismatch?.others.count == 7)
        #expect(mismatch?.others.last?.pointer == "/k7")
    }

    @Test func `a misspelt required member is reported with the missing one`() throws {
        let reader = try #require(ValueReader<Point>())
        let mismatch = #expect(throws: InputMismatch.self) { try reader.read(Array(#"{"X":1,"tags":[]}"#.utf8)[...]) }
        #expect(mismatch?.pointer == "/x" && mismatch?.detail == "expected a whole number, got nothing")
        #expect(mismatch?.others.map(\.detail) == [#"unknown member "X", did you mean "x"?"#])
    }

    enum Figure: Decodable { case circle(radius: Double), square(side: Double), nothing }

    @Test func `the cases of an enumeration are known members`() throws {
        #expect(
            try mismatch(#"{"circel":{"radius":1}}"#, as: Figure.self)
                == #"/circel: unknown member "circel", did you mean "circle"?"#)
        #expect(
            try mismatch(#"{"circle":{"radius":1,"raduis":2}}"#, as: Figure.self)
                == #"/circle/raduis: unknown member "raduis", did you mean "radius"?"#)
        #expect(try mismatch(#"{"nothing":{"x":1}}"#, as: Figure.self) == #"/nothing/x: unknown member "x""#)
        #expect(
            try mismatch(#"{"circle":{"radius":1},"square":{"side":1}}"#, as: Figure.self)
                == #"expected an object with one of "circle", "square", "nothing", got an object with "circle", "square""#
        )
        #expect(try mismatch("{}", as: Figure.self).hasSuffix("got an empty object"))
    }

    /// Decodes one of two sets of keys.
    struct Either: Decodable {
        enum Old: String, CodingKey { case name }
        enum New: String, CodingKey { case title }

        init(from decoder: any Decoder) throws {
            let old = try decoder.container(keyedBy: Old.self)
            if old.contains(.name) { return }
            _ = try decoder.container(keyedBy: New.self).decode(String.self, forKey: .title)
        }
    }

    /// Accepts members of any name.
    struct Anything: Decodable {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let names: [String]

        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
    }

    class Parent: Decodable { var id = 0 }

    final class Child: Parent {
        var name = ""

        enum CodingKeys: String, CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            name = try members.decode(String.self, forKey: .name)
            try super.init(from: members.superDecoder())
        }
    }

    @Test func `a type that accepts any member or decodes in several ways has no unknown members`() throws {
        #expect(try read(#"{"x":1,"y":2}"#, as: Anything.self).names == ["x", "y"])
        _ = try read(#"{"title":"t"}"#, as: Either.self)
        _ = try read(#"{"name":"t"}"#, as: Either.self)
        #expect(try mismatch(#"{"title":"t","x":1}"#, as: Either.self).contains(#"unknown member "x""#))
        #expect(try read(#"{"name":"n","super":{"id":7}}"#, as: Child.self).id == 7)
    }

    @Test func `a long text is decoded like a short one`() throws {
        let points = (0..<2000).map { "{ \"x\" : \($0) , \"tags\":[\"red\" , \"blue\"], \"name\":\"a\\\"]}\" }" }
        let json = "[" + points.joined(separator: " ,\n") + "]"
        let read = try read(json, as: [Point].self)
        #expect(read.count == 2000 && read.last?.x == 1999 && read.last?.name == "a\"]}")
        #expect(
            try mismatch(json.replacing("\"x\" : 1500", with: "\"x\":1500.5"), as: [Point].self)
                == "/1500/x: expected a whole number, got the number 1500.5")
        let wide = "{" + (0..<5000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + ",\"k1\":0}"
        #expect(try self.read(wide, as: [String: Int].self)["k1"] == 1)
    }

    struct Opaque {}

    @Test func `a type that is not Decodable has no reader`() {
        #expect(ValueReader<Opaque>().map(\.schema) == nil)
        #expect(ValueReader<[Opaque]>().map(\.schema) == nil)
    }
}
