import Foundation
import GranaryClient

/// Follows the counter of a user who has signed in, on all devices of the user, until its session ends.
@MainActor
func follow(
    _ server: URL, token: @escaping @Sendable () async throws -> String, show: (String) -> Void
) async throws {
    let connection = GranaryConnection(
        to: server, credential: .renewing { .bearer(try await token(), validFor: .seconds(300)) })
    let counter = try await connection.machine(Counter.self, named: "main", whenSessionEnds: .beginAnew)
    for await change in counter.changes {
        switch change.kind {
        case .snapshot, .turn: show("\(change.outputs.count)")
        case .newSession(let end): show("a new session, after the earlier one has ended: \(end)")
        }
    }
}

/// Increments the counter, and says what the user should know.
@MainActor
func increment(_ counter: RemoteMachine<Counter>) async -> String {
    do {
        let change = try await counter.send(.increment)
        return "\(change.outputs.count)"
    } catch GranaryError.refused(let problem) {
        return problem.detail
    } catch GranaryError.outcomeUnknown {
        return "The connection was lost. Please check whether the count has changed."
    } catch {
        return "\(error)"
    }
}
