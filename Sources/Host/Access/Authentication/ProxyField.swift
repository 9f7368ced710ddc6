package import HTTPModel

/// The proxies whose statements about their clients are believed.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Creates the set of proxies in ranges of addresses.
    package init(_ ranges: [AddressRange]) { self.ranges = ranges }

    package func contain(_ peer: HTTPPeer) -> Bool {
        let address = (peer.proxy ?? peer).address
        return ranges.contains { $0.contains(address) }
    }

    func contain(_ address: NumericAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

/// A field with which a trusted proxy names its client's user: `X-Forwarded-User`.
package struct ProxyField: Sendable {
    private static let maxIDLength = 512

    package let name: HTTPFieldName
    private let proxies: TrustedProxies

    /// Creates the configuration of a field and the proxies that may send it.
    package init(name: HTTPFieldName, proxies: TrustedProxies) {
        self.name = name
        self.proxies = proxies
    }

    /// Returns the principal that a proxy names; nil if it names none, or is not trusted.
    ///
    /// - Throws: If a trusted proxy has sent the field twice: it has added its own to one of the client.
    func principal(of request: HTTPRequest) throws(CredentialRejection) -> Principal? {
        guard proxies.contain(request.peer) else { return nil }
        guard request.fields.count(of: name) == 1 else { throw .conflicting }
        let id = request.fields.withValue(name) { String(validating: $0, as: UTF8.self) } ?? nil
        guard let id, id.utf8.count <= ProxyField.maxIDLength else {
            throw .malformed("UTF-8 text of at most \(ProxyField.maxIDLength) bytes in the field \(name.lowercased)")
        }
        return id.isEmpty ? nil : Principal(method: .proxy, issuer: name.lowercased, id: id)
    }
}
