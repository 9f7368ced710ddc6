public import HTTPModel

/// Content that does not change while the server runs, served from memory. It is compressed once, has entity tags, and
/// supports range requests.
///
/// A response shares the stored bytes and fields. Only ranges are copied.
public struct StaticContent: Sendable {
    /// How long clients may use the content without revalidating it.
    public enum Freshness: Hashable, Sendable {
        /// Clients revalidate each time and get 304 while the content is the same.
        case revalidated
        /// Valid for a year: the path contains a fingerprint of the content, so it will never have other content.
        case immutable

        var cacheControl: HTTPFieldValue {
            switch self {
            case .revalidated: "no-cache"
            case .immutable: "public, max-age=31536000, immutable"
            }
        }
    }

    /// The content in one coding, or uncompressed.
    struct Representation: Sendable {
        let coding: ContentCoding?
        let bytes: [UInt8]
        let tag: HTTPEntityTag
        /// The fields of a 304 response: those that caches use.
        let basicFields: HTTPFields
        let fields: HTTPFields
    }

    static let allowed: HTTPFieldValue = "GET, HEAD, OPTIONS"

    let contentType: HTTPFieldValue
    /// The fields that do not depend on the freshness.
    private let commonFields: HTTPFields
    private let identity: Representation
    /// The compressed forms, in order of preference.
    private let compressed: [Representation]

    // The highest effort saves another tenth of the bytes, but takes 30 times as long, in which a starting server needs its
    // processors for the clients that reconnect.
    private static let effort = ContentEncoderSettings(windowBytes: 1 << 20)

    /// Creates content of a given type. Compressible content is compressed immediately, which takes about 100 ms per
    /// megabyte. `fields` are added to the fields of every response.
    public init(
        _ content: [UInt8], contentType: HTTPFieldValue, freshness: Freshness = .revalidated,
        fields: HTTPFields = HTTPFields()
    ) {
        self.contentType = contentType
        var compressed: [(ContentCoding, [UInt8])] = []
        if CompressibleType.contains(contentType.string) {
            compressed = [.brotli, .gzip].map {
                ($0, ContentEncoder.encode(content, $0, settings: StaticContent.effort))
            }
            // Less than a tenth saved is not worth decompressing.
            .filter { $0.1.count < content.count / 10 * 9 }
        }
        var basic = fields
        if !compressed.isEmpty { basic.append(.vary, "accept-encoding") }
        commonFields = basic
        basic.append(.cacheControl, freshness.cacheControl)
        identity = Representation(content, nil, contentType: contentType, basic)
        self.compressed = compressed.map { Representation($0.1, $0.0, contentType: contentType, basic) }
    }

    /// Returns the same content with another freshness, for another path. Nothing is compressed again.
    public func kept(_ freshness: Freshness) -> StaticContent {
        var basic = commonFields
        basic.append(.cacheControl, freshness.cacheControl)
        return StaticContent(self, basicFields: basic)
    }

    private init(_ other: StaticContent, basicFields: HTTPFields) {
        contentType = other.contentType
        commonFields = other.commonFields
        identity = Representation(other.identity.bytes, nil, contentType: other.contentType, basicFields)
        compressed = other.compressed.map {
            Representation($0.bytes, $0.coding, contentType: other.contentType, basicFields)
        }
    }

    /// Returns a fingerprint of the content for use in a path or a tag.
    public static func fingerprint(of content: [UInt8]) -> String {
        HTTPEntityTag(fingerprintOf: content).opaque
    }

    /// Returns the response to a request: 200, 206 for ranges (RFC 9110 §14), 304 or 412 for conditions (§13), or 405
    /// for methods other than GET, HEAD and OPTIONS.
    public func response(to request: HTTPRequest) -> HTTPResponse {
        switch request.method {
        case .get, .head: break
        case .options: return HTTPResponse(status: .noContent, fields: [.allow: StaticContent.allowed])
        default:
            return ProblemDetails.methodNotAllowed(request.method, allow: StaticContent.allowed).response
        }
        // Chosen before the conditions: they refer to the selected representation (RFC 9110 §13.1), whose tag depends
        // on the coding.
        guard let chosen = representation(for: request.fields) else {
            return ProblemDetails.noAcceptableCoding.response
        }
        switch Precondition(request.fields, tag: chosen.tag, isRead: true) {
        case .holds: return content(of: chosen, for: request)
        case .notModified: return HTTPResponse(status: .notModified, fields: chosen.basicFields)
        case .failed: return ProblemDetails.preconditionFailed.response
        }
    }

    /// Returns the representation that the client prefers, or `nil` if it accepts none of them.
    private func representation(for fields: HTTPFields) -> Representation? {
        let preferences = CodingPreferences(fields)
        if let coding = preferences.choose(from: compressed.compactMap(\.coding)) {
            return compressed.first { $0.coding == coding }
        }
        return preferences.takesIdentity ? identity : nil
    }

    private func content(of chosen: Representation, for request: HTTPRequest) -> HTTPResponse {
        // RFC 9110 §14.2: a range is ignored for all methods other than GET.
        guard request.method == .get, let ranges = ranges(of: chosen, request.fields) else {
            return HTTPResponse(status: .ok, fields: chosen.fields, body: .bytes(chosen.bytes))
        }
        switch ranges {
        case .whole: return HTTPResponse(status: .ok, fields: chosen.fields, body: .bytes(chosen.bytes))
        case .unsatisfiable: return ProblemDetails.rangeNotSatisfiable(length: chosen.bytes.count).response
        case .parts(let parts): return partialContent(parts, of: chosen)
        }
    }

    /// Returns the requested ranges, or `nil` if `If-Range` names other content.
    private func ranges(of chosen: Representation, _ fields: HTTPFields) -> ByteRanges? {
        // `Range` is not a list field. Several of them are invalid, and an invalid one is ignored.
        guard fields.count(of: .range) == 1, let text = fields.value(.range) else { return nil }
        if let condition = fields.value(.ifRange) {
            // The content has no date, so a date in `If-Range` never matches (RFC 9110 §13.1.5).
            guard let tag = HTTPEntityTag(fieldValue: condition), tag.matchesStrongly(chosen.tag) else { return nil }
        }
        return ByteRanges(text, length: chosen.bytes.count)
    }
}

extension StaticContent.Representation {
    fileprivate init(
        _ bytes: [UInt8], _ coding: ContentCoding?, contentType: HTTPFieldValue, _ basic: HTTPFields
    ) {
        self.bytes = bytes
        self.coding = coding
        tag = HTTPEntityTag(fingerprintOf: bytes)
        var fields = basic
        fields.append(.eTag, tag.fieldValue)
        basicFields = fields
        fields.append(.contentType, contentType)
        fields.append(.acceptRanges, "bytes")
        if let coding { fields.append(.contentEncoding, coding.token) }
        self.fields = fields
    }
}
