import HTTPModel

/// The problems that the routes report.
enum TargetProblem {
    static let notFound = ProblemDetails(
        status: .notFound, kind: "not-found", title: "Not found",
        detail: "The available paths are /, /echo, /headers, /cookies, /slow, /large and /events.")

    static func methodNotAllowed(_ path: String, allow: String, fields: HTTPFields) -> ProblemDetails {
        ProblemDetails(
            status: .methodNotAllowed, kind: "method-not-allowed", title: "Method not allowed",
            detail: "\(path) supports \(allow).", fields: fields)
    }

    static func parameter(_ name: String, expects: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, kind: "malformed-request", title: "Malformed request",
            detail: "The query parameter \(name) must be \(expects).")
    }
}

extension HTTPRequest {
    /// Returns a number from the query, or the default if the query does not contain the parameter.
    func number(_ name: String, in range: ClosedRange<Double>, default: Double) throws(ProblemDetails) -> Double {
        guard let text = queryValue(name) else { return `default` }
        guard let number = Double(text), range.contains(number) else {
            throw TargetProblem.parameter(name, expects: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns an integer from the query, or the default if the query does not contain the parameter.
    func count(_ name: String, in range: ClosedRange<Int>, default: Int) throws(ProblemDetails) -> Int {
        guard let text = queryValue(name) else { return `default` }
        guard let number = Int(text), range.contains(number) else {
            throw TargetProblem.parameter(
                name, expects: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
