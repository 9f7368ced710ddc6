import HTTPModel

/// Answers for the site itself and leaves every other request to the responder behind it. On a listener for operators there
/// is neither a site nor a session: what is left are the routes that operators ask for.
final class SiteResponder: HTTPResponder {
    private static let healthPaths: Set<Substring> = ["/health/live", "/health/ready"]
    private static let operatorPaths = healthPaths.union(["/metrics"])

    private let site: Site
    private let next: any HTTPResponder
    private let tellsPublicOfHealth: Bool

    init(site: Site, next: any HTTPResponder, tellsPublicOfHealth: Bool = true) {
        self.site = site
        self.next = next
        self.tellsPublicOfHealth = tellsPublicOfHealth
    }

    func placement(of request: HTTPRequest) -> Int? {
        request.peer.role == .public ? next.placement(of: request) : nil
    }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        if let refusal = refusal(of: request) { return .response(refusal.response) }
        if request.peer.role == .public, let response = site.response(to: request) { return .response(response) }
        return next.respond(to: request)
    }

    func drain() {
        next.drain()
    }

    /// Why a request is not for the listener that it came to; nil if it is.
    private func refusal(of request: HTTPRequest) -> ProblemDetails? {
        switch request.peer.role {
        case .public:
            guard !tellsPublicOfHealth, SiteResponder.healthPaths.contains(request.path) else { return nil }
            return .notHere("There is nothing at this path.")
        case .admin:
            guard !SiteResponder.operatorPaths.contains(request.path) else { return nil }
            let paths = SiteResponder.healthPaths.sorted().joined(separator: " and ")
            return .notHere("This listener is for operators: it answers \(paths), and has no sessions.")
        }
    }
}

extension ProblemDetails {
    fileprivate static func notHere(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .notFound, kind: "not-found", title: "Not found", detail: detail)
    }
}
