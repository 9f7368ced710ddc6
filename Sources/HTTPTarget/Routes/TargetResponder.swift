import HTTPModel

/// Answers the fixed routes that conformance suites, load generators and scanners are pointed at.
final class TargetResponder: HTTPResponder {
    private let routes: [String: TargetRoute]
    private let slow: SlowAnswers
    private let feeds: EventFeeds

    init(loop: any EventLoop) {
        let slow = SlowAnswers(loop: loop)
        let feeds = EventFeeds(loop: loop)
        self.slow = slow
        self.feeds = feeds
        let document = TargetDocument()
        let all = [
            // Suites send content to `/`, whatever there is to be read; it gets the same document.
            TargetRoute("/", [.get, .head, .post]) { .response(document.response(to: $0)) },
            TargetRoute("/echo", nil) { .response(Echo.response(to: $0)) },
            TargetRoute("/headers", [.get, .head]) { .response(FieldListing.response(to: $0)) },
            TargetRoute("/cookies", [.get, .head]) { .response(CookieJar.response(to: $0)) },
            TargetRoute("/slow", [.get, .head]) { request throws(ProblemDetails) in
                try slow.answer(to: request)
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
            return try route.answer(to: request)
        } catch {
            return .response(error.response)
        }
    }

    func drain() {
        slow.drain()
        feeds.drain()
    }
}

/// A path, the methods that it takes, and what it answers.
struct TargetRoute {
    /// Where it is found.
    let path: String
    private let methods: [HTTPMethod]?
    private let respond: (HTTPRequest) throws(ProblemDetails) -> HTTPAnswer

    /// A route for these methods and `OPTIONS`; for every method there is where none are named.
    init(
        _ path: String, _ methods: [HTTPMethod]?,
        respond: @escaping (HTTPRequest) throws(ProblemDetails) -> HTTPAnswer
    ) {
        self.path = path
        self.methods = methods
        self.respond = respond
    }

    /// The answer, or 405 where the path takes other methods.
    func answer(to request: HTTPRequest) throws(ProblemDetails) -> HTTPAnswer {
        guard let methods, !methods.contains(request.method) else { return try respond(request) }
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        let fields: HTTPFields = HTTPFieldValue(allow).map { [.allow: $0] } ?? [:]
        if request.method == .options { return .response(HTTPResponse(status: .noContent, fields: fields)) }
        throw TargetProblem.methodNotAllowed(path, allow: allow, fields: fields)
    }
}
