/// Writes server-sent events (WHATWG HTML §9.2.5) to a buffer.
///
/// Data is split at line ends, so that no value can break out of its event. Names and ids come from the program; a line
/// end or NUL in one of them is a programming error and traps.
public enum EventStreamEncoder {
    /// Writes an event: its name, its id and its data. A name or id that is `nil` is omitted.
    public static func encode(
        event: String?, id: String? = nil, data: some Sequence<UInt8>, into buffer: inout [UInt8]
    ) {
        if let event { line("event: ", event, into: &buffer) }
        if let id { line("id: ", id, into: &buffer) }
        appendData(data, into: &buffer)
        buffer.append(newline)
    }

    /// Writes a `retry` field: the delay after which a client reconnects.
    public static func encode(retry: Duration, into buffer: inout [UInt8]) {
        let milliseconds = max(0, retry.wholeMilliseconds)
        line("retry: ", String(milliseconds), into: &buffer)
        buffer.append(newline)
    }

    /// Writes a comment. Clients ignore it; proxies regard the connection as active.
    public static func encode(comment: StaticString, into buffer: inout [UInt8]) {
        buffer.append(contentsOf: ": ".utf8)
        comment.withUTF8Buffer { buffer.append(contentsOf: $0) }
        buffer.append(newline)
        buffer.append(newline)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func line(_ field: StaticString, _ value: String, into buffer: inout [UInt8]) {
        precondition(
            value.utf8.allSatisfy { $0 != newline && $0 != carriageReturn && $0 != 0 },
            "expected an event name or id without line ends and NULs")
        field.withUTF8Buffer { buffer.append(contentsOf: $0) }
        buffer.append(contentsOf: value.utf8)
        buffer.append(newline)
    }

    private static func appendData(_ data: some Sequence<UInt8>, into buffer: inout [UInt8]) {
        buffer.append(contentsOf: "data: ".utf8)
        var previous: UInt8 = 0
        for byte in data {
            if byte == newline || byte == carriageReturn {
                // CR LF is a single line end and must not become two.
                if !(byte == newline && previous == carriageReturn) {
                    buffer.append(newline)
                    buffer.append(contentsOf: "data: ".utf8)
                }
            } else {
                buffer.append(byte)
            }
            previous = byte
        }
        buffer.append(newline)
    }
}
