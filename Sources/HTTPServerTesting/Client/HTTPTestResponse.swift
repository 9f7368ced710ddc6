public import HTTPModel

/// A response as it came over the wire.
public struct HTTPTestResponse: Sendable {
    /// The version that the server speaks: `HTTP/1.1`.
    public let version: String
    /// The three digits.
    public let status: Int
    /// The words behind them.
    public let reason: String
    /// The header fields.
    public let fields: HTTPFields
    /// The content, chunks undone.
    public internal(set) var body: [UInt8] = []

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The last part of a problem's type, `malformed-request`; `nil` where the content is no problem.
    public var problemKind: String? {
        guard fields.value(.contentType, equalsIgnoringCase: "application/problem+json") else { return nil }
        let start = "\"type\":\"/problems/"
        guard let range = text.firstRange(of: start) else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "\"" })
    }

    /// Reads a head without the empty line behind it.
    init(head: String) throws {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasPrefix("HTTP/"), let status = Int(parts[1]), parts[1].utf8.count == 3 else {
            throw HTTPTestError("\"\(head)\" does not start with a status line")
        }
        version = String(parts[0])
        self.status = status
        reason = String(parts[2])
        var fields = HTTPFields()
        for line in lines {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = HTTPFieldName(String(pair[0])),
                let value = HTTPFieldValue(String(pair[1].drop { $0 == " " }))
            else { throw HTTPTestError("\"\(line)\" is no header field") }
            fields.append(name, value)
        }
        self.fields = fields
    }
}

/// What a test expected of the wire and did not get.
public struct HTTPTestError: Error, CustomStringConvertible, Sendable {
    /// What was expected and what came.
    public let description: String

    /// An error with its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
