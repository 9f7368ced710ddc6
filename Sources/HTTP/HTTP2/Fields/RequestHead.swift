import HTTPModel

/// The fields of a request while the library decodes them, checked against RFC 9113 §8.
///
/// Decoding continues after an error, because the HPACK state depends on the whole block; but nothing more is stored.
struct RequestHead {
    /// Longer than any registered method.
    private static let maxMethodLength = 32

    private(set) var error: HTTP2MessageError?
    private(set) var refusal: HTTP2Refusal?
    private(set) var contentLength: Int?
    /// Whether the client waits for `100 Continue`.
    private(set) var expectsContinue = false
    /// Whether the client accepts trailer fields.
    private(set) var takesTrailers = false
    private(set) var method: HTTPMethod?

    private var hasScheme = false
    private var target: String?
    private var authority: String?
    private var host: String?
    private(set) var fields = HTTPFields(reservingBytes: 200, fields: 8)
    private var trailers = HTTPFields()
    private var cookie: [UInt8] = []
    private var block = FieldBlock()

    /// The size of the decoded fields, each with 32 extra bytes (RFC 9113 §6.5.2).
    var byteCount: Int { block.byteCount }

    /// Adds the next field. Returns an ending if the block exceeds its limits by so much that the connection must end.
    mutating func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, limits: HTTP2Limits
    ) -> HTTP2Ending? {
        switch block.count(name, value, limits: limits) {
        case .fits: break
        case .exceeds: refuse(.headTooLarge)
        case .floods: return .headerList
        }
        guard error == nil else { return nil }
        do throws(HTTP2MessageError) {
            try check(name, value, limits: limits)
        } catch {
            self.error = error
        }
        return nil
    }

    /// Begins a second header block: trailers. Fields that are not allowed there are checked and dropped (RFC 9110
    /// §6.5.1).
    mutating func beginTrailers() { block.beginTrailers() }

    /// Records that the request is malformed.
    mutating func fail(_ error: HTTP2MessageError) {
        if self.error == nil { self.error = error }
    }

    /// Records that the response must be a problem.
    mutating func refuse(_ refusal: HTTP2Refusal) {
        if self.refusal == nil { self.refusal = refusal }
    }

    private mutating func check(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, limits: HTTP2Limits
    ) throws(HTTP2MessageError) {
        if try block.check(name, value) { return try takePseudoField(name, value, limits: limits) }
        try interpret(name, value)
    }
}

extension RequestHead {
    private mutating func takePseudoField(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, limits: HTTP2Limits
    ) throws(HTTP2MessageError) {
        if name.isEqual(to: ":method") {
            try takeMethod(value)
        } else if name.isEqual(to: ":scheme") {
            try takeScheme(value)
        } else if name.isEqual(to: ":path") {
            try takePath(value, limits: limits)
        } else if name.isEqual(to: ":authority") {
            guard authority == nil else { throw .pseudoFieldRepeated }
            guard TargetSyntax.isHostAndPort(value) else { throw .authority }
            authority = String(decoding: value, as: UTF8.self)
        } else {
            throw .pseudoFieldUnknown
        }
    }

    private mutating func takeMethod(_ value: UnsafeRawBufferPointer) throws(HTTP2MessageError) {
        guard method == nil else { throw .pseudoFieldRepeated }
        // The most common methods use shared values instead of new strings.
        if value.isEqual(to: "GET") {
            method = .get
        } else if value.isEqual(to: "POST") {
            method = .post
        } else {
            guard !value.isEmpty, value.count <= RequestHead.maxMethodLength,
                value.allSatisfy(HTTPToken.isTokenByte)
            else { throw .method }
            method = HTTPMethod(rawValue: String(decoding: value, as: UTF8.self))
        }
    }

    private mutating func takeScheme(_ value: UnsafeRawBufferPointer) throws(HTTP2MessageError) {
        guard !hasScheme else { throw .pseudoFieldRepeated }
        hasScheme = true
        if value.isEqual(to: "https") || value.isEqual(to: "http") { return }
        guard RequestTarget.isScheme(value) else { throw .scheme }
        refuse(.scheme)
    }

    private mutating func takePath(
        _ value: UnsafeRawBufferPointer, limits: HTTP2Limits
    ) throws(HTTP2MessageError) {
        guard target == nil else { throw .pseudoFieldRepeated }
        guard RequestTarget.isValid(value) || value.isEqual(to: "*") else { throw .path }
        if value.count > limits.targetBytes { refuse(.targetTooLong) }
        target = refusal == nil ? String(decoding: value, as: UTF8.self) : "/"
    }
}

extension RequestHead {
    private mutating func interpret(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(HTTP2MessageError) {
        switch name.count {
        case 2 where name.isEqual(to: "te"):
            guard value.isEqual(to: "trailers") else { throw .te }
            if !block.isTrailers { takesTrailers = true }
        case 4 where name.isEqual(to: "host"): try takeHost(value)
        case 6 where name.isEqual(to: "expect"):
            guard !block.isTrailers else { return }
            if value.isEqualIgnoringCase(to: "100-continue") { expectsContinue = true } else { refuse(.expectation) }
        case 6 where name.isEqual(to: "cookie"): return keepCookie(value)
        case 14 where name.isEqual(to: "content-length"): try takeContentLength(value)
        // A gateway that translated such fields back would open the way to request smuggling.
        default: if name.isConnectionField { throw .connectionField }
        }
        keep(name, value)
    }

    private mutating func keep(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // Of a request that is refused, only the origin of the page matters: it decides about fields of the response.
        guard refusal == nil || isOriginOfPage(name) else { return }
        if block.isTrailers {
            trailers.append(checkedTrailerName: name, checkedValue: value)
        } else {
            fields.append(checkedName: name, checkedValue: value)
        }
    }

    /// Returns whether a field is an origin that has to be kept. Two are as good as many: then none counts.
    private func isOriginOfPage(_ name: UnsafeRawBufferPointer) -> Bool {
        !block.isTrailers && name.isEqual(to: "origin") && fields.count(of: .origin) < 2
    }

    // RFC 9113 §8.2.3: a client may split a cookie field for better compression; the parts are joined for the
    // responder.
    private mutating func keepCookie(_ value: UnsafeRawBufferPointer) {
        guard !block.isTrailers, refusal == nil, !value.isEmpty else { return }
        if !cookie.isEmpty { cookie.append(contentsOf: "; ".utf8) }
        cookie.append(contentsOf: value)
    }

    private mutating func takeHost(_ value: UnsafeRawBufferPointer) throws(HTTP2MessageError) {
        guard !block.isTrailers else { return }
        guard host == nil else { throw .host }
        guard TargetSyntax.isHostAndPort(value) else { throw .authority }
        host = String(decoding: value, as: UTF8.self)
    }

    private mutating func takeContentLength(_ value: UnsafeRawBufferPointer) throws(HTTP2MessageError) {
        guard !block.isTrailers else { return }
        guard contentLength == nil, let length = value.decimalNumber else { throw .contentLength }
        contentLength = length
    }
}

extension RequestHead {
    /// Checks the conditions that only a complete head can violate.
    mutating func finish(endsStream: Bool, limits: HTTP2Limits) {
        guard error == nil else { return }
        do throws(HTTP2MessageError) {
            try checkTarget()
            try checkAuthority()
            if endsStream, let contentLength, contentLength > 0 { throw .bodyLength }
        } catch {
            self.error = error
            return
        }
        if method == .connect { refuse(.tunnel) }
        if let contentLength, contentLength > limits.bodyBytes { refuse(.bodyTooLarge) }
    }

    private func checkTarget() throws(HTTP2MessageError) {
        guard let method else { throw .pseudoFieldMissing }
        if method == .connect {
            guard !hasScheme, target == nil, authority != nil else { throw .connect }
            return
        }
        guard hasScheme, let target else { throw .pseudoFieldMissing }
        if target == "*" && method != .options { throw .path }
    }

    private func checkAuthority() throws(HTTP2MessageError) {
        switch (authority, host) {
        case (nil, nil): throw .authorityMissing
        case (let authority?, let host?):
            guard authority == host || authority.lowercased() == host.lowercased() else { throw .host }
        default: break
        }
    }

    /// Returns the request with its body, and leaves the head empty: a copy of it would retain each part.
    mutating func takeRequest(body: consuming [UInt8], scheme: String, peer: HTTPPeer) -> HTTPRequest {
        if !cookie.isEmpty {
            let name: StaticString = "cookie"
            cookie.withUnsafeBytes { value in
                fields.append(
                    checkedName: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount),
                    checkedValue: value)
            }
        }
        return HTTPRequest(
            method: method ?? .get, target: target.take() ?? "/", scheme: scheme,
            authority: authority.take() ?? host ?? "", fields: RequestHead.taken(&fields), body: body,
            trailers: RequestHead.taken(&trailers), peer: peer)
    }

    /// Returns fields that nobody else has a reference to, and leaves none.
    private static func taken(_ fields: inout HTTPFields) -> HTTPFields {
        var taken = HTTPFields()
        swap(&taken, &fields)
        return taken
    }
}
