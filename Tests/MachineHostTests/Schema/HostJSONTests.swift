import Foundation
import Testing

@testable import MachineHost

/// The text form of dates, and the coders that use it.
struct HostJSONTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"),
        (1_785_412_800, "2026-07-30T12:00:00Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (0.25, "1970-01-01T00:00:00.250Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"),
        (-62_167_219_200, "0000-01-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
    func `a date survives a round trip through its text`(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(RFC3339.text(of: date) == text)
        let read = try #require(RFC3339.date(from: text))
        #expect(abs(read.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test func `the year 10000 cannot be written`() {
        #expect(RFC3339.text(of: Date(timeIntervalSince1970: 253_402_300_800)) == nil)
        #expect(RFC3339.text(of: .distantPast.addingTimeInterval(-1e12)) == nil)
    }

    @Test(arguments: [
        ("2026-07-30T12:00:00z", 1_785_412_800),
        ("2026-07-30t14:00:00+02:00", 1_785_412_800),
        ("2026-07-30 06:30:00-05:30", 1_785_412_800),
        ("2026-07-30T12:00:00.123456Z", 1_785_412_800.123456),
        ("2016-12-31T23:59:60Z", 1_483_228_800),
    ])
    func `other forms that RFC 3339 allows are read`(text: String, seconds: Double) throws {
        let date = try #require(RFC3339.date(from: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test(arguments: [
        "", "2026", "2026-07-30", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-07-30T24:00:00Z",
        "2026-07-30T12:00:00", "2026-07-30T12:00:00.Z", "2026-07-30T12:00:00Zz", "2026-07-30T12:60:00Z",
        "2026-07-30T12:00:00+2:00", "20a6-07-30T12:00:00Z",
    ])
    func `an invalid date is rejected`(text: String) {
        #expect(RFC3339.date(from: text) == nil)
    }

    struct Row: Codable, Equatable {
        var when: Date
        var url: URL
        var bytes: Data
    }

    @Test func `the decoder reads dates, URLs and data as the schemas describe`() throws {
        let json = #"{"when":"1970-01-01T00:00:01Z","url":"https://example.org/a","bytes":"AQI="}"#
        let row = try HostJSON.decoder.decode(Row.self, from: Data(json.utf8))
        let url = try #require(URL(string: "https://example.org/a"))
        #expect(row == Row(when: Date(timeIntervalSince1970: 1), url: url, bytes: Data([1, 2])))
    }

    @Test func `the decoder's error describes the expected date format`() {
        let error = #expect(throws: DecodingError.self) {
            try HostJSON.decoder.decode([Date].self, from: Data(#"["yesterday"]"#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("expected an error for an invalid date, got \(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains("2026-01-31T12:00:00Z"))
        #expect(context.codingPath.map(\.intValue) == [0])
    }
}
