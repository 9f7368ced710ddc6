import HTTPModel

/// A file of the page, as it is served.
struct SiteFile: Sendable {
    /// The path at which it is found.
    let path: String
    private let content: [UInt8]
    private let contentType: HTTPFieldValue
    private let eTag: String

    init(path: String, contentType: HTTPFieldValue, content: [UInt8]) {
        self.path = path
        self.content = content
        self.contentType = contentType
        eTag = "\"\(String(Self.fingerprint(content), radix: 36))\""
    }

    /// The answer to a GET or HEAD: the file, or 304 where the client has it.
    func response(to request: HTTPRequest) -> HTTPResponse {
        var fields: HTTPFields = [
            .cacheControl: "no-cache", .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
            .contentSecurityPolicy: Self.policy,
        ]
        if let value = HTTPFieldValue(eTag) { fields.append(.eTag, value) }
        if Self.names(request.fields.values(.ifNoneMatch), eTag) {
            return HTTPResponse(status: .notModified, fields: fields)
        }
        fields.append(.contentType, contentType)
        return HTTPResponse(status: .ok, fields: fields, body: .bytes(content))
    }

    /// Only what this server serves, nothing inline, in no one's frame.
    private static let policy: HTTPFieldValue =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Whether an `If-None-Match` names the tag or is `*` (RFC 9110 §13.1.2); the comparison is the weak one.
    private static func names(_ fields: [String], _ tag: String) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { item in
            let candidate = item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return candidate == "*" || candidate == tag || candidate == "W/\(tag)"
        }
    }

    /// 64 bits of FNV-1a: enough to tell two builds of a file apart, which is all that the tag is for.
    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    }
}
