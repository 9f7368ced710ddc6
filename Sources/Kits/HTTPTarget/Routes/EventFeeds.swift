import HTTPModel

/// `/events`: a stream of `?count=` events, one per `?interval=` seconds, which resumes after `Last-Event-ID`. Confined
/// to one loop.
final class EventFeeds {
    private struct Feed {
        // Weak, because a stream ends with its connection, which releases it.
        weak var events: NumberedEvents?
    }

    private static let retry = Duration.seconds(1)

    private let loop: any EventLoop
    private var present: [Feed] = []
    private var isDraining = false

    init(loop: any EventLoop) {
        self.loop = loop
    }

    func response(to request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        let interval = try request.number("interval", in: 0...10, default: 1)
        let last = try request.count("count", in: 1...1_000_000_000, default: 1_000_000_000)
        // An id outside the stream's range belongs to another stream, so this one starts from the beginning.
        let seen = request.fields.value(.lastEventID).flatMap { Int($0) }.flatMap { (0...last).contains($0) ? $0 : nil }
        if seen == last { return HTTPResponse(status: .noContent, fields: [.cacheControl: "no-store"]) }
        let events = NumberedEvents(
            after: seen ?? 0, upTo: last, every: .milliseconds(Int(interval * 1000)), retry: EventFeeds.retry,
            loop: loop)
        if isDraining { events.drain() }
        present.removeAll { $0.events == nil }
        present.append(Feed(events: events))
        return HTTPResponse(
            status: .ok,
            fields: [.contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            body: .stream(events))
    }

    func drain() {
        isDraining = true
        for feed in present { feed.events?.drain() }
        present = []
    }
}
