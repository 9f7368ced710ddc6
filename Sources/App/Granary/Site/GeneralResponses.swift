import HTTPModel

/// Responses that do not depend on the target of the request (RFC 9110 §9).
enum GeneralResponses {
    /// The methods that at least one target supports.
    private static let allowed: HTTPFieldValue = "GET, HEAD, POST, DELETE, OPTIONS"

    /// Returns the response to `OPTIONS *` and to unknown methods, or `nil` for any other request.
    static func response(to request: HTTPRequest) -> HTTPResponse? {
        switch request.method {
        case .post, .get, .head, .delete, .put, .patch, .trace, .connect: return nil
        case .options:
            return request.target == "*" ? HTTPResponse(status: .noContent, fields: [.allow: allowed]) : nil
        default:
            return ProblemDetails(
                status: .notImplemented, kind: "not-implemented",
                title: "Not implemented",
                detail: "The server does not support the method \(request.method.rawValue).", fields: [.allow: allowed]
            ).response
        }
    }
}
