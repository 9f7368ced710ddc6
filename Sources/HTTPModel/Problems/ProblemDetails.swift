import JSONText

/// An error as a client reads it: `application/problem+json` (RFC 9457).
public struct ProblemDetails: Error, Equatable, Sendable {
    /// One of several places that are wrong.
    public struct Item: Equatable, Sendable {
        /// Where, as a JSON Pointer (RFC 6901).
        public var pointer: String
        /// What was expected and what came.
        public var detail: String

        /// A place and what is wrong with it.
        public init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }

    /// The status that goes with it.
    public var status: HTTPStatus
    /// The last part of its type, `/problems/{kind}`: lower-case words with hyphens.
    public var kind: String
    /// The same for every problem of its kind.
    public var title: String
    /// What was expected and what came, naming the place; holds no secret and nothing internal.
    public var detail: String
    /// The places, where there are several.
    public var errors: [Item]
    /// More members, in order: `version`, `incident`.
    public var members: [(name: String, value: Member)]
    /// Fields that the answer has beside its content type: `Allow`, `Retry-After`.
    public var fields: HTTPFields

    /// The value of a further member.
    public enum Member: Equatable, Sendable {
        /// A JSON number.
        case number(Int)
        /// A JSON string.
        case string(String)
    }

    /// A problem from its parts.
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

    /// Equal if they would be written alike.
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

    /// The answer that carries it. A browser must not take its text, which may repeat a part of the request, for anything
    /// else than it is.
    public var response: HTTPResponse {
        var all: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
        fields.forEach { name, value in all.append(checkedName: name, checkedValue: value) }
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
