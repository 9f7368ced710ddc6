import Foundation
import JSONText

/// The ticket of a guest, which is redeemed for another one before it expires.
@MainActor
final class GuestTicket {
    private unowned let connection: GranaryConnection
    private let session: String
    private var timer: (any ScheduledWork)?

    /// The time after which a failed renewal is repeated.
    private static let repetition = Duration.seconds(5)

    init(for session: String, of connection: GranaryConnection) {
        (self.session, self.connection) = (session, connection)
    }

    /// Redeems a ticket, and renews the one that it is redeemed for after half of its time.
    ///
    /// - Parameters:
    ///   - credential: The ticket.
    ///   - key: A repetition with the same key gets the same ticket, also if this one can be used once; nil if it can be used again.
    ///   - done: Receives the result of the first redemption.
    func redeem(_ credential: Credential, key: String?, _ done: @escaping (Result<Void, GranaryError>) -> Void) {
        var request = connection.request("POST", "/v1/sessions/\(session.percentEncoded)/tickets")
        request.fields["authorization"] = credential.authorization
        if let key { request.fields["idempotency-key"] = "\"\(key)\"" }
        let retention = connection.configuration.keyRetention
        connection.perform(request, key == nil ? .always : .withKey(retention: retention)) { [self] result in
            let redeemed = result.flatMap(Self.read)
            if case .success(let redeemed) = redeemed { use(redeemed) }
            done(redeemed.map { _ in })
        }
    }

    private func use(_ credential: Credential) {
        connection.keeper.replace(with: credential)
        timer = credential.validity.map { renew(credential, after: max($0 / 2, .seconds(1))) }
    }

    private func renew(_ credential: Credential, after time: Duration) -> any ScheduledWork {
        connection.clock.schedule(after: time) { [weak self] in
            self?.redeem(credential, key: nil) { result in
                // A ticket that is no longer accepted ends the stream, which shows the reason.
                guard let self, case .failure(.unreachable) = result else { return }
                self.timer = self.renew(credential, after: Self.repetition)
            }
        }
    }

    private static func read(_ response: ClientResponse) -> Result<Credential, GranaryError> {
        guard let object = response.object, let ticket = object.member("ticket")?.string else {
            return .failure(.incompatible("expected a ticket"))
        }
        let expires = object.member("expires")?.string.flatMap { try? Date($0, strategy: .iso8601) }
        // By the clock of the server, because that of the device may be wrong.
        let validity = expires.map { Duration.seconds($0.timeIntervalSince(response.date ?? Date())) }
        return .success(.ticket(ticket, validFor: validity))
    }
}
