public import HTTPModel

/// A response as received.
public struct HTTPTestResponse: Sendable {
    /// The version in the status line, such as `HTTP/1.1`.
    public let version: String
    /// The status code.
    public let status: Int
    /// The reason phrase.
    public let reason: String
    /// The header fields.
    public let fields: HTTPFields
    /// The content, without chunked coding.
    public internal(set) var body: [UInt8] = []

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The last component of a problem's type, such as `malformed-request`, or `nil` if the content is not a problem.
    public var problemKind: String? {
        guard fields.value(.contentType, equalsIgnoringCase: "application/problem+json") else { return nil }
        let start = "\"type\":\"/problems/"
        guard let range = text.firstRange(of: start) else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "\"" })
    }

    /// Parses a head without the empty line at its end.
    init(head: String) throws {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasPrefix("HTTP/"), let status = Int(parts[1]), parts[1].utf8.count == 3 else {
            throw HTTPTestError("expected a status line, got \"\(head)\"")
        }
        version = String(parts[0])
        self.status = status
        reason = String(parts[2])
        var fields = HTTPFields()
        for line in lines {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = HTTPFieldName(String(pair[0])),
                let value = HTTPFieldValue(String(pair[1].drop { $0 == " " }))
            else { throw HTTPTestError("expected a header field, got \"\(line)\"") }
            fields.append(name, value)
        }
        self.fields = fields
    }
}

/// A failed expectation of a test client.
public struct HTTPTestError: Error, CustomStringConvertible, Sendable {
    /// The expected and the received value.
    public let description: String

    /// Creates an error with a description.
    public init(_ description: String) {
        self.description = description
    }
}
