import Access
import HTTPModel
import MachineHost

/// Responds to requests for the site and forwards all others to the next responder. A listener for operators serves
/// neither the site nor sessions, but health, and metrics and the admin interface, which no public listener serves.
final class SiteResponder: HTTPResponder {
    private static let healthPaths: Set<Substring> = ["/health/live", "/health/ready"]

    private let site: Site
    private let next: any HTTPResponder
    /// The next responder, if it is the host's.
    private let host: SessionShard?
    private let servesPublicHealth: Bool
    /// Resolves the clients of trusted proxies; nil if no proxy is trusted.
    private let forwarding: ForwardedClient?
    /// Counts the requests; nil if nothing needs it.
    private let meter: RequestMeter?
    /// Traces some of the requests; nil if nothing is traced.
    private let tracer: RequestTracer?
    /// Responds to requests for metrics; nil if they are off.
    private let metrics: MetricsEndpoint?
    /// Decides who may use admin listeners.
    private let operators: OperatorAccess
    /// Responds to requests for the admin interface and the inspector; nil if they are off.
    private let admin: AdminEndpoint?

    init(
        site: Site, next: any HTTPResponder, servesPublicHealth: Bool = true, forwarding: ForwardedClient? = nil,
        meter: RequestMeter? = nil, tracer: RequestTracer? = nil, metrics: MetricsEndpoint? = nil,
        operators: OperatorAccess = OperatorAccess(),
        admin: AdminEndpoint? = nil
    ) {
        (self.meter, self.metrics, self.operators, self.admin) = (meter, metrics, operators, admin)
        self.tracer = tracer
        self.site = site
        self.next = next
        host = next as? SessionShard
        self.servesPublicHealth = servesPublicHealth
        self.forwarding = forwarding
    }

    func placement(of request: HTTPRequest) -> Int? {
        // Requests on a listener for operators concern no session, so any loop can respond to them.
        request.peer.role == .public ? next.placement(of: request) : nil
    }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        guard let tracer, let trace = tracer.sample(request) else { return measuredAnswer(to: request) }
        var request = request
        request.trace = trace.context
        let answer = measuredAnswer(to: request)
        tracer.record(answer, to: request, in: trace)
        return answer
    }

    private func measuredAnswer(to request: HTTPRequest) -> HTTPAnswer {
        var resource: RoutedResource?
        guard let meter else { return answer(to: request, at: &resource) }
        let start = meter.start
        let answer = answer(to: request, at: &resource)
        meter.count(answer, to: request, at: resource, since: start)
        return answer
    }

    /// - Parameter resource: Receives the kind of resource that the request names, if the host serves it.
    private func answer(to request: HTTPRequest, at resource: inout RoutedResource?) -> HTTPAnswer {
        // Not with `??`, which copies the request, with a retain of each of its parts.
        guard let forwarding else { return answer(toClient: request, at: &resource) }
        return answer(toClient: forwarding.resolved(request), at: &resource)
    }

    private func answer(toClient request: HTTPRequest, at resource: inout RoutedResource?) -> HTTPAnswer {
        if request.peer.role == .admin {
            // It identifies operators itself, except for the files of the inspector.
            if let answer = admin?.answer(to: request) { return answer }
            if let refusal = refusalOfStranger(request) { return .response(refusal.response) }
            if let metrics, request.path == "/metrics" { return metrics.response(to: request) }
        }
        if let refusal = refusal(of: request) { return own(refusal.response, to: request) }
        if request.peer.role == .public, let response = site.response(to: request) { return own(response, to: request) }
        guard let host else { return next.respond(to: request) }
        return host.respond(to: request, at: &resource)
    }

    private func own(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPAnswer {
        var response = response
        addPolicyFields(to: &response, for: request.fields, from: request.peer)
        return .response(response)
    }

    func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {
        // Pages of other origins have no business on a listener for operators.
        if peer.role == .public { next.addPolicyFields(to: &response, for: fields, from: peer) }
    }

    func drain() {
        next.drain()
    }

    /// Returns the problem of a request that only operators may send, or `nil` if an operator has sent it or everyone may.
    private func refusalOfStranger(_ request: HTTPRequest) -> ProblemDetails? {
        // Probes and load balancers have no credentials.
        SiteResponder.healthPaths.contains(request.path) ? nil : operators.refusal(of: request)
    }

    /// Returns the problem of a request that its listener does not serve, or `nil` if it does.
    private func refusal(of request: HTTPRequest) -> ProblemDetails? {
        switch request.peer.role {
        case .public:
            guard !servesPublicHealth, SiteResponder.healthPaths.contains(request.path) else { return nil }
            return .notFound("There is no resource at this path.")
        case .admin:
            guard !SiteResponder.healthPaths.contains(request.path) else { return nil }
            var paths = SiteResponder.healthPaths.sorted()
            if metrics != nil { paths.append("/metrics") }
            if admin != nil { paths += ["/", AdminOperation.root[...]] }
            return .notFound("This listener is for operators: it serves only \(paths.joined(separator: ", ")).")
        }
    }
}

extension ProblemDetails {
    fileprivate static func notFound(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .notFound, kind: "not-found", title: "Not found", detail: detail)
    }
}
