/// The events of a session's stream: `event: change`, `id: {epoch}.{version}`, `data: {…}` and an empty line.
enum ChangeEvent: String {
    case change
    case snapshot
    case resume

    /// About the size of an event without its data.
    static let overhead = 40

    /// Appends the part of the event before its data.
    ///
    /// - Parameters:
    ///   - position: The position after the event.
    ///   - traceparent: The span of the turn; nil if it belongs to no sampled trace. Clients that do not know the field ignore it.
    ///   - bytes: Receives the text.
    func appendHead(_ position: StreamPosition, in traceparent: ArraySlice<UInt8>? = nil, to bytes: inout [UInt8]) {
        switch self {
        case .change: bytes.append("event: change\nid: ")
        case .snapshot: bytes.append("event: snapshot\nid: ")
        case .resume: bytes.append("event: resume\nid: ")
        }
        position.append(to: &bytes)
        if let traceparent {
            bytes.append("\ntraceparent: ")
            bytes.append(contentsOf: traceparent)
        }
        bytes.append("\ndata: ")
    }

    /// Appends the part of the event after its data.
    static func appendEnd(to bytes: inout [UInt8]) {
        bytes.append("\n\n")
    }

    /// Returns the range of the data in an event that ``appendHead(_:to:)`` and ``appendEnd(to:)`` wrote.
    static func data(of event: [UInt8]) -> Range<Int> {
        let start = traceparent(of: event).map { $0.endIndex + 1 } ?? lineAfterPosition(of: event)
        assert(start + 8 <= event.count, "expected an event with data, got \(event.count) bytes")
        // After the six bytes of "data: ", before two line ends.
        return (start + 6)..<(event.count - 2)
    }

    /// Returns the value of `traceparent` in an event that ``appendHead(_:in:to:)`` wrote; nil if it has none.
    static func traceparent(of event: [UInt8]) -> ArraySlice<UInt8>? {
        let start = lineAfterPosition(of: event)
        guard start < event.count, event[start] == UInt8(ascii: "t") else { return nil }
        let end = event[start...].firstIndex(of: UInt8(ascii: "\n")) ?? event.count
        // After the bytes of "traceparent: ".
        return event[(start + 13)..<end]
    }

    /// The host wrote the event: the position is on the second line.
    private static func lineAfterPosition(of event: [UInt8]) -> Int {
        var start = 0
        for _ in 0..<2 { start = (event[start...].firstIndex(of: UInt8(ascii: "\n")) ?? start) + 1 }
        return start
    }
}

extension [UInt8] {
    /// Appends a string literal without creating a `String`.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Replaces line ends by spaces.
    mutating func removeLineEnds(from start: Int) {
        // In valid JSON, line ends occur between tokens only, where a space has the same meaning. In an event, they
        // would end the data line.
        for index in start..<count where self[index] == 0x0A || self[index] == 0x0D { self[index] = 0x20 }
    }
}
