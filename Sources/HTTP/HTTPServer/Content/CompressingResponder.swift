import HTTPModel

/// Compresses the responses of another responder for clients that accept it. There is one per loop, confined to it.
///
/// For a response that is too small to compress, the cost is a comparison.
final class CompressingResponder: HTTPResponder {
    /// Larger content is compressed in parts while it is sent, so that the loop's other connections do not wait for all
    /// of it.
    private static let maxBytesAtOnce = 1 << 20

    private let next: any HTTPResponder
    private let configuration: HTTPServerCompression
    private let settings: ContentEncoderSettings
    private let streamSettings: ContentEncoderSettings
    private let largeSettings = ContentEncoderSettings.stream(windowBytes: 32 << 10)
    private let room = CompressedBodyStream.Room()
    private var cache = CompressedResponseCache()
    /// Reused for all responses: a new encoder would allocate a quarter of a megabyte each time.
    private lazy var gzip = ContentEncoder(.gzip, settings: settings)

    init(_ next: any HTTPResponder, _ configuration: HTTPServerCompression) {
        self.next = next
        self.configuration = configuration
        settings = ContentEncoderSettings(
            gzipLevel: configuration.gzipLevel, brotliQuality: configuration.brotliQuality)
        streamSettings = .stream(windowBytes: configuration.streamWindowBytes)
    }

    func placement(of request: HTTPRequest) -> Int? { next.placement(of: request) }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        guard configuration.answers, EntityTagConditions.arePresent(in: request.fields) else {
            let answer = next.respond(to: request)
            return isSentUnchanged(answer, to: request) ? answer : compress(answer, for: request)
        }
        var widened = request
        widened.fields = EntityTagConditions.widened(request.fields)
        return compress(next.respond(to: widened), for: request)
    }

    func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {
        next.addPolicyFields(to: &response, for: fields, from: peer)
    }

    func drain() { next.drain() }

    private func isSentUnchanged(_ answer: HTTPAnswer, to request: HTTPRequest) -> Bool {
        // `switch` and the property of the body: other patterns copy the response.
        switch answer {
        case .response(let response): isSentUnchanged(response, to: request)
        case .deferred: false
        }
    }

    /// Returns whether a response is a small one to a request that accepts it without compression. Most are, and to take them apart would
    /// retain and release each part several times.
    private func isSentUnchanged(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard let count = response.body.byteCount, count < configuration.minimumBytes else { return false }
        return request.method == .post || !request.fields.contains(.acceptEncoding)
    }

    private func compress(_ answer: HTTPAnswer, for request: HTTPRequest) -> HTTPAnswer {
        switch answer {
        case .response(let response): return .response(compress(response, for: request))
        case .deferred(let promise):
            let isChanged = promise.changeHeld { response in
                if !isSentUnchanged(response, to: request) { response = compress(response, for: request) }
            }
            if !isChanged { promise.change { [self] response in response = compress(response, for: request) } }
            return answer
        }
    }

    private func compress(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        switch response.body {
        case .bytes(let bytes):
            // A small response to another method is sent unchanged: it is not worth compressing and could not be
            // refused.
            let isSafe = request.method == .get || request.method == .head
            guard configuration.answers, bytes.count >= configuration.minimumBytes || isSafe else { return response }
            return compress(response, bytes, for: request)
        case .stream(let stream) where stream.contentLength != nil:
            return configuration.answers ? compressWhole(response, stream, for: request) : response
        case .stream(let stream):
            guard let (coding, varying) = streamCoding(of: response, for: request) else { return response }
            guard let coding else { return varying }
            var compressed = CompressingResponder.mark(varying, coding)
            compressed.body = .stream(CompressedBodyStream(stream, coding, streamSettings, room))
            return compressed
        case .empty:
            if response.status == .notModified, configuration.answers { return retag(response, for: request) }
            // The response to HEAD has the fields that the response to GET would have.
            guard request.method == .head, let (coding, varying) = streamCoding(of: response, for: request) else {
                return response
            }
            return coding.map { CompressingResponder.mark(varying, $0) } ?? varying
        }
    }

    private func compress(_ response: HTTPResponse, _ bytes: [UInt8], for request: HTTPRequest) -> HTTPResponse {
        guard bytes.count <= CompressingResponder.maxBytesAtOnce else {
            return compressWhole(response, SharedBytesBody(bytes), for: request)
        }
        let preferences = CodingPreferences(request.fields)
        return compress(response, count: bytes.count, preferences, for: request) { varying, coding in
            let compressed = encode(bytes, coding)
            // Content that compression does not make smaller is sent uncompressed, unless the client excludes that.
            guard compressed.count < bytes.count || !preferences.takesIdentity else { return varying }
            var marked = CompressingResponder.mark(varying, coding)
            marked.body = .bytes(compressed)
            return marked
        }
    }

    /// Compresses content of known length in parts, while it is sent.
    private func compressWhole(
        _ response: HTTPResponse, _ content: any HTTPBodyStream, for request: HTTPRequest
    ) -> HTTPResponse {
        compress(response, count: content.contentLength ?? 0, CodingPreferences(request.fields), for: request) {
            varying, coding in
            var marked = CompressingResponder.mark(varying, coding)
            marked.body = .stream(CompressedBodyStream(content, coding, largeSettings, room))
            return marked
        }
    }

    /// Returns the response as the closure compresses it, or uncompressed.
    private func compress(
        _ response: HTTPResponse, count: Int, _ preferences: CodingPreferences, for request: HTTPRequest,
        _ compressed: (_ varying: HTTPResponse, _ coding: ContentCoding) -> HTTPResponse
    ) -> HTTPResponse {
        guard count >= configuration.minimumBytes || !preferences.takesIdentity,
            CompressingResponder.mayBeCompressed(response),
            !CompressingResponder.forbidsTransform(response),
            CompressingResponder.hasCompressibleType(response) || !preferences.takesIdentity
        else { return response }
        let varying = CompressingResponder.varying(response)
        guard let coding = preferences.choose(from: [.brotli, .gzip]) else {
            if preferences.takesIdentity || !CompressingResponder.mayBeRefused(response, for: request) {
                return varying
            }
            if case .stream(let body) = response.body { body.stop() }
            var refusal = ProblemDetails.noAcceptableCoding.response
            addPolicyFields(to: &refusal, for: request.fields, from: request.peer)
            return refusal
        }
        return compressed(varying, coding)
    }

    private func encode(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8] {
        if let compressed = cache.compressed(bytes, coding) { return compressed }
        let compressed = encodeUncached(bytes, coding)
        cache.note(bytes, coding, compressed)
        return compressed
    }

    private func encodeUncached(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8] {
        // Only gzip: brotli's encoder cannot be reset, so keeping one would save nothing.
        guard coding == .gzip else { return ContentEncoder.encode(bytes, coding, settings: settings) }
        var compressed: [UInt8] = []
        compressed.reserveCapacity(bytes.count / 3 + 64)
        gzip.encode(bytes, .finish, into: &compressed)
        gzip.reset()
        return compressed
    }

    /// Returns the coding of a stream, and the response with the fields that do not depend on the coding; `nil` if the
    /// stream must not be compressed.
    private func streamCoding(
        of response: HTTPResponse, for request: HTTPRequest
    ) -> (coding: ContentCoding?, varying: HTTPResponse)? {
        guard configuration.streams != .off, CompressingResponder.mayBeCompressed(response),
            CompressingResponder.hasCompressibleType(response)
        else { return nil }
        // The `no-transform` of an event stream is for proxies, which would hold events back. This encoder flushes each.
        guard
            response.fields.value(.contentType, equalsIgnoringCase: "text/event-stream")
                || !CompressingResponder.forbidsTransform(response)
        else { return nil }
        let offered: [ContentCoding] = configuration.streams == .gzip ? [.gzip] : [.brotli, .gzip]
        return (CodingPreferences(request.fields).choose(from: offered), CompressingResponder.varying(response))
    }

    /// Gives a 304 response the tag that the 200 response would have had (RFC 9110 §15.4.5).
    private func retag(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard let tag = response.fields.value(.eTag).flatMap(HTTPEntityTag.init(fieldValue:)), !tag.isWeak,
            !CompressingResponder.isNegotiated(response)
        else { return response }
        let coding = CodingPreferences(request.fields).choose(from: [.brotli, .gzip])
        var tagged = CompressingResponder.varying(response)
        tagged.fields[.eTag] = EntityTagConditions.known(tag, coding, in: request.fields).fieldValue
        return tagged
    }
}

extension CompressingResponder {
    /// Returns whether the content may be compressed: it is complete, has no coding, and was not selected by coding.
    private static func mayBeCompressed(_ response: HTTPResponse) -> Bool {
        guard !response.status.forbidsBody, response.status != .partialContent else { return false }
        return !response.fields.contains(.contentEncoding) && !response.fields.contains(.contentRange)
            && !isNegotiated(response)
    }

    /// Returns whether the response may be replaced by 406. It may not if the request has had an effect.
    private static func mayBeRefused(_ response: HTTPResponse, for request: HTTPRequest) -> Bool {
        (request.method == .get || request.method == .head) && response.status.code < 300
    }

    private static func hasCompressibleType(_ response: HTTPResponse) -> Bool {
        response.fields.value(.contentType).map(CompressibleType.contains) ?? false
    }

    private static func isNegotiated(_ response: HTTPResponse) -> Bool {
        response.fields.lists(.vary, "accept-encoding")
    }

    private static func forbidsTransform(_ response: HTTPResponse) -> Bool {
        response.fields.lists(.cacheControl, "no-transform")
    }

    /// Returns the response with `Vary`, which tells caches that it depends on `Accept-Encoding`.
    private static func varying(_ response: HTTPResponse) -> HTTPResponse {
        guard !response.fields.lists(.vary, "*") else { return response }
        var varying = response
        varying.fields.append(.vary, "accept-encoding")
        return varying
    }

    /// Returns the response with the fields of its coding.
    private static func mark(_ response: HTTPResponse, _ coding: ContentCoding) -> HTTPResponse {
        var marked = response
        marked.fields.append(.contentEncoding, coding.token)
        if let tag = response.fields.value(.eTag).flatMap(HTTPEntityTag.init(fieldValue:)), !tag.isWeak {
            marked.fields[.eTag] = tag.withCoding(coding).fieldValue
        }
        // Ranges would refer to the compressed bytes, which may differ from response to response.
        if marked.fields.contains(.acceptRanges) { marked.fields[.acceptRanges] = "none" }
        return marked
    }
}

extension HTTPFields {
    /// Returns whether a list field contains an element, compared without case and without what follows `=` or `;`.
    func lists(_ name: HTTPFieldName, _ element: String) -> Bool {
        guard contains(name) else { return false }
        return values(name).contains { line in
            line.split(separator: ",").contains { part in
                let start = part.drop { $0 == " " || $0 == "\t" }
                return start.prefix { !" \t=;".contains($0) }.lowercased() == element
            }
        }
    }
}

extension HTTPResponseBody {
    /// The length of the content if it is complete and in memory, otherwise `nil`.
    fileprivate var byteCount: Int? {
        if case .bytes(let bytes) = self { bytes.count } else { nil }
    }
}

extension ProblemDetails {
    /// `Accept-Encoding` excludes every available coding.
    static let noAcceptableCoding = ProblemDetails(
        status: .notAcceptable, kind: "not-acceptable", title: "Not acceptable",
        detail: "Accept-Encoding excludes all available codings: br, gzip and identity.",
        fields: [.vary: "accept-encoding"])
}
