import HTTPModel
import Log
import Testing

@testable import Granary

struct SiteResponderTests {
    private final class Next: HTTPResponder {
        var targets: [String] = []

        func placement(of request: HTTPRequest) -> Int? { 1 }

        func respond(to request: HTTPRequest) -> HTTPAnswer {
            targets.append(request.target)
            return .response(HTTPResponse(status: .accepted))
        }
    }

    private func status(
        _ target: String, _ role: ListenerRole, isLocal: Bool = true, servesPublicHealth: Bool = true,
        next: Next = Next()
    ) -> UInt16? {
        let responder = SiteResponder(site: Site(), next: next, servesPublicHealth: servesPublicHealth)
        let peer = HTTPPeer(address: "192.0.2.1", port: 1, role: role, isListenerLocal: isLocal)
        let request = HTTPRequest(method: .get, target: target, peer: peer)
        guard case .response(let response) = responder.respond(to: request) else { return nil }
        return response.status.code
    }

    @Test(arguments: ["/health/live", "/health/ready", "/health/ready?verbose"])
    func `operators can access their routes`(_ target: String) {
        let next = Next()
        #expect(status(target, .admin, next: next) == 202)
        #expect(next.targets == [target])
    }

    @Test(arguments: [
        "/", "/style.css", "/v1/machines", "/v1/sessions", "/openapi.json", "/docs", "/health", "*", "/health/ready/",
        "/metrics",
    ])
    func `operators can access neither the site nor sessions`(_ target: String) {
        let next = Next()
        #expect(status(target, .admin, next: next) == 404)
        #expect(next.targets.isEmpty)
    }

    @Test func `a listener for operators that other machines can reach has only health for strangers`() {
        let next = Next()
        #expect(status("/health/ready", .admin, isLocal: false, next: next) == 202)
        for target in ["/metrics", "/", "/v1/sessions", "/health", "/health/ready/", "*"] {
            #expect(status(target, .admin, isLocal: false, next: next) == 401, "\(target)")
        }
        #expect(next.targets == ["/health/ready"])
        #expect(status("/v1/sessions", .public, isLocal: false) == 202)
    }

    @Test func `an operator's request can be served on any loop`() {
        let responder = SiteResponder(site: Site(), next: Next())
        func placement(_ role: ListenerRole) -> Int? {
            responder.placement(
                of: HTTPRequest(
                    method: .get, target: "/v1/sessions/x", peer: HTTPPeer(address: "unix", port: 0, role: role)))
        }
        #expect(placement(.public) == 1)
        #expect(placement(.admin) == nil)
    }

    @Test func `the certificate of a trusted proxy makes none of its clients an operator`() throws {
        var configuration = Configuration()
        configuration.tls.clientIssuers = "/etc/issuers.pem"
        configuration.access.operators = ["certificate:CN=proxy"]
        configuration.access.trustedProxies = AddressRange("10.0.0.1").map { [$0] } ?? []
        let access = try ServedAccess(configuration, log: .silent)
        let responder = SiteResponder(
            site: Site(), next: Next(),
            forwarding: AccessPlan(configuration).forwarding,
            operators: OperatorAccess(configuration.access.operators, access: access))
        func status(from address: String) -> UInt16? {
            let peer = HTTPPeer(address: address, port: 1, certificateSubject: "CN=proxy", role: .admin)
            let answer = responder.respond(to: HTTPRequest(method: .get, target: "/metrics", peer: peer))
            guard case .response(let response) = answer else { return nil }
            return response.status.code
        }
        #expect(status(from: "10.0.0.1") == 401)
        // An operator, and no metrics are served.
        #expect(status(from: "10.0.0.2") == 404)
    }

    @Test func `health is public unless the configuration disables it`() {
        for target in ["/health/live", "/health/ready"] {
            #expect(status(target, .public) == 202)
            #expect(status(target, .public, servesPublicHealth: false) == 404)
            #expect(status(target, .admin, servesPublicHealth: false) == 202)
        }
        #expect(status("/", .public, servesPublicHealth: false) == 200)
        #expect(status("/v1/machines", .public, servesPublicHealth: false) == 202)
    }
}
