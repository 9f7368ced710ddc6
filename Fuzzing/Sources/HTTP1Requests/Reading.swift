import Fuzz
import HTTP1
import HTTPModel

/// The parser's results for the bytes of one connection.
struct Reading: Equatable {
    /// A request in a comparable form.
    struct Request: Equatable {
        var method: HTTPMethod
        var target: String
        var scheme: String
        var authority: String
        var fields: HTTPFields
        var body: [UInt8]
        var exchange: HTTP1Exchange
    }

    var requests: [Request] = []
    var error: HTTP1Error?
    /// The number of unparsed bytes; meaningless after an error.
    var left = 0
    var phase: HTTP1RequestParser.Phase?

    /// Parses bytes in pieces.
    init(_ bytes: [UInt8], _ cut: Cut, limits: HTTP1Limits) {
        var parser = HTTP1RequestParser(limits: limits)
        var pending: [UInt8] = []
        do throws(HTTP1Error) {
            for piece in cut.pieces(of: bytes) {
                pending += piece
                try take(&pending, &parser)
            }
            left = pending.count
            phase = parser.phase
        } catch {
            self.error = error
        }
    }

    /// Copies the bytes into memory of exactly their size, so that the sanitizer detects reads beyond their end.
    private mutating func take(_ pending: inout [UInt8], _ parser: inout HTTP1RequestParser) throws(HTTP1Error) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: pending.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: pending)
        var rest = UnsafeRawBufferPointer(copy)
        while let message = try parser.parse(&rest, peer: .unknown) { requests.append(Request(message)) }
        pending.removeFirst(pending.count - rest.count)
    }
}

extension Reading.Request {
    init(_ message: HTTP1Message) {
        let request = message.request
        self.init(
            method: request.method, target: request.target, scheme: request.scheme, authority: request.authority,
            fields: request.fields, body: request.body, exchange: message.exchange)
    }

    /// The request serialized with a Content-Length.
    var written: [UInt8] {
        var bytes = Array("\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(authority)\r\n".utf8)
        forEachField { name, value in
            if !["host", "content-length", "transfer-encoding"].contains(String(decoding: name, as: UTF8.self)) {
                bytes += name + Array(": ".utf8) + value + Array("\r\n".utf8)
            }
        }
        return bytes + Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// Calls the closure with each field.
    func forEachField(_ body: (_ name: [UInt8], _ value: [UInt8]) -> Void) {
        fields.forEach { name, value in body(Array(name), Array(value)) }
    }
}
