import HTTPModel

/// How the certificate of a client identifies its principal.
package enum CertificateIdentity: String, Sendable, CaseIterable {
    /// By the subject, in the form of RFC 2253: `CN=Ada,O=Example`.
    case subject
    /// By the first DNS name.
    case dns = "DNS"
    /// By the first URI, such as a SPIFFE id.
    case uri = "URI"
    /// By the first email address.
    case email

    /// Returns the principal of a peer; nil if it has presented no certificate, or one without such a name.
    func principal(of peer: HTTPPeer) -> Principal? {
        guard let subject = peer.certificateSubject else { return nil }
        guard let id = self == .subject ? subject : name(of: peer), !id.isEmpty else { return nil }
        // The kind of the name is a part of the identity: a DNS name is not an email address.
        return Principal(method: .certificate, issuer: rawValue, id: id)
    }

    private func name(of peer: HTTPPeer) -> String? {
        let prefix = rawValue + ":"
        return peer.certificateNames.first { $0.utf8.starts(with: prefix.utf8) }.map {
            String($0.dropFirst(prefix.count))
        }
    }
}
