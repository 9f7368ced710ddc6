package import FoundationEssentials

/// How values are read from JSON wherever it is not done by hand: one place, so that inputs and the schemas that
/// describe them agree. Dates are RFC 3339 texts, data is base64, keys are spelled as the type spells them.
package enum HostJSON {
    /// The decoder, one for all loops: making one costs more than reading a small value with it.
    package static let decoder = makeDecoder()

    /// Reads a value of a type that Foundation reads in its own way, such as a date, from the bytes of one JSON value.
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
