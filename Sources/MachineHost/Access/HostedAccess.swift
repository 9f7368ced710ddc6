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
        var members: [Member] = []
    }

    /// Where the loops exchange their shares of rates.
    let rates = RateExchange()
    private let state: Lock<State>

    init(_ access: HostAccess) {
        state = Lock(State(current: access))
    }

    /// The configuration.
    var current: HostAccess { state.withLock { $0.current } }

    /// Adds a shard, which learns of all later changes, and returns the configuration.
    func join(_ shard: BackReference, on loop: any EventLoop) -> HostAccess {
        let member = Member(loop: loop, shard: UnsafeTransfer(shard))
        return state.withLock { state in
            state.members.append(member)
            return state.current
        }
    }

    /// Returns a loop with its shard; nil if it has none.
    func member(ofLoop index: Int) -> Member? {
        state.withLock { state in state.members.first { $0.loop.index == index } }
    }

    /// Removes a shard that is being deallocated.
    func leave(_ shard: BackReference) {
        state.withLock { state in state.members.removeAll { $0.shard.value === shard } }
    }

    /// Replaces the configuration on all loops. Returns before they use the new one.
    func replace(with access: HostAccess) {
        let members = state.withLock { state in
            state.current = access
            return state.members
        }
        for member in members {
            // Each loop takes the newest configuration, so that two replacements in a row arrive in order.
            member.loop.execute { [self] in member.shard.value.shard?.replaceAccess(current) }
        }
    }
}
