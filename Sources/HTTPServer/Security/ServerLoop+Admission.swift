import HTTPModel

extension ServerLoop {
    /// The answer to a request that no responder is to see: it asks for a host that is not served, or in cleartext for
    /// what is served over TLS.
    func refusal(of request: HTTPRequest, isSecure: Bool) -> HTTPResponse? {
        guard isAllowed(host: request.authority) else { return ProblemDetails.misdirected.response }
        guard !isSecure, let tls = configuration.tls, tls.redirectsCleartext else { return nil }
        guard !tls.cleartextPaths.contains(String(request.path)) else { return nil }
        return redirect(request, to: tls.publicPort ?? securePort ?? tls.port)
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

    /// Adds what every answer over TLS says.
    func addSecurityFields(to response: inout HTTPResponse) {
        guard let value = configuration.tls?.strictTransportSecurity else { return }
        response.fields[.strictTransportSecurity] = value
    }
}
