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
    private var scanner = EventScanner()
    /// Whether the data of the event is left out.
    private var isOmitted = false

    /// Whether the last event that was written is incomplete.
    var isInsideData: Bool { scanner.isInsideData && !isOmitted }

    /// Whether the next bytes may be those of another session.
    var isBetweenEvents: Bool { scanner.isBetweenEvents }

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
            guard scanner.isInsideData else {
                guard scanner.readHead(bytes, &start, end) else { break }
                outcome.formUnion(beginData(session, place, &current, &buffer))
                continue
            }
            let data = scanner.readData(bytes, &start, end)
            guard !isOmitted else { continue }
            buffer.append(contentsOf: bytes[data.range])
            if data.isLast { buffer.append("}\n\n") }
        }
        assert(start <= end, "expected to read up to \(end), got \(start)")
        return outcome
    }

    /// Writes an event up to its data.
    private mutating func beginData(
        _ session: ArraySlice<UInt8>, _ place: Int, _ current: inout CombinedPosition, _ buffer: inout [UInt8]
    ) -> Outcome {
        isOmitted = false
        var outcome: Outcome = []
        switch scanner.event {
        case .snapshot: appendHead("event: snapshot\nid: ", place, &current, &buffer)
        case .change: appendHead("event: change\nid: ", place, &current, &buffer)
        case .resume: appendHead("event: resume\nid: ", place, &current, &buffer)
        case .end where !scanner.hasRetry:
            outcome = .sessionEnd
            current.end(session, at: place)
            buffer.append("event: end\nid: ")
        case .busy:
            outcome = .busy
            buffer.append("event: end\nid: ")
        case .unauthorized:
            outcome = .unauthorized
            buffer.append("event: end\nid: ")
        case .end, nil:
            isOmitted = true
            return .streamEnd
        }
        let isState = outcome.isEmpty
        buffer.append(contentsOf: current.text)
        if isState, !scanner.traceparent.isEmpty {
            buffer.append(UInt8(ascii: "\n"))
            buffer.append(contentsOf: scanner.traceparent)
        }
        // The session comes first, at a fixed place, so that a client can pass an event on without parsing it.
        buffer.append("\ndata: {\"session\":\"")
        buffer.append(contentsOf: session)
        if isState {
            buffer.append("\",\"id\":\"")
            buffer.append(contentsOf: scanner.position)
        }
        buffer.append("\",\"data\":")
        return outcome
    }

    /// Writes the beginning of an event with a position.
    private func appendHead(
        _ head: StaticString, _ place: Int, _ current: inout CombinedPosition, _ buffer: inout [UInt8]
    ) {
        current.set(scanner.position, at: place)
        buffer.append(head)
    }
}
