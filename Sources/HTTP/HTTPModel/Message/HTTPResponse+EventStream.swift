extension HTTPResponse {
    /// Whether the content is an event stream (`text/event-stream`), with or without parameters.
    package var isEventStream: Bool {
        let type: StaticString = "text/event-stream"
        return fields.withValue(.contentType) { value in
            guard value.count >= type.utf8CodeUnitCount else { return false }
            // Converts letters to lower case; the bit is already set in `/` and `-`.
            for offset in 0..<type.utf8CodeUnitCount where value[offset] | 0x20 != type.utf8Start[offset] {
                return false
            }
            return value.count == type.utf8CodeUnitCount || [0x3B, 0x20, 0x09].contains(value[type.utf8CodeUnitCount])
        } ?? false
    }
}
