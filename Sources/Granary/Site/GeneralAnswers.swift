import HTTPModel

/// Answers that a request calls for whatever its target is (RFC 9110 §9).
enum GeneralAnswers {
    /// What some target or other takes.
    private static let allowed: HTTPFieldValue = "GET, HEAD, POST, DELETE, OPTIONS"

    /// The answer to a request about the server as a whole (`OPTIONS *`), and to a method that is none that is known here;
    /// `nil` for any other.
    static func response(to request: HTTPRequest) -> HTTPResponse? {
        switch request.method {
        case .post, .get, .head, .delete, .put, .patch, .trace, .connect: return nil
        case .options:
            return request.target == "*" ? HTTPResponse(status: .noContent, fields: [.allow: allowed]) : nil
        default:
            return ProblemDetails(
                status: .notImplemented, kind: "not-implemented",
                title: "The request needs something that this server does not have",
                detail: "The method \(request.method.rawValue) is not known here.", fields: [.allow: allowed]
            ).response
        }
    }
}
