import HTTPModel
import StateCapture

/// A request for the admin interface that one of its operations can perform.
struct AdminRequest: Sendable {
    let operation: AdminOperation
    /// The decoded parameters of the path, by name.
    private let path: [String: String]
    /// The decoded parameters of the query, by name.
    private let query: [String: String]
    let body: [UInt8]

    /// Returns whether a path belongs to the admin interface.
    static func isAdmin(_ path: Substring) -> Bool {
        path == AdminOperation.root || path.hasPrefix("\(AdminOperation.root)/")
    }

    /// Finds the operation of a request.
    ///
    /// - Throws: The problem of a path, method, parameter or content type that no operation has.
    init(_ request: HTTPRequest) throws(ProblemDetails) {
        let segments = try AdminRequest.segments(of: request.path)
        let candidates = AdminOperation.allCases.filter { AdminRequest.match(segments, $0) != nil }
        guard !candidates.isEmpty else {
            throw .missing(
                "The admin interface has no such path. GET \(AdminOperation.root)/openapi.json describes it.")
        }
        let method: HTTPMethod = request.method == .head ? .get : request.method
        guard let operation = candidates.first(where: { $0.method == method }),
            let path = AdminRequest.match(segments, operation)
        else {
            let allowed = candidates.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
            throw .methodNotAllowed(
                request.method, allow: HTTPFieldValue(allowed.joined(separator: ", ")) ?? "GET")
        }
        self.operation = operation
        self.path = path
        query = try AdminRequest.parameters(of: request, operation)
        body = request.body
        guard !body.isEmpty else { return }
        let type = request.fields.value(.contentType)?.split(separator: ";").first.map { $0.lowercased() }
        // A form of another site cannot send this type.
        guard type?.filter({ $0 != " " }) == "application/json" else {
            throw ProblemDetails(
                status: .unsupportedMediaType, kind: "unsupported-media-type", title: "Unsupported media type",
                detail: "Expected Content-Type: application/json, got \(type ?? "none").")
        }
        try request.requireNoCoding()
    }

    // Paths.
    private static func segments(of path: Substring) throws(ProblemDetails) -> [String] {
        var decoded: [String] = []
        for part in path.dropFirst(AdminOperation.root.count).split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = PercentEncoding.decode(part) else {
                throw .malformed("The path has an escape that is not UTF-8.")
            }
            decoded.append(text)
        }
        return Array(decoded.dropFirst())
    }

    /// Returns the parameters of a path; nil if it is not that of an operation.
    private static func match(_ segments: [String], _ operation: AdminOperation) -> [String: String]? {
        let template = operation.path.split(separator: "/")
        guard template.count == segments.count else { return nil }
        var found: [String: String] = [:]
        for (part, segment) in zip(template, segments) {
            if part.hasPrefix("{") {
                guard !segment.isEmpty else { return nil }
                found[String(part.dropFirst().dropLast())] = segment
            } else if part != segment {
                return nil
            }
        }
        return found
    }

    // Parameters.
    private static func parameters(
        of request: HTTPRequest, _ operation: AdminOperation
    ) throws(ProblemDetails) -> [String: String] {
        var found: [String: String] = [:]
        for pair in request.query?.split(separator: "&") ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { throw .malformed("The query has an escape that is not UTF-8.") }
            guard operation.query.contains(where: { $0.name == name }) else {
                let names = operation.query.map(\.name).joined(separator: ", ")
                throw .malformed(
                    "Expected \(names.isEmpty ? "no parameters" : "one of \(names)"), got \"\(name.prefix(80))\".")
            }
            guard found.updateValue(value, forKey: name) == nil else {
                throw .malformed("Expected the parameter \"\(name)\" once, got it twice.")
            }
        }
        return found
    }

    func path(_ name: String) -> String { path[name] ?? "" }

    /// Returns a parameter of the query; nil if it is missing or empty.
    func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a number of the query; nil if it is missing.
    func number(_ name: String, in range: ClosedRange<UInt64>) throws(ProblemDetails) -> UInt64? {
        guard let text = text(name) else { return nil }
        return try AdminRequest.number(text, name, in: range)
    }

    func version() throws(ProblemDetails) -> UInt64 {
        try AdminRequest.number(path("version"), "version", in: 0...UInt64.max)
    }

    private static func number(
        _ text: String, _ name: String, in range: ClosedRange<UInt64>
    ) throws(ProblemDetails) -> UInt64 {
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt64(text), range.contains(number)
        else {
            let upper = range.upperBound == .max ? "" : " up to \(range.upperBound)"
            throw .malformed(
                "Expected a whole number from \(range.lowerBound)\(upper) as \(name), got \"\(text.prefix(80))\".")
        }
        return number
    }

    /// Whether the operator asks for values.
    func revealsValues() throws(ProblemDetails) -> Bool {
        switch text("values") {
        case nil, "hidden": return false
        case "shown": return true
        case let other?: throw .malformed("Expected shown or hidden as values, got \"\(other.prefix(80))\".")
        }
    }

    /// The members of the body; empty if there is no body.
    ///
    /// - Throws: The problem of a body that is not an object with the members of the operation.
    func members() throws(ProblemDetails) -> [String: StateValue] {
        guard !body.isEmpty else { return [:] }
        guard let value = try? StateValue(json: body) else {
            throw ProblemDetails(
                status: .badRequest, kind: "malformed-json", title: "Malformed JSON",
                detail: "Expected a JSON object, got text that is not JSON.")
        }
        guard case .object(let members) = value else { throw .unexpected("Expected a JSON object, got another value.") }
        let known = operation.body?.map(\.name) ?? []
        for name in members.keys.sorted() where !known.contains(name) {
            throw .unexpected(
                "Expected \(known.isEmpty ? "no members" : "the members \(known.joined(separator: ", "))"), got "
                    + "\"\(name.prefix(80))\".")
        }
        return members
    }
}

extension ProblemDetails {
    static func missing(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .notFound, kind: "not-found", title: "Not found", detail: detail)
    }

    static func malformed(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, kind: "malformed-request", title: "Malformed request", detail: detail)
    }

    static func unexpected(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .unprocessableContent, kind: "invalid-value", title: "Invalid value", detail: detail)
    }
}
