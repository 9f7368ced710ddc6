import CLinux
import HTTP1
import HTTPModel
import TLS

extension ServerLoop {
    /// Takes over an accepted socket. A connection beyond the server's limit gets 503, except on a listener for
    /// operators, who must be able to examine a full server.
    func open(descriptor: Int32, peer: HTTPPeer, tls: TLSContext?, clientLease: ClientLease?, isCounted: Bool = false) {
        let transport = SocketTransport(
            descriptor: descriptor, secure: tls.map(SecureChannel.init), isSecure: peer.isSecure)
        let connection = Connection(transport: transport, peer: peer, clientLease: clientLease, serverLoop: self)
        let isWithinLimit = isCounted || gauge.enter() || peer.role == .admin
        guard register(connection) else { return }
        if isWithinLimit { return connection.updateDeadline() }
        connection.refuse(.serverFull)
        connection.step()
    }

    /// Adds a connection to the loop's epoll set; closes its socket and returns `false` if the kernel cannot add it.
    func register(_ connection: Connection) -> Bool {
        if loop.add(connection, for: connection.transport.watchedEvents) >= 0 { return true }
        _ = connection.state.close()
        granary_close(connection.descriptor)
        gauge.leave()
        return false
    }

    /// Appends a response's head, and its content unless that has more than `contentLimit` bytes or is a stream.
    ///
    /// - Parameters:
    ///   - exchange: The properties of the request that affect the framing. This method decides whether the connection
    ///     is kept alive.
    ///   - isSecure: Whether the connection uses TLS.
    /// - Returns: How the rest of the content is framed.
    func encode(
        _ response: HTTPResponse, for exchange: inout HTTP1Exchange, to peer: HTTPPeer, isSecure: Bool,
        contentLimit: Int = .max, _ output: inout [UInt8]
    ) -> HTTP1BodyFraming {
        if isDraining { exchange.keepsAlive = false }
        guard isSecure else { return encode(response, for: &exchange, contentLimit, &output) }
        // Copied only in this case, because a copy retains each part of the response, and responses in cleartext do not
        // need it.
        var response = response
        addSecurityFields(to: &response, for: peer)
        return encode(response, for: &exchange, contentLimit, &output)
    }

    private func encode(
        _ response: HTTPResponse, for exchange: inout HTTP1Exchange, _ contentLimit: Int, _ output: inout [UInt8]
    ) -> HTTP1BodyFraming {
        let (framing, keepsAlive) = HTTP1ResponseEncoder.encode(
            response, for: exchange, dateLine: dateLine(), contentLimit: contentLimit, into: &output)
        exchange.keepsAlive = keepsAlive
        return framing
    }

    /// Returns the conditions that affect deadlines, as far as the loop knows them.
    func deadlineConditions(bodyCount: Int = 0, sendsEvents: Bool) -> ConnectionDeadlines.Conditions {
        ConnectionDeadlines.Conditions(
            isDraining: isDraining, restEnd: restEnd, bodyCount: bodyCount, sendsEvents: sendsEvents)
    }
}
