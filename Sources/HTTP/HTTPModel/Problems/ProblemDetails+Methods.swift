extension ProblemDetails {
    /// The problem for a request whose method a resource does not support (RFC 9110 §15.5.6).
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - allow: The methods that the resource supports, as in `Allow`.
    package static func methodNotAllowed(_ method: HTTPMethod, allow: HTTPFieldValue) -> ProblemDetails {
        ProblemDetails(
            status: .methodNotAllowed, kind: "method-not-allowed", title: "Method not allowed",
            detail: "Expected one of \(allow.string), got \(method.rawValue).", fields: [.allow: allow])
    }
}
