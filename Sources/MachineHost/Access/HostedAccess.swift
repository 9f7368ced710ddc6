import HTTPModel
import Locking

/// The access control of a host, which reaches every loop. Shared by all loops.
final class HostedAccess: Sendable {
    /// A loop, and its shard.
    struct Member: Sendable {
        let loop: any EventLoop
        /// Used on the loop only.
        let shard: UnsafeTransfer<BackReference>
    }

    private struct State {
        var current: HostAccess
        var rates = RateTables()
        var members: [Member] = []

        init(_ access: HostAccess) {
            current = access
            rates.replace(with: access.rates)
        }
    }

    private let state: Lock<State>

    init(_ access: HostAccess) {
        state = Lock(State(access))
    }

    /// The part of a loop.
    private var current: ShardAccess {
        let (configuration, rates) = state.withLock { ($0.current, $0.rates) }
        return ShardAccess(configuration, rates)
    }

    /// Adds a shard, which learns of all later changes, and returns its part.
    func join(_ shard: BackReference, on loop: any EventLoop) -> ShardAccess {
        let member = Member(loop: loop, shard: UnsafeTransfer(shard))
        state.withLock { $0.members.append(member) }
        return current
    }

    /// Removes a shard that is being deallocated.
    func leave(_ shard: BackReference) {
        state.withLock { state in state.members.removeAll { $0.shard.value === shard } }
    }

    /// Replaces the configuration on all loops. Returns before they use the new one.
    func replace(with access: HostAccess) {
        let members = state.withLock { state in
            state.current = access
            state.rates.replace(with: access.rates)
            return state.members
        }
        for member in members {
            // Each loop takes the newest configuration, so that two replacements in a row arrive in order.
            member.loop.execute { [self] in member.shard.value.shard?.replaceAccess(current) }
        }
    }
}
