import HTTPCompression
public import HTTPModel

/// Content that stays the same as long as the server runs, answered from memory: compressed once, tagged by what is in it,
/// in parts where a client asks for parts.
///
/// An answer shares the content and the fields that are kept here; nothing is copied but a part of it.
public struct StaticContent: Sendable {
    /// How long clients may use what they have without asking.
    public enum Freshness: Hashable, Sendable {
        /// They ask each time, and get 304 while it is the same.
        case revalidated
        /// For a year: at this path there will never be anything else, since its name is made of its content.
        case immutable

        var cacheControl: HTTPFieldValue {
            switch self {
            case .revalidated: "no-cache"
            case .immutable: "public, max-age=31536000, immutable"
            }
        }
    }

    /// The content in one coding, or in none.
    struct Representation: Sendable {
        let coding: ContentCoding?
        let bytes: [UInt8]
        let tag: HTTPEntityTag
        /// The fields of 304: those that caches go by.
        let basicFields: HTTPFields
        /// The fields of 200.
        let fields: HTTPFields
    }

    /// The methods that it takes.
    static let allowed: HTTPFieldValue = "GET, HEAD, OPTIONS"

    let contentType: HTTPFieldValue
    /// What answers have with any freshness.
    private let commonFields: HTTPFields
    private let identity: Representation
    /// In the order in which they are offered.
    private let coded: [Representation]

    /// Content of that type. Compressed here and now, with the greatest effort, if its type is one that compresses: about a
    /// second for each megabyte. `fields` are those that its answers have beside the ones made here.
    public init(
        _ content: [UInt8], contentType: HTTPFieldValue, freshness: Freshness = .revalidated,
        fields: HTTPFields = HTTPFields()
    ) {
        self.contentType = contentType
        var coded: [(ContentCoding, [UInt8])] = []
        if CompressibleType.contains(contentType.string) {
            coded = [.brotli, .gzip].map { ($0, ContentEncoder.encode(content, $0, settings: .smallest)) }
                // What saves less than a tenth is not worth being undone.
                .filter { $0.1.count < content.count / 10 * 9 }
        }
        var basic = fields
        if !coded.isEmpty { basic.append(.vary, "accept-encoding") }
        commonFields = basic
        basic.append(.cacheControl, freshness.cacheControl)
        identity = Representation(content, nil, contentType: contentType, basic)
        self.coded = coded.map { Representation($0.1, $0.0, contentType: contentType, basic) }
    }

    /// The same content for another path, where clients may use it for longer or less long. Nothing is compressed anew.
    public func kept(_ freshness: Freshness) -> StaticContent {
        var basic = commonFields
        basic.append(.cacheControl, freshness.cacheControl)
        return StaticContent(self, basicFields: basic)
    }

    private init(_ other: StaticContent, basicFields: HTTPFields) {
        contentType = other.contentType
        commonFields = other.commonFields
        identity = Representation(other.identity.bytes, nil, contentType: other.contentType, basicFields)
        coded = other.coded.map { Representation($0.bytes, $0.coding, contentType: other.contentType, basicFields) }
    }

    /// A name's part that says what is in the content: another for other content.
    public static func fingerprint(of content: [UInt8]) -> String {
        String(content.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }, radix: 36)
    }

    /// The answer to a request for it: the whole, parts (RFC 9110 §14), 304 or 412 where the request has conditions (§13),
    /// 405 to methods other than GET, HEAD and OPTIONS.
    public func response(to request: HTTPRequest) -> HTTPResponse {
        switch request.method {
        case .get, .head: break
        case .options: return HTTPResponse(status: .noContent, fields: [.allow: StaticContent.allowed])
        default:
            return ProblemDetails(
                status: .methodNotAllowed, kind: "method-not-allowed", title: "The target takes other methods",
                detail: "It takes \(StaticContent.allowed.string), \(request.method.rawValue) came.",
                fields: [.allow: StaticContent.allowed]
            ).response
        }
        guard let chosen = representation(for: request.fields) else {
            return ProblemDetails.noAcceptableCoding.response
        }
        switch Precondition(request.fields, tag: chosen.tag, isRead: true) {
        case .holds: return content(of: chosen, for: request)
        case .notModified: return HTTPResponse(status: .notModified, fields: chosen.basicFields)
        case .failed: return ProblemDetails.preconditionFailed.response
        }
    }

    /// The representation that the client wants most; `nil` where it takes none that there is.
    private func representation(for fields: HTTPFields) -> Representation? {
        let preferences = CodingPreferences(fields)
        if let coding = preferences.choose(from: coded.compactMap(\.coding)) {
            return coded.first { $0.coding == coding }
        }
        return preferences.takesIdentity ? identity : nil
    }

    private func content(of chosen: Representation, for request: HTTPRequest) -> HTTPResponse {
        guard request.method == .get, let ranges = ranges(of: chosen, request.fields) else {
            return HTTPResponse(status: .ok, fields: chosen.fields, body: .bytes(chosen.bytes))
        }
        switch ranges {
        case .whole: return HTTPResponse(status: .ok, fields: chosen.fields, body: .bytes(chosen.bytes))
        case .unsatisfiable: return ProblemDetails.rangeNotSatisfiable(length: chosen.bytes.count).response
        case .parts(let parts): return partialContent(parts, of: chosen)
        }
    }

    /// What is asked for in parts; `nil` where `If-Range` says that the client has parts of something else.
    private func ranges(of chosen: Representation, _ fields: HTTPFields) -> ByteRanges? {
        guard fields.count(of: .range) == 1, let text = fields.value(.range) else { return nil }
        if let condition = fields.value(.ifRange) {
            // A date is the date of nothing here.
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
        guard let tag = HTTPEntityTag(StaticContent.fingerprint(of: bytes)) else {
            preconditionFailure("digits and letters are a tag")
        }
        self.tag = tag
        var fields = basic
        fields.append(.eTag, tag.fieldValue)
        basicFields = fields
        fields.append(.contentType, contentType)
        fields.append(.acceptRanges, "bytes")
        if let coding { fields.append(.contentEncoding, coding.token) }
        self.fields = fields
    }
}
