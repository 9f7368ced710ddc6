package import FoundationEssentials

/// Decodes the Foundation types that are not decoded directly, in one place, so that inputs agree with the schemas that
/// describe them. Dates are RFC 3339 text, data is base64, and keys are used as the type spells them.
package enum HostJSON {
    /// The decoder, shared by all loops.
    // Creating a decoder costs more than decoding a small value with it. After this initialization it is only read.
    package static let decoder = makeDecoder()

    /// Decodes a value that Foundation reads in its own way, such as a date, from the bytes of one JSON value.
    package static func decode<T: Decodable>(_ type: T.Type, from json: ArraySlice<UInt8>) throws -> T {
        try decoder.decode(type, from: Data(json))
    }

    private static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = RFC3339.date(from: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "expected a date and time as in 2026-01-31T12:00:00Z")
            }
            return date
        }
        return decoder
    }
}
