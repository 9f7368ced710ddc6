import Glibc

/// Rewrites the events of single streams as events of a combined stream.
///
/// An event of a single stream becomes one with the session and its position beside the data:
///
///     event: change
///     id: VgFTtm.3~o3bGaB.17
///     data: {"session":"jt0iGwEJTmmrvDnmhNTjwg","id":"VgFTtm.3","data":{"count":"8"}}
///
/// The bytes may be cut anywhere. Reconnection times, comments and ends that concern only the stream are left out: a combined stream
/// has its own.
struct EventRewriter {
    /// The content of an event of a single stream.
    private enum Content {
        case none
        /// Anything with a position.
        case state(StaticString)
        /// The end of the session.
        case end
        /// The end of a single stream to which the client may return by other means than reconnecting immediately.
        case refusal(Outcome)
        /// The end of the stream only.
        case streamEnd
    }

    private enum Phase {
        case head
        /// Inside the data of an event.
        case data
        /// Inside data that is left out.
        case omitted
    }

    private var content = Content.none
    private var phase = Phase.head
    private var hasRetry = false
    /// The beginning of a line of the head that was cut.
    private var line: [UInt8] = []
    /// The position of the event.
    private var position: [UInt8] = []
    /// The line with the span of the event's turn; empty if it has none.
    private var traceparent: [UInt8] = []

    /// Whether the last event that was written is incomplete.
    var isInsideData: Bool { phase == .data }

    /// Whether the next bytes may be those of another session.
    var isBetweenEvents: Bool {
        guard case .none = content, case .head = phase else { return false }
        return line.isEmpty
    }

    /// The ends and refusals that the rewritten bytes contained.
    struct Outcome: OptionSet {
        let rawValue: UInt8

        /// The end of the session.
        static let sessionEnd = Outcome(rawValue: 1)
        /// The end of the single stream, after which a client reconnects.
        static let streamEnd = Outcome(rawValue: 2)
        /// The refusal of the single stream for the time being.
        static let busy = Outcome(rawValue: 4)
        /// The refusal of the single stream to this client.
        static let unauthorized = Outcome(rawValue: 8)
        /// Anything that ends a part of the combined stream with an event of its own.
        static let ownEnd: Outcome = [.sessionEnd, .busy, .unauthorized]
    }

    /// Rewrites bytes of a session's stream.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - start: The place at which to begin. Set to the place after the last byte that was read.
    ///   - session: The text of the session's id.
    ///   - place: The place of the session in the stream's position.
    ///   - current: The position before the event, and after it.
    ///   - buffer: Receives the events.
    ///   - limit: The size of the buffer at which to stop before the next event.
    mutating func rewrite(
        _ bytes: [UInt8], from start: inout Int, to end: Int, session: ArraySlice<UInt8>, place: Int,
        _ current: inout CombinedPosition, into buffer: inout [UInt8], limit: Int
    ) -> Outcome {
        assert(start <= end && end <= bytes.count, "expected a part of \(bytes.count) bytes, got \(start) to \(end)")
        var outcome: Outcome = []
        while start < end {
            if isBetweenEvents, buffer.count >= limit { break }
            switch phase {
            case .head:
                guard readHead(bytes, &start, end) else { break }
                outcome.formUnion(beginData(session, place, &current, &buffer))
            case .data, .omitted:
                let stop = EventRewriter.lineEnd(in: bytes, start..<end)
                if phase == .data { buffer.append(contentsOf: bytes[start..<min(stop, end)]) }
                start = stop
                guard stop < end else { break }
                if phase == .data { buffer.append("}\n\n") }
                start += 1
                (content, phase, hasRetry) = (.none, .head, false)
            }
        }
        assert(start <= end, "expected to read up to \(end), got \(start)")
        return outcome
    }

    /// Reads lines of a head. Returns whether the data of the event follows.
    private mutating func readHead(_ bytes: [UInt8], _ start: inout Int, _ end: Int) -> Bool {
        while start < end {
            if line.isEmpty, EventRewriter.has("data: ", bytes, start, end) {
                start += 6
                return true
            }
            let stop = EventRewriter.lineEnd(in: bytes, start..<end)
            // The data may be long, so a cut line is completed only up to where the data begins.
            if !line.isEmpty || stop == end {
                line.append(bytes[start])
                start += 1
                if EventRewriter.has("data: ", line, 0, line.count) {
                    line.removeAll(keepingCapacity: true)
                    return true
                }
                guard line.last == UInt8(ascii: "\n") else { continue }
                take(line, 0, line.count - 1)
                line.removeAll(keepingCapacity: true)
                continue
            }
            take(bytes, start, stop)
            start = stop + 1
        }
        return false
    }

    /// Reads a complete line of a head.
    private mutating func take(_ bytes: [UInt8], _ start: Int, _ end: Int) {
        if EventRewriter.has("id: ", bytes, start, end) {
            position.removeAll(keepingCapacity: true)
            position.append(contentsOf: bytes[(start + 4)..<end])
            traceparent.removeAll(keepingCapacity: true)
        } else if EventRewriter.has("traceparent: ", bytes, start, end) {
            traceparent.append(contentsOf: bytes[start..<end])
        } else if EventRewriter.has("event: c", bytes, start, end) {
            content = .state("event: change\nid: ")
        } else if EventRewriter.has("event: s", bytes, start, end) {
            content = .state("event: snapshot\nid: ")
        } else if EventRewriter.has("event: r", bytes, start, end) {
            content = .state("event: resume\nid: ")
        } else if EventRewriter.has("event: e", bytes, start, end) {
            content = hasRetry ? .streamEnd : .end
        } else if EventRewriter.has("event: b", bytes, start, end) {
            content = .refusal(.busy)
        } else if EventRewriter.has("event: u", bytes, start, end) {
            content = .refusal(.unauthorized)
        } else if EventRewriter.has("retry: ", bytes, start, end) {
            hasRetry = true
        } else if start == end {
            (content, hasRetry) = (.none, false)
        }
    }

    /// Writes an event up to its data.
    private mutating func beginData(
        _ session: ArraySlice<UInt8>, _ place: Int, _ current: inout CombinedPosition, _ buffer: inout [UInt8]
    ) -> Outcome {
        phase = .data
        switch content {
        case .state(let head):
            current.set(position, at: place)
            buffer.append(head)
        case .end:
            current.end(session, at: place)
            buffer.append("event: end\nid: ")
        case .refusal: buffer.append("event: end\nid: ")
        case .none, .streamEnd:
            phase = .omitted
            return .streamEnd
        }
        buffer.append(contentsOf: current.text)
        if case .state = content, !traceparent.isEmpty {
            buffer.append(UInt8(ascii: "\n"))
            buffer.append(contentsOf: traceparent)
        }
        // The session comes first, at a fixed place, so that a client can pass an event on without parsing it.
        buffer.append("\ndata: {\"session\":\"")
        buffer.append(contentsOf: session)
        if case .state = content {
            buffer.append("\",\"id\":\"")
            buffer.append(contentsOf: position)
        }
        buffer.append("\",\"data\":")
        switch content {
        case .end: return .sessionEnd
        case .refusal(let outcome): return outcome
        default: return []
        }
    }

    /// Returns whether the bytes from a place on begin with a text.
    private static func has(_ text: StaticString, _ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard end - start >= count else { return false }
        for index in 0..<count where bytes[start + index] != text.utf8Start[index] { return false }
        return true
    }

    /// Returns the place of the first line end; the end of the range if none exists.
    private static func lineEnd(in bytes: [UInt8], _ range: Range<Int>) -> Int {
        bytes.withUnsafeBytes { (all: UnsafeRawBufferPointer) -> Int in
            guard let base = all.baseAddress, let found = memchr(base + range.lowerBound, 0x0A, range.count) else {
                return range.upperBound
            }
            return UnsafeRawPointer(found) - base
        }
    }
}
