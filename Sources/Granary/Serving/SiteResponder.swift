import Access
import HTTPModel

/// Responds to requests for the site and forwards all others to the next responder. A listener for operators serves
/// neither the site nor sessions, but only health and metrics.
final class SiteResponder: HTTPResponder {
    private static let healthPaths: Set<Substring> = ["/health/live", "/health/ready"]
    private static let operatorPaths = healthPaths.union(["/metrics"])

    private let site: Site
    private let next: any HTTPResponder
    private let servesPublicHealth: Bool
    /// Resolves the clients of trusted proxies; nil if no proxy is trusted.
    private let forwarding: ForwardedClient?

    init(
        site: Site, next: any HTTPResponder, servesPublicHealth: Bool = true, forwarding: ForwardedClient? = nil
    ) {
        self.site = site
        self.next = next
        self.servesPublicHealth = servesPublicHealth
        self.forwarding = forwarding
    }

    func placement(of request: HTTPRequest) -> Int? {
        // Requests on a listener for operators concern no session, so any loop can respond to them.
        request.peer.role == .public ? next.placement(of: request) : nil
    }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        if let refusal = refusal(of: request) { return .response(refusal.response) }
        if request.peer.role == .public, let response = site.response(to: request) { return .response(response) }
        return next.respond(to: forwarding?.resolved(request) ?? request)
    }

    func drain() {
        next.drain()
    }

    /// Returns the problem of a request that its listener does not serve, or `nil` if it does.
    private func refusal(of request: HTTPRequest) -> ProblemDetails? {
        switch request.peer.role {
        case .public:
            guard !servesPublicHealth, SiteResponder.healthPaths.contains(request.path) else { return nil }
            return .notFound("There is no resource at this path.")
        case .admin:
            guard !SiteResponder.operatorPaths.contains(request.path) else { return nil }
            let paths = SiteResponder.healthPaths.sorted().joined(separator: " and ")
            return .notFound("This listener is for operators: it serves only \(paths).")
        }
    }
}

extension ProblemDetails {
    fileprivate static func notFound(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .notFound, kind: "not-found", title: "Not found", detail: detail)
    }
}
