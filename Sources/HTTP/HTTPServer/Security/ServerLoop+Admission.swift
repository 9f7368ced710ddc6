import HTTPModel

extension ServerLoop {
    /// Returns the response to a request that must not reach the responder because it names a host that is not served
    /// here, or arrived in cleartext although it requires TLS. Returns `nil` for any other request.
    func refusal(of request: HTTPRequest, isSecure: Bool) -> HTTPResponse? {
        guard var refusal = bareRefusal(of: request, isSecure: isSecure) else { return nil }
        responder?.addPolicyFields(to: &refusal, for: request.fields, from: request.peer)
        return refusal
    }

    private func bareRefusal(of request: HTTPRequest, isSecure: Bool) -> HTTPResponse? {
        guard isAllowed(request) else {
            return hosts.refusal(of: request.authority).response
        }
        guard !isSecure, let tls = configuration.tls, tls.redirectsCleartext else { return nil }
        guard request.peer.role == .public, !request.peer.isByUnixSocket else { return nil }
        // Without a public port for TLS there is nothing to redirect to.
        guard let port = tls.publicPort ?? securePort else { return nil }
        guard !tls.cleartextPaths.contains(String(request.path)) else { return nil }
        return redirect(request, to: port)
    }

    private func isAllowed(_ request: HTTPRequest) -> Bool {
        if hosts.acceptsAny { return true }
        if hosts.isOutdated {
            hosts.update()
            acceptedHost = nil
        }
        guard request.peer.role == .public, !request.peer.isByUnixSocket else {
            return hosts.accepts(request.authority, from: request.peer)
        }
        // Almost all public requests name the same host, so it is compared with the last one that was accepted before it is
        // normalized and looked up. Only public ones: the rules for operators and Unix sockets differ.
        if request.authority == acceptedHost { return true }
        guard hosts.accepts(request.authority, from: request.peer) else { return false }
        acceptedHost = request.authority
        return true
    }

    private func redirect(_ request: HTTPRequest, to port: UInt16) -> HTTPResponse {
        let host = ServerLoop.host(of: request.authority)
        let authority = port == 443 ? String(host) : "\(host):\(port)"
        // `OPTIONS *` has no path, and HTTP/1.0 may have no host: neither can be redirected.
        guard !host.isEmpty, request.target != "*",
            let location = HTTPFieldValue("https://\(authority)\(request.target)")
        else { return ProblemDetails.needsTLS.response }
        return HTTPResponse(status: .permanentRedirect, fields: [.location: location])
    }

    /// Returns an authority without its port.
    static func host(of authority: String) -> Substring {
        // The last colon of an IPv6 address without a port does not separate a port.
        let end = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        return authority[..<(end ?? authority.endIndex)]
    }

    /// Adds the fields that every response over TLS has.
    func addSecurityFields(to response: inout HTTPResponse, for peer: HTTPPeer) {
        // Not for operators: browsers apply the field to all ports of a host, including those of public listeners.
        guard peer.role == .public, let value = configuration.tls?.strictTransportSecurity else { return }
        response.fields[.strictTransportSecurity] = value
    }
}
