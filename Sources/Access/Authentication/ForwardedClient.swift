package import HTTPModel

/// What a trusted proxy states about its client: `X-Forwarded-For`, `X-Forwarded-Proto` and `Forwarded` (RFC 7239).
///
/// A proxy appends to what it has received, so the fields are read from the end, and only as far as the addresses are those of
/// trusted proxies. What is further to the left is what the client claims.
package struct ForwardedClient: Sendable {
    private static let names: [HTTPFieldName] = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
    ]

    private let proxies: TrustedProxies
    private let removed: [HTTPFieldName]

    /// Creates the reader of the fields of these proxies.
    ///
    /// - Parameter field: The field with which a proxy names its client's user, which is removed as well.
    package init(_ proxies: TrustedProxies, field: HTTPFieldName?) {
        self.proxies = proxies
        removed = ForwardedClient.names + (field.map { [$0] } ?? [])
    }

    /// Returns a request as it was sent by the client of a trusted proxy. The request of another peer loses the fields.
    package func resolved(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        guard proxies.contain(request.peer) else {
            for name in removed where request.fields.contains(name) { request.fields[name] = nil }
            return request
        }
        // Also if the client is not known: it could add a field that contradicts the proxy's, and would be the proxy.
        if request.fields.contains("x-forwarded-for") || request.fields.contains("forwarded") {
            let address = client(of: request.fields) ?? request.peer.address
            request.peer = HTTPPeer(address: address, forwardedBy: request.peer)
        }
        if let scheme = scheme(of: request.fields) { request.scheme = scheme }
        return request
    }

    /// Returns the address of the client; nil if the fields name none, or different ones.
    private func client(of fields: HTTPFields) -> String? {
        let simple = last(fields.values("x-forwarded-for").flatMap { ForwardedClient.elements(of: $0) })
        let standard = last(fields.values("forwarded").flatMap { ForwardedClient.addresses(of: $0) })
        // Most proxies maintain one of the two fields and pass the other one on, which then is the client's own.
        guard let simple, let standard else { return simple ?? standard }
        return simple == standard ? simple : nil
    }

    /// Returns the last address that is not a trusted proxy's.
    private func last(_ addresses: [String]) -> String? {
        var client: String?
        for address in addresses.reversed() {
            guard let address = ForwardedClient.address(address) else { return client }
            client = address
            guard proxies.contain(address) else { return client }
        }
        return client
    }

    private func scheme(of fields: HTTPFields) -> String? {
        guard let text = fields.values("x-forwarded-proto").last.flatMap({ ForwardedClient.elements(of: $0).last })
        else {
            return nil
        }
        let scheme = text.lowercased()
        return scheme == "http" || scheme == "https" ? scheme : nil
    }

    private static func elements(of value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
    }

    /// Returns the values of `for`, in order. An element without one is an empty text, which ends the search.
    private static func addresses(of value: String) -> [String] {
        elements(of: value).map { element in
            for pair in element.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
                return trimmed(parts[1]).replacing("\"", with: "")
            }
            return ""
        }
    }

    /// Returns a numeric address without its port and brackets; nil for another text, such as `unknown`.
    private static func address(_ text: String) -> String? {
        var host = text[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            host = host[host.index(after: host.startIndex)..<end]
        } else if NumericAddress(text) == nil, let colon = host.lastIndex(of: ":") {
            host = host[..<colon]
        }
        return NumericAddress(String(host)) == nil ? nil : String(host)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
