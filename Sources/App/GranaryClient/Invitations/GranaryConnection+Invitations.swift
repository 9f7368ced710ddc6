extension GranaryConnection {
    /// Redeems an invitation, and returns a connection to its server for its session:
    ///
    ///     let connection = try await GranaryConnection.joining(invitation)
    ///     let list = try await connection.machine(TodoList.self, id: invitation.session)
    ///
    /// The ticket is redeemed for another one, which is renewed as long as the connection exists. An invitation for one use is used up by
    /// that, but not by a lost response: the redemption has a key, and is repeated.
    ///
    /// - Parameters:
    ///   - invitation: The invitation.
    ///   - configuration: Limits and times.
    /// - Throws: A ``GranaryError``: `unauthorized` if the invitation has been used, has expired or was revoked.
    public static func joining(
        _ invitation: Invitation, configuration: ClientConfiguration = ClientConfiguration()
    ) async throws -> GranaryConnection {
        let connection = GranaryConnection(to: invitation.server, configuration: configuration)
        try await connection.redeem(invitation)
        return connection
    }

    /// Redeems the ticket of an invitation, and uses the one that it is redeemed for, and those that replace it, for all requests.
    func redeem(_ invitation: Invitation) async throws {
        let guest = GuestTicket(for: invitation.session, of: self)
        self.guest = guest
        try await withCheckedThrowingContinuation { continuation in
            guest.redeem(.ticket(invitation.ticket), key: randomKey()) { continuation.resume(with: $0) }
        }
    }
}
