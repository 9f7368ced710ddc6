import HTTPModel

extension ServerLoop {
    /// The answer to a request that no responder is to see: it asks for a host that is not served, or in cleartext for
    /// what is served over TLS.
    func refusal(of request: HTTPRequest, isSecure: Bool) -> HTTPResponse? {
        guard isAllowed(request) else {
            return hosts.refusal(of: request.authority).response
        }
        guard !isSecure, let tls = configuration.tls, tls.redirectsCleartext else { return nil }
        guard request.peer.role == .public, !request.peer.isByUnixSocket else { return nil }
        // Without a port for the public there is nowhere to go.
        guard let port = tls.publicPort ?? securePort else { return nil }
        guard !tls.cleartextPaths.contains(String(request.path)) else { return nil }
        return redirect(request, to: port)
    }

    /// Whether the server answers for the request's host. Most requests to the public's addresses name the same one, so the
    /// one that was accepted there last is remembered.
    private func isAllowed(_ request: HTTPRequest) -> Bool {
        if hosts.acceptsAny { return true }
        guard request.peer.role == .public, !request.peer.isByUnixSocket else {
            return hosts.accepts(request.authority, from: request.peer)
        }
        if request.authority == acceptedHost { return true }
        guard hosts.accepts(request.authority, from: request.peer) else { return false }
        acceptedHost = request.authority
        return true
    }

    private func redirect(_ request: HTTPRequest, to port: UInt16) -> HTTPResponse {
        let host = ServerLoop.host(of: request.authority)
        let authority = port == 443 ? String(host) : "\(host):\(port)"
        // Without a host there is nowhere to go.
        guard !host.isEmpty, request.target != "*",
            let location = HTTPFieldValue("https://\(authority)\(request.target)")
        else { return ProblemDetails.needsTLS.response }
        return HTTPResponse(status: .permanentRedirect, fields: [.location: location])
    }

    /// An authority without its port.
    static func host(of authority: String) -> Substring {
        let end = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        return authority[..<(end ?? authority.endIndex)]
    }

    /// Adds what every answer over TLS says. Not to operators: browsers would remember it for the host, and so for the
    /// public's ports as well.
    func addSecurityFields(to response: inout HTTPResponse, for peer: HTTPPeer) {
        guard peer.role == .public, let value = configuration.tls?.strictTransportSecurity else { return }
        response.fields[.strictTransportSecurity] = value
    }
}
