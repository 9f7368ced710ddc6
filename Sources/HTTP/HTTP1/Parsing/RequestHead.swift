import HTTPModel

/// The head of a request while it is being parsed: its fields and the framing that they determine.
struct RequestHead {
    /// The framing of the body, once the head is complete (RFC 9112 §6.3).
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    private(set) var line = RequestLine.none
    private(set) var fields = HTTPFields()
    private(set) var closes = false
    private(set) var keepsAlive = false
    private(set) var expectsContinue = false
    private var takesTrailers = false
    private var authority: String?
    private var contentLength: Int?
    private var codings = TransferCodings()

    /// Begins a head with its request line.
    ///
    /// - Parameter available: The number of bytes that have arrived after it.
    mutating func begin(_ line: RequestLine, available: Int = 0) {
        self.line = line
        // Most heads of browsers and proxies fit without reallocation, those with a token if more has arrived. Not more than
        // that, because it may be a body, or other requests.
        fields = HTTPFields(reservingBytes: available > 240 ? 496 : 240, fields: 10)
    }

    /// Parses a field line without its line end.
    mutating func take(fieldLine: UnsafeRawBufferPointer, limits: HTTP1Limits) throws(HTTP1Error) {
        let (name, value) = try FieldLine.split(fieldLine)
        guard fields.count < limits.fieldCount else { throw .tooManyFields }
        try interpret(name, value)
        fields.append(checkedName: name, checkedValue: value)
    }

    private mutating func interpret(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(HTTP1Error) {
        switch name.count {
        case 2 where name.equalsIgnoringCase("te"): takeTransferPreferences(value)
        case 4 where name.equalsIgnoringCase("host"): try takeHost(value)
        case 6 where name.equalsIgnoringCase("expect"):
            guard value.equalsIgnoringCase("100-continue") else { throw .expectation }
            expectsContinue = true
        case 10 where name.equalsIgnoringCase("connection"): takeConnection(value)
        case 14 where name.equalsIgnoringCase("content-length"): try takeContentLength(value)
        case 17 where name.equalsIgnoringCase("transfer-encoding"):
            guard !line.isVersion10 else { throw .transferCoding }
            try codings.take(value)
        default: break
        }
    }

    private mutating func takeHost(_ value: UnsafeRawBufferPointer) throws(HTTP1Error) {
        guard authority == nil else { throw .hostRepeated }
        guard TargetSyntax.isHostAndPort(value) else { throw .hostInvalid }
        authority = String(decoding: value, as: UTF8.self)
    }

    private mutating func takeConnection(_ value: UnsafeRawBufferPointer) {
        var start = 0
        while start <= value.count {
            let end = value.firstOffset(of: UInt8(ascii: ","), from: start) ?? value.count
            let option = value.part(start..<end).withoutBlanks
            if option.equalsIgnoringCase("close") { closes = true }
            if option.equalsIgnoringCase("keep-alive") { keepsAlive = true }
            start = end + 1
        }
    }

    /// Parses `TE` (RFC 9110 §10.1.4). Only `trailers` matters, since no coding other than `chunked` is supported.
    private mutating func takeTransferPreferences(_ value: UnsafeRawBufferPointer) {
        var start = 0
        while start <= value.count {
            let end = value.firstOffset(of: UInt8(ascii: ","), from: start) ?? value.count
            if value.part(start..<end).withoutBlanks.equalsIgnoringCase("trailers") { takesTrailers = true }
            start = end + 1
        }
    }

    private mutating func takeContentLength(_ value: UnsafeRawBufferPointer) throws(HTTP1Error) {
        // Even equal lengths that are repeated, which RFC 9112 §6.3 lets a server accept, are refused: an
        // implementation in front may have chosen another one.
        guard contentLength == nil, !value.isEmpty else { throw .contentLength }
        var length = 0
        for byte in value {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw .contentLength }
            let (shifted, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carried) = shifted.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !overflow, !carried else { throw .contentLength }
            length = sum
        }
        contentLength = length
    }

    /// Returns the framing of the body. Throws errors that only a complete head can have.
    func framing(limits: HTTP1Limits) throws(HTTP1Error) -> Framing {
        if authority == nil && !line.isVersion10 { throw .hostMissing }
        if codings.isPresent {
            guard contentLength == nil else { throw .lengthBesideCoding }
            try codings.check()
            return .chunked
        }
        guard let contentLength, contentLength > 0 else { return .none }
        guard contentLength <= limits.bodyBytes else { throw .bodyTooLarge }
        return .length(contentLength)
    }

    /// Returns the request with its body, and the framing of its response.
    consuming func message(
        body: consuming [UInt8], trailers: consuming HTTPFields, peer: HTTPPeer
    ) -> HTTP1Message {
        HTTP1Message(
            request: HTTPRequest(
                method: line.method, target: line.target.origin, scheme: "http",
                authority: line.target.authority ?? authority ?? "", fields: fields, body: body,
                trailers: trailers, peer: peer),
            exchange: HTTP1Exchange(
                isHead: line.method == .head, isVersion10: line.isVersion10,
                keepsAlive: !closes && (!line.isVersion10 || keepsAlive), takesTrailers: takesTrailers))
    }
}

/// `field-name ":" OWS field-value OWS` (RFC 9112 §5).
enum FieldLine {
    static func split(
        _ line: UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        var colon = 0
        while colon < line.count, HTTPToken.isTokenByte(line[colon]) { colon &+= 1 }
        // A folded line starts with a blank. White space before the colon is refused too: RFC 9112 §5.1 requires it,
        // since implementations disagree about such a name.
        guard colon > 0, colon < line.count, line[colon] == ASCII.colon else { throw .fieldLine }
        let value = line.part(from: colon &+ 1).withoutBlanks
        guard HTTPFieldValue.areValueBytes(value) else { throw .fieldValue }
        return (line.part(0..<colon), value)
    }
}
