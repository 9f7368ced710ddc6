import Locking

/// The access policy of a host, which can be replaced. Shared by all loops.
final class AccessPolicy: Sendable {
    private struct State {
        var configuration: HostAccess
        var rates = RateTables()

        init(_ configuration: HostAccess) {
            self.configuration = configuration
            rates.replace(with: configuration.rates)
        }
    }

    private let state: Lock<State>

    init(_ configuration: HostAccess) {
        state = Lock(State(configuration))
    }

    /// The part of a loop. Each loop has its own.
    var current: LoopAccess {
        let (configuration, rates) = state.withLock { ($0.configuration, $0.rates) }
        return LoopAccess(configuration, rates)
    }

    /// Replaces the configuration, which loops do not use until they ask for ``current`` again.
    func replace(with configuration: HostAccess) {
        state.withLock { state in
            state.configuration = configuration
            state.rates.replace(with: configuration.rates)
        }
    }
}
