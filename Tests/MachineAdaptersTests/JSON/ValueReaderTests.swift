import Foundation
import MachineHost
import Testing

@testable import MachineAdapters

/// Values from JSON, and what is said of JSON that is no value.
struct ValueReaderTests {
    private func read<Value>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        let reader = try #require(ValueReader<Value>())
        return try reader.read(Array(json.utf8)[...])
    }

    private func mismatch<Value>(_ json: String, as type: Value.Type) throws -> String {
        let reader = try #require(ValueReader<Value>())
        do throws(InputMismatch) {
            let value = try reader.read(Array(json.utf8)[...])
            Issue.record("expected a mismatch, read \(value)")
            return ""
        } catch {
            return error.pointer.isEmpty ? error.detail : "\(error.pointer): \(error.detail)"
        }
    }

    @Test func `scalars are read`() throws {
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

    @Test func `an optional takes null`() throws {
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

    @Test func `structures are read`() throws {
        #expect(try read(#"{"x":1,"tags":["red"]}"#) as Point == Point(x: 1, tags: [.red]))
        #expect(try read(#""1970-01-01T00:00:00Z""#) as Date == Date(timeIntervalSince1970: 0))
    }

    @Test func `an input without a value takes null only`() throws {
        try read("null") as Void
        #expect(try mismatch("1", as: Void.self) == "expected null or no body, found the number 1")
        #expect(try mismatch("{}", as: Void.self) == "expected null or no body, found an object")
    }

    @Test func `a mismatch says what was expected and what came`() throws {
        #expect(try mismatch(#""on""#, as: Bool.self) == "expected a boolean, found a string")
        #expect(try mismatch("256", as: UInt8.self) == "expected a whole number from 0 to 255, found the number 256")
        #expect(try mismatch("1.5", as: Int.self) == "expected a whole number, found the number 1.5")
        #expect(try mismatch("null", as: Int.self) == "expected a whole number, found null")
        #expect(try mismatch("[]", as: String?.self) == "expected a string or null, found an array")
        #expect(try mismatch("1e400", as: Double.self) == "expected a number, found the number 1e400")
    }

    @Test func `a mismatch inside of a value says where`() throws {
        #expect(try mismatch(#"{"x":"1"}"#, as: Point.self) == #"/x: expected a whole number, found "1""#)
        #expect(try mismatch(#"{"tags":[]}"#, as: Point.self) == "/x: expected a whole number, found nothing")
        #expect(
            try mismatch(#"{"x":1,"tags":["red","green"]}"#, as: Point.self)
                == #"/tags/1: expected one of "red", "blue", found "green""#)
        #expect(try mismatch("3", as: Point.self) == "expected an object, found the number 3")
        #expect(
            try mismatch(#"{"a/b~":true}"#, as: [String: Int].self)
                == "/a~1b~0: expected a whole number, found the boolean true")
    }

    struct Opaque {}

    @Test func `a type that is not Decodable has no reader`() {
        #expect(ValueReader<Opaque>().map(\.schema) == nil)
        #expect(ValueReader<[Opaque]>().map(\.schema) == nil)
    }
}
