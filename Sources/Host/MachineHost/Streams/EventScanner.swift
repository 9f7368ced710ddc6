import Glibc

/// Finds the events in the bytes of a session's stream, which may be cut anywhere.
struct EventScanner {
    enum Event {
        case snapshot
        case change
        case resume
        case end
        case busy
        case unauthorized
    }

    /// The event that has begun; nil between events.
    private(set) var event: Event?
    /// Whether the event follows a reconnection time.
    private(set) var hasRetry = false
    /// Whether the next bytes are data of the event.
    private(set) var isInsideData = false
    private(set) var position: [UInt8] = []
    /// The line with the span of the event's turn; empty if it has none.
    private(set) var traceparent: [UInt8] = []
    /// The beginning of a line of the head that was cut.
    private var line: [UInt8] = []

    /// Whether no event has begun.
    var isBetweenEvents: Bool { event == nil && !isInsideData && line.isEmpty }

    /// Reads lines up to the data of an event.
    ///
    /// - Parameters:
    ///   - start: The place at which to begin. Set to the place after the last byte that was read.
    ///   - end: The place at which the bytes end.
    /// - Returns: Whether the data of the event follows.
    mutating func readHead(_ bytes: [UInt8], _ start: inout Int, _ end: Int) -> Bool {
        assert(!isInsideData, "expected to read the data of the event first")
        while start < end {
            if line.isEmpty, EventScanner.has("data: ", bytes, start, end) {
                start += 6
                isInsideData = true
                return true
            }
            let stop = EventScanner.lineEnd(in: bytes, start..<end)
            // The data may be long, so a cut line is completed only up to where the data begins.
            if !line.isEmpty || stop == end {
                line.append(bytes[start])
                start += 1
                if EventScanner.has("data: ", line, 0, line.count) {
                    line.removeAll(keepingCapacity: true)
                    isInsideData = true
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

    /// Reads data of an event.
    ///
    /// - Returns: The range of the data in the bytes, and whether the event ends with it.
    mutating func readData(_ bytes: [UInt8], _ start: inout Int, _ end: Int) -> (range: Range<Int>, isLast: Bool) {
        assert(isInsideData, "expected to read the head of the event first")
        let stop = EventScanner.lineEnd(in: bytes, start..<end)
        let range = start..<stop
        guard stop < end else {
            start = stop
            return (range, false)
        }
        start = stop + 1
        (event, hasRetry, isInsideData) = (nil, false, false)
        return (range, true)
    }

    /// Reads a complete line of a head.
    private mutating func take(_ bytes: [UInt8], _ start: Int, _ end: Int) {
        if EventScanner.has("id: ", bytes, start, end) {
            position.removeAll(keepingCapacity: true)
            position.append(contentsOf: bytes[(start + 4)..<end])
            traceparent.removeAll(keepingCapacity: true)
        } else if EventScanner.has("traceparent: ", bytes, start, end) {
            traceparent.append(contentsOf: bytes[start..<end])
        } else if EventScanner.has("event: c", bytes, start, end) {
            event = .change
        } else if EventScanner.has("event: s", bytes, start, end) {
            event = .snapshot
        } else if EventScanner.has("event: r", bytes, start, end) {
            event = .resume
        } else if EventScanner.has("event: e", bytes, start, end) {
            event = .end
        } else if EventScanner.has("event: b", bytes, start, end) {
            event = .busy
        } else if EventScanner.has("event: u", bytes, start, end) {
            event = .unauthorized
        } else if EventScanner.has("retry: ", bytes, start, end) {
            hasRetry = true
        } else if start == end {
            (event, hasRetry) = (nil, false)
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
