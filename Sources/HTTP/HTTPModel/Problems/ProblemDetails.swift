import JSONText

/// An error in the form that clients receive: `application/problem+json` (RFC 9457).
public struct ProblemDetails: Error, Equatable, Sendable {
    /// One of several errors.
    public struct Item: Equatable, Sendable {
        /// The location, as a JSON Pointer (RFC 6901).
        public var pointer: String
        /// The expected and the received value.
        public var detail: String

        /// Creates an error at a location.
        public init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }

    /// The status of the response.
    public var status: HTTPStatus
    /// The last component of the type, `/problems/{kind}`: lower-case words with hyphens.
    public var kind: String
    /// The title, which is the same for all problems of a kind.
    public var title: String
    /// The expected value, the received value and the place. Contains no secrets and no internals.
    public var detail: String
    /// The individual errors, if there are several.
    public var errors: [Item]
    /// Additional members, in order, such as `version` or `incident`.
    public var members: [(name: String, value: Member)]
    /// Fields of the response in addition to its content type, such as `Allow` or `Retry-After`.
    public var fields: HTTPFields

    /// The value of an additional member.
    public enum Member: Equatable, Sendable {
        /// A JSON number.
        case number(Int)
        /// A JSON string.
        case string(String)
    }

    /// Creates a problem from its parts.
    public init(
        status: HTTPStatus, kind: String, title: String, detail: String, errors: [Item] = [],
        members: [(name: String, value: Member)] = [], fields: HTTPFields = HTTPFields()
    ) {
        self.status = status
        self.kind = kind
        self.title = title
        self.detail = detail
        self.errors = errors
        self.members = members
        self.fields = fields
    }

    /// Returns whether both have the same encoded form.
    public static func == (left: ProblemDetails, right: ProblemDetails) -> Bool {
        left.status == right.status && left.json == right.json && left.fields == right.fields
    }

    /// The problem as a JSON object.
    public var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(contentsOf: "{\"type\":".utf8)
        JSONWriter.append("/problems/\(kind)", to: &bytes)
        bytes.append(contentsOf: ",\"title\":".utf8)
        JSONWriter.append(title, to: &bytes)
        bytes.append(contentsOf: ",\"status\":\(status.code),\"detail\":".utf8)
        JSONWriter.append(detail, to: &bytes)
        if !errors.isEmpty { appendErrors(to: &bytes) }
        for (name, value) in members {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch value {
            case .number(let number): bytes.append(contentsOf: String(number).utf8)
            case .string(let text): JSONWriter.append(text, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The response with this problem. Its `nosniff` field is needed because the text may repeat a part of the request,
    /// which a browser must not interpret as anything but JSON.
    public var response: HTTPResponse {
        var all: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
        all.append(fields)
        return HTTPResponse(status: status, fields: all, body: .bytes(json))
    }

    private func appendErrors(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: ",\"errors\":[".utf8)
        for (index, item) in errors.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: "{\"pointer\":".utf8)
            JSONWriter.append(item.pointer, to: &bytes)
            bytes.append(contentsOf: ",\"detail\":".utf8)
            JSONWriter.append(item.detail, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
