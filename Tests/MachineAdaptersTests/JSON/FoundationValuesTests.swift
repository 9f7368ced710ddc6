import Foundation
import JSONText
import Testing

@testable import MachineAdapters

/// The types with a JSON form of their own.
struct FoundationValuesTests {
    private func decode<T: Decodable>(_ type: T.Type, _ json: String) -> T? {
        let reading = JSONReading(Array(json.utf8))
        return try? reading.decode(type, reading.root, at: nil)
    }

    @Test func `they are decoded at any depth`() throws {
        struct Dated: Decodable { var at: Date }
        #expect(decode(Date.self, #""1970-01-01T00:00:00Z""#) == Date(timeIntervalSince1970: 0))
        #expect(decode(Date.self, #""yesterday""#) == nil)
        #expect(decode([URL?].self, #"["https://a.example",null]"#) == [URL(string: "https://a.example"), nil])
        #expect(decode([String: Data].self, #"{"a":"AA=="}"#) == ["a": Data([0])])
        #expect(decode([Decimal].self, "[1.10]") == [Decimal(11) / 10])
        let reader = try #require(ValueReader<[Dated]>())
        #expect(
            try reader.read(Array(#"[{"at":"1970-01-01T00:00:01Z"}]"#.utf8)[...]).first?.at.timeIntervalSince1970 == 1)
    }

    struct Everything: Encodable {
        var updated = Date(timeIntervalSince1970: 0)
        var page: URL? = URL(string: "https://a.example/b")
        var missing: URL?
        var raw = Data([0])
        var price = Decimal(2)
        var dates = ["a": Date(timeIntervalSince1970: 1)]
    }

    @Test func `they are encoded at any depth, with a tree and without`() throws {
        let expected =
            #"{"updated":"1970-01-01T00:00:00Z","page":"https://a.example/b","raw":"AA==","price":2,"#
            + #""dates":{"a":"1970-01-01T00:00:01Z"}}"#
        var (streamed, treed): ([UInt8], [UInt8]) = ([], [])
        try JSONStream.append(Everything(), to: &streamed)
        try JSONTree.append(Everything(), to: &treed)
        #expect(String(decoding: streamed, as: UTF8.self) == expected)
        #expect(String(decoding: treed, as: UTF8.self) == expected)
    }

    @Test func `what JSON cannot represent is refused`() {
        var json: [UInt8] = []
        #expect(throws: EncodingError.self) { try JSONStream.append([Date.distantFuture + 1e12], to: &json) }
        #expect(throws: EncodingError.self) { try JSONStream.append([Decimal.nan], to: &json) }
        #expect(json.isEmpty)
    }
}
