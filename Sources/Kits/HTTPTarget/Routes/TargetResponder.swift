import HTTPModel

/// A responder for the fixed routes that conformance suites, load generators and scanners use.
final class TargetResponder: HTTPResponder {
    private let routes: [String: TargetRoute]
    private let slow: DelayedResponses
    private let feeds: EventFeeds

    init(loop: any EventLoop) {
        let slow = DelayedResponses(loop: loop)
        let feeds = EventFeeds(loop: loop)
        self.slow = slow
        self.feeds = feeds
        let document = TargetDocument()
        let all = [
            // Conformance suites send POST requests to `/`, so it returns the document for them, too.
            TargetRoute("/", [.get, .head, .post]) { .response(document.response(to: $0)) },
            TargetRoute("/echo", nil) { .response(Echo.response(to: $0)) },
            TargetRoute("/headers", [.get, .head]) { .response(FieldListing.response(to: $0)) },
            TargetRoute("/cookies", [.get, .head]) { .response(CookieJar.response(to: $0)) },
            TargetRoute("/slow", [.get, .head]) { request throws(ProblemDetails) in
                try slow.respond(to: request)
            },
            TargetRoute("/large", [.get, .head]) { request throws(ProblemDetails) in
                .response(try LargeBody.response(to: request))
            },
            TargetRoute("/events", [.get, .head]) { request throws(ProblemDetails) in
                .response(try feeds.response(to: request))
            },
        ]
        routes = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
    }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        if request.target == "*" { return .response(HTTPResponse(status: .noContent, fields: [.allow: "OPTIONS"])) }
        guard let route = routes[String(request.path)] else { return .response(TargetProblem.notFound.response) }
        do throws(ProblemDetails) {
            return try route.respond(to: request)
        } catch {
            return .response(error.response)
        }
    }

    func drain() {
        slow.drain()
        feeds.drain()
    }
}

/// A path, its methods, and its responses.
struct TargetRoute {
    let path: String
    private let methods: [HTTPMethod]?
    private let handler: (HTTPRequest) throws(ProblemDetails) -> HTTPAnswer

    /// Creates a route for some methods and `OPTIONS`, or for any method if `methods` is `nil`.
    init(
        _ path: String, _ methods: [HTTPMethod]?,
        respond: @escaping (HTTPRequest) throws(ProblemDetails) -> HTTPAnswer
    ) {
        self.path = path
        self.methods = methods
        handler = respond
    }

    /// Returns the response, or throws a problem with status 405 if the route does not support the method.
    func respond(to request: HTTPRequest) throws(ProblemDetails) -> HTTPAnswer {
        guard let methods, !methods.contains(request.method) else { return try handler(request) }
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        let fields: HTTPFields = HTTPFieldValue(allow).map { [.allow: $0] } ?? [:]
        if request.method == .options { return .response(HTTPResponse(status: .noContent, fields: fields)) }
        throw TargetProblem.methodNotAllowed(path, allow: allow, fields: fields)
    }
}
