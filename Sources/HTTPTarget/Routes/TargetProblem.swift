import HTTPModel

/// What the routes refuse.
enum TargetProblem {
    static let notFound = ProblemDetails(
        status: .notFound, kind: "not-found", title: "There is nothing at this target",
        detail: "There are /, /echo, /headers, /cookies, /slow, /large and /events.")

    static func methodNotAllowed(_ path: String, allow: String, fields: HTTPFields) -> ProblemDetails {
        ProblemDetails(
            status: .methodNotAllowed, kind: "method-not-allowed", title: "The target takes other methods",
            detail: "\(path) takes \(allow).", fields: fields)
    }

    static func parameter(_ name: String, expects: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, kind: "malformed-request", title: "The request cannot be read",
            detail: "\(name) is \(expects).")
    }
}

extension HTTPRequest {
    /// A number of the query within bounds, or the default where the query does not name it.
    func number(_ name: String, in range: ClosedRange<Double>, default: Double) throws(ProblemDetails) -> Double {
        guard let text = queryValue(name) else { return `default` }
        guard let number = Double(text), range.contains(number) else {
            throw TargetProblem.parameter(name, expects: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number of the query within bounds, or the default where the query does not name it.
    func count(_ name: String, in range: ClosedRange<Int>, default: Int) throws(ProblemDetails) -> Int {
        guard let text = queryValue(name) else { return `default` }
        guard let number = Int(text), range.contains(number) else {
            throw TargetProblem.parameter(
                name, expects: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
