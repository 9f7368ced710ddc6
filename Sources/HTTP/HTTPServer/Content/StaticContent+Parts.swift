import HTTPModel

// Partial responses (RFC 9110 §15.3.7).
extension StaticContent {
    /// Returns 206 with a single part, or with several parts in a multipart message (§14.6).
    func partialContent(_ parts: [Range<Int>], of chosen: Representation) -> HTTPResponse {
        var fields = chosen.fields
        if parts.count == 1 {
            fields.append(.contentRange, StaticContent.contentRange(parts[0], of: chosen))
            return HTTPResponse(status: .partialContent, fields: fields, body: .bytes(Array(chosen.bytes[parts[0]])))
        }
        // Random, so that content cannot contain it on purpose, and long enough that no content contains it by chance.
        let boundary = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        fields[.contentType] = HTTPFieldValue("multipart/byteranges; boundary=\(boundary)")
        return HTTPResponse(
            status: .partialContent, fields: fields, body: .bytes(multipart(parts, of: chosen, boundary)))
    }

    private func multipart(_ parts: [Range<Int>], of chosen: Representation, _ boundary: String) -> [UInt8] {
        var body: [UInt8] = []
        for part in parts {
            let head =
                "\r\n--\(boundary)\r\ncontent-type: \(contentType.string)\r\n"
                + "content-range: \(StaticContent.contentRange(part, of: chosen).string)\r\n\r\n"
            body.append(contentsOf: head.utf8)
            body.append(contentsOf: chosen.bytes[part])
        }
        body.append(contentsOf: "\r\n--\(boundary)--\r\n".utf8)
        return body
    }

    private static func contentRange(_ part: Range<Int>, of chosen: Representation) -> HTTPFieldValue {
        HTTPFieldValue("bytes \(part.lowerBound)-\(part.upperBound - 1)/\(chosen.bytes.count)") ?? ""
    }
}

extension ProblemDetails {
    static let preconditionFailed = ProblemDetails(
        status: .preconditionFailed, kind: "precondition-failed", title: "Precondition failed",
        detail: "If-Match does not match the current content of this path.")

    /// States the length of the content, so that the client can send a corrected request (RFC 9110 §15.5.17).
    static func rangeNotSatisfiable(length: Int) -> ProblemDetails {
        var fields = HTTPFields()
        fields.append(.contentRange, HTTPFieldValue("bytes */\(length)") ?? "")
        return ProblemDetails(
            status: .rangeNotSatisfiable, kind: "range-not-satisfiable", title: "Range not satisfiable",
            detail: "Expected a range within the \(length) bytes of the content.", fields: fields)
    }
}
