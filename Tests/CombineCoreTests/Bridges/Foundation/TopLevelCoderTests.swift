import CombineCore
import Foundation
import Testing

@Suite struct TopLevelCoderTests {
    private struct Reading: Codable, Equatable {
        var name: String
        var values: [Int]
    }

    private let reading = Reading(name: "grain", values: [1, 2, 3])

    private func roundTrip<Encoder: TopLevelEncoder, Decoder: TopLevelDecoder>(
        _ encoder: Encoder, _ decoder: Decoder
    ) throws -> Reading where Encoder.Output == Decoder.Input {
        try decoder.decode(Reading.self, from: encoder.encode(reading))
    }

    @Test func `the JSON decoder reads what the JSON encoder writes`() throws {
        #expect(try roundTrip(JSONEncoder(), JSONDecoder()) == reading)
    }

    @Test func `the property list decoder reads both formats that the encoder writes`() throws {
        let encoder = PropertyListEncoder()
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            encoder.outputFormat = format
            #expect(try roundTrip(encoder, PropertyListDecoder()) == reading)
        }
    }

    @Test func `decoding invalid data fails`() {
        let broken = Data("{".utf8)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Reading.self, from: broken)
        }
    }
}
