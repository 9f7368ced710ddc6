package import HTTPModel

/// For whom requests, sessions, streams and bytes are counted: a principal, or a client's address.
package enum LimitKey: Hashable, Sendable {
    case principal(PrincipalHash)
    /// An IPv4 address, or an IPv6 network of 64 bits. `::ffff:192.0.2.1` is the same as `192.0.2.1`.
    case address(ClientTable.Client)
}

/// The keys of one requester. Each of them has to be within its limit.
package struct LimitKeys: Hashable, Sendable {
    /// The key; nil for a client that is not limited.
    package let first: LimitKey?
    /// The address in addition to the principal of a cookie; otherwise nil.
    package let second: LimitKey?

    /// Creates the keys of a requester.
    ///
    /// A principal is counted as itself. A cookie is also counted by the address, because discarding it creates another
    /// principal. Anonymous clients and holders of tickets are counted by their address; loopback addresses and Unix sockets
    /// are not limited, because a proxy on the same machine sends the requests of all its clients.
    package init(_ requester: Requester, peer: HTTPPeer) {
        switch requester {
        case .principal(let principal, let hash):
            first = .principal(hash)
            second = principal.method == .cookie ? peer.limitedClient.map { .address($0) } : nil
        case .anonymous, .ticket:
            first = peer.limitedClient.map { .address($0) }
            second = nil
        }
    }

    /// Creates the keys of a stored session.
    ///
    /// - Parameters:
    ///   - isCookie: Whether the principal is that of a cookie.
    ///   - address: What stands for the address of its creator; nil if it is not limited, or not known.
    package init(owner: PrincipalHash?, isCookie: Bool = false, address: ClientTable.Client? = nil) {
        first = owner.map { .principal($0) } ?? address.map { .address($0) }
        second = owner != nil && isCookie ? address.map { .address($0) } : nil
    }

    /// The keys, at most two.
    var all: [LimitKey] { [first, second].compactMap { $0 } }
}
