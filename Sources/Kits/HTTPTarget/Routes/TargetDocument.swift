import HTTPModel

/// The document at `/`: 2,048 bytes of text, the same in every run.
struct TargetDocument {
    let content: [UInt8]
    private let eTag: HTTPFieldValue = "\"2048\""

    init() {
        // 32 lines of 64 bytes, including line feeds.
        content = (1...32).flatMap { number in
            let start = "\(number < 10 ? "0" : "")\(number) of 32 lines of 64 bytes each, of which this is one "
            return Array(start.utf8) + Array(repeating: UInt8(ascii: "."), count: 63 - start.utf8.count) + [0x0A]
        }
    }

    /// Returns the document, or the response that the request's preconditions (RFC 9110 §13.1) require.
    func response(to request: HTTPRequest) -> HTTPResponse {
        var fields: HTTPFields = [.eTag: eTag, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff"]
        let isRead = request.method == .get || request.method == .head
        if request.fields.contains(.ifMatch), !names(request.fields.values(.ifMatch), weakly: false) {
            return HTTPResponse(status: .preconditionFailed, fields: fields)
        }
        if request.fields.contains(.ifNoneMatch), names(request.fields.values(.ifNoneMatch), weakly: true) {
            guard isRead else { return HTTPResponse(status: .preconditionFailed, fields: fields) }
            return HTTPResponse(status: .notModified, fields: fields)
        }
        fields.append(.contentType, "text/plain; charset=utf-8")
        return HTTPResponse(status: .ok, fields: fields, body: .bytes(content))
    }

    /// Returns whether one of the tags in the lists is `*` or the document's tag.
    private func names(_ lists: [String], weakly: Bool) -> Bool {
        // The document's tag contains no comma, so splitting the lists at commas cannot produce a false match.
        lists.flatMap { $0.split(separator: ",") }.contains { item in
            let tag = item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == eTag.string || weakly && tag == "W/\(eTag.string)"
        }
    }
}
