import MachineHost
import Testing

@testable import MachineAdapters

/// A value above the limit is detected during encoding, not afterwards.
struct ByteLimitTests {
    private struct Row: Encodable {
        var name = "a row"
        var count: Int? = 7
    }

    private func expectEarlyEnd<Value>(of value: Value, limit: Int32 = 10_000) throws {
        let writer = try #require(ValueWriter<Value>())
        var json: [UInt8] = [1]
        #expect(throws: OutputTooLarge.self) { try writer.append(value, &json, limit: limit) }
        #expect(json.capacity < 4 * Int(limit))
    }

    @Test func `a long string is not encoded`() throws {
        let long = String(repeating: "x", count: 1 << 20)
        try expectEarlyEnd(of: long)
        try expectEarlyEnd(of: Optional(long))
        try expectEarlyEnd(of: [long])
        try expectEarlyEnd(of: ["key": long])
    }

    @Test func `a long list is not encoded to its end`() throws {
        try expectEarlyEnd(of: [Int](repeating: 7, count: 1 << 20))
        try expectEarlyEnd(of: [Int?](repeating: nil, count: 1 << 20))
        try expectEarlyEnd(of: [Row](repeating: Row(), count: 1 << 18))
        try expectEarlyEnd(of: [[String]](repeating: ["a", "b"], count: 1 << 18))
        try expectEarlyEnd(of: [[String: Int]](repeating: ["a": 1], count: 1 << 18))
    }

    @Test func `a value within the limit is encoded`() throws {
        let writer = try #require(ValueWriter<[Row]>())
        var json: [UInt8] = [UInt8](repeating: 0, count: 1000)
        try writer.append([Row()], &json, limit: 26)
        #expect(String(decoding: json[1000...], as: UTF8.self) == "[{\"name\":\"a row\",\"count\":7}]")
    }
}
