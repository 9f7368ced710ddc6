import Access
import HTTPModel

/// A stream that cannot be opened for the time being: over a limit, or while the server is overloaded.
///
/// An `EventSource` gives up permanently on every status other than 200, so the refusal is a stream that ends immediately with the
/// reason `busy`, and says when to return. A client that uses `fetch` can request the status instead: `Prefer: status`.
enum StreamRefusal {
    /// Returns whether the response to a request is a stream that ends, in place of a problem.
    static func applies(to problem: ProblemDetails, of request: HTTPRequest, _ route: Route) -> Bool {
        guard problem.status == .tooManyRequests || problem.status == .serviceUnavailable, request.method == .get,
            isForStream(request, route)
        else { return false }
        return !request.fields.prefers("status")
    }

    /// Returns a stream that ends with the reason `busy`.
    ///
    /// - Parameter milliseconds: The shortest time after which the client reconnects.
    static func response(to problem: ProblemDetails, retryAfter milliseconds: UInt64) -> HTTPResponse {
        assert(milliseconds > 0, "expected a time before the client reconnects, got \(milliseconds)")
        var body: [UInt8] = []
        // Clients that were refused together must not return together, and none too early.
        EndReason.busy.appendEvent(retry: .random(in: milliseconds...(milliseconds + milliseconds / 2)), to: &body)
        var response = HTTPResponse(status: .ok, fields: .eventStream, body: .bytes(body))
        for name in [HTTPFieldName.rateLimitPolicy, .rateLimit] {
            if let value = problem.fields[name] { response.fields.append(name, value) }
        }
        return response
    }

    private static func isForStream(_ request: HTTPRequest, _ route: Route) -> Bool {
        let preference = MediaPreference(request.fields.list(.accept))
        switch route {
        case .outputs: return preference.prefers("text/event-stream", to: "application/json")
        case .combinedOutputs: return preference.quality(of: "text/event-stream") > 0
        default: return false
        }
    }
}

extension HTTPFields {
    /// The fields of a response that is an event stream. A proxy that compresses it would hold events back.
    static let eventStream: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store, no-transform", .xAccelBuffering: "no",
    ]
}

extension SessionShard {
    /// Returns the response with a problem, or the stream that takes its place.
    func response(_ problem: ProblemDetails, to request: HTTPRequest, _ route: Route) -> HTTPResponse {
        guard StreamRefusal.applies(to: problem, of: request, route) else { return problem.response }
        let seconds = problem.fields.value(.retryAfter).flatMap { UInt64($0) } ?? 0
        let usual = UInt64(max(2, host.configuration.retry.wholeMilliseconds))
        return StreamRefusal.response(to: problem, retryAfter: max(usual, min(seconds, 86_400) * 1000))
    }
}
