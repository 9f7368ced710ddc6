/// Writes server-sent events (WHATWG HTML §9.2.5) into a buffer.
///
/// Data is split at line ends, so that no value can break out of its event. Names and ids come from the program; one with
/// a line end or NUL in it is a mistake of the caller and traps.
public enum EventStreamEncoder {
    /// Writes one event: its name, its id and its data, each left out where `nil`.
    public static func encode(
        event: String?, id: String? = nil, data: some Sequence<UInt8>, into buffer: inout [UInt8]
    ) {
        if let event { line("event: ", event, into: &buffer) }
        if let id { line("id: ", id, into: &buffer) }
        appendData(data, into: &buffer)
        buffer.append(newline)
    }

    /// Writes a `retry` field on its own: after how long a client that lost its stream is to come back.
    public static func encode(retry: Duration, into buffer: inout [UInt8]) {
        let milliseconds = max(0, retry.wholeNanoseconds / 1_000_000)
        line("retry: ", String(milliseconds), into: &buffer)
        buffer.append(newline)
    }

    /// Writes a comment, which clients ignore and proxies take for life.
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
            "a name or id of an event has no line end and no NUL")
        field.withUTF8Buffer { buffer.append(contentsOf: $0) }
        buffer.append(contentsOf: value.utf8)
        buffer.append(newline)
    }

    private static func appendData(_ data: some Sequence<UInt8>, into buffer: inout [UInt8]) {
        buffer.append(contentsOf: "data: ".utf8)
        var previous: UInt8 = 0
        for byte in data {
            if byte == newline || byte == carriageReturn {
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
