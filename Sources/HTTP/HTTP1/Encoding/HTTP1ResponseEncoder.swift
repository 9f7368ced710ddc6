public import HTTPModel

/// How the content of a response is delimited (RFC 9112 §6.3).
public enum HTTP1BodyFraming: Hashable, Sendable {
    /// There is no content.
    case none
    /// The content was written after the head.
    case whole
    /// The length is in the head, but the content was not written: it is too large or produced while it is sent.
    case separate
    /// The content is sent in chunks, each written with ``HTTP1Chunk``.
    case chunked
    /// The content ends with the connection. For HTTP/1.0.
    case untilClose
}

/// Encodes responses for HTTP/1.1.
public enum HTTP1ResponseEncoder {
    /// Writes the head of a response, and its content if it is complete and has at most `limit` bytes.
    ///
    /// `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are written here. Such fields of the response are
    /// omitted, except a length that describes content which is not sent (`HEAD`, 304).
    ///
    /// - Returns: The framing of the content, and whether the connection can be reused. Content of unknown length for
    ///   HTTP/1.0 ends the connection.
    public static func encode(
        _ response: HTTPResponse, for exchange: HTTP1Exchange, dateLine: [UInt8], contentLimit limit: Int = .max,
        into buffer: inout [UInt8]
    ) -> (framing: HTTP1BodyFraming, keepsAlive: Bool) {
        let framing = framing(of: response, for: exchange, limit)
        let keepsAlive = exchange.keepsAlive && framing != .untilClose
        appendStatusLine(response.status, to: &buffer)
        appendFields(response, exchange, to: &buffer)
        appendFraming(response, for: exchange, to: &buffer)
        buffer.append(copyOf: dateLine)
        if !keepsAlive {
            append("connection: close\r\n", to: &buffer)
        } else if exchange.isVersion10 {
            append("connection: keep-alive\r\n", to: &buffer)
        }
        append("\r\n", to: &buffer)
        if case .bytes(let bytes) = response.body, framing == .whole { buffer.append(copyOf: bytes) }
        return (framing, keepsAlive)
    }

    /// Writes the interim response to `Expect: 100-continue`.
    public static func encodeContinue(into buffer: inout [UInt8]) {
        append("HTTP/1.1 100 Continue\r\n\r\n", to: &buffer)
    }

    private static func framing(of response: HTTPResponse, for exchange: HTTP1Exchange, _ limit: Int)
        -> HTTP1BodyFraming
    {
        guard !exchange.isHead, !response.status.forbidsBody else { return .none }
        switch response.body {
        case .empty: return .none
        case .bytes(let bytes): return bytes.count <= limit ? .whole : .separate
        case .stream(let body) where body.contentLength != nil: return .separate
        case .stream: return exchange.isVersion10 ? .untilClose : .chunked
        }
    }

    private static func appendStatusLine(_ status: HTTPStatus, to buffer: inout [UInt8]) {
        if status.code == 200 { return append("HTTP/1.1 200 OK\r\n", to: &buffer) }
        append("HTTP/1.1 ", to: &buffer)
        append(Int(status.code), to: &buffer)
        append(" ", to: &buffer)
        append(status.reason, to: &buffer)
        append("\r\n", to: &buffer)
    }

    private static func appendFields(
        _ response: HTTPResponse, _ exchange: HTTP1Exchange, to buffer: inout [UInt8]
    ) {
        let describesAbsent = describesAbsentContent(response, exchange)
        response.fields.forEach { name, value in
            guard !isFraming(name) || describesAbsent && name.equals("content-length") else { return }
            appendLine(name, value, to: &buffer)
        }
    }

    // Room is made once for a line, and not for each of its four parts.
    private static func appendLine(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, to buffer: inout [UInt8]
    ) {
        let count = name.count + value.count + 4
        buffer.append(addingCapacity: count) { line in
            line.withUnsafeMutableBufferPointer { bytes, initialized in
                let bytes = UnsafeMutableRawBufferPointer(bytes)
                bytes.copyMemory(from: name)
                bytes[name.count] = ASCII.colon
                bytes[name.count + 1] = ASCII.space
                UnsafeMutableRawBufferPointer(rebasing: bytes[(name.count + 2)...]).copyMemory(from: value)
                bytes[count - 2] = ASCII.carriageReturn
                bytes[count - 1] = ASCII.lineFeed
                initialized = count
            }
        }
    }

    private static func describesAbsentContent(_ response: HTTPResponse, _ exchange: HTTP1Exchange) -> Bool {
        guard case .empty = response.body else { return false }
        return exchange.isHead || response.status == .notModified
    }

    private static func isFraming(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 4: name.equals("date")
        case 10: name.equals("connection") || name.equals("keep-alive")
        case 14: name.equals("content-length")
        case 17: name.equals("transfer-encoding")
        default: false
        }
    }

    private static func appendFraming(
        _ response: HTTPResponse, for exchange: HTTP1Exchange, to buffer: inout [UInt8]
    ) {
        guard !response.status.forbidsBody else { return }
        switch response.body {
        case .empty:
            // A content type indicates content that is not produced for HEAD; if its length is known, the response
            // already has a Content-Length field.
            let fields = response.fields
            if exchange.isHead, fields.contains(.contentLength) || fields.contains(.contentType) { return }
            append("content-length: 0\r\n", to: &buffer)
        case .bytes(let bytes): appendLength(bytes.count, to: &buffer)
        case .stream(let body):
            if let count = body.contentLength {
                appendLength(count, to: &buffer)
            } else if !exchange.isVersion10 {
                append("transfer-encoding: chunked\r\n", to: &buffer)
            }
        }
    }

    @inline(__always)
    private static func append(_ text: StaticString, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func append(_ number: Int, to buffer: inout [UInt8]) {
        withDigits(of: number) { buffer.append(contentsOf: $0) }
    }

    private static func appendLength(_ count: Int, to buffer: inout [UInt8]) {
        let name: StaticString = "content-length"
        withDigits(of: count) { digits in
            let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            appendLine(name, digits, to: &buffer)
        }
    }

    @inline(__always)
    private static func withDigits(of number: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var place = digits.count
            var rest = number
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            body(UnsafeRawBufferPointer(rebasing: digits[place...]))
        }
    }
}
