import Log

/// The failure of an effect in a replay, in place of the error that was thrown when it was recorded.
struct RecordedFailure: LoggableError, Encodable, CustomStringConvertible {
    /// The JSON of the error, or of its type's name.
    let json: String

    var description: String { "the effect failed with \(json) when it was recorded" }

    /// Encodes the original error's text.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json)
    }
}

/// Thrown when the recorded answer or failure of an effect does not fit this build.
struct UnreplayableOutcome: Error, CustomStringConvertible {
    let effect: String
    let json: ArraySlice<UInt8>
    let type: String

    var description: String {
        "expected the JSON of a \(type) from the effect \"\(effect)\", got \(ReplayText.clipped(json)); a failure is recorded only if its "
            + "type is Codable"
    }
}
