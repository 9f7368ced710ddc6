public import CombineCore
import HTTPModel
import Locking

/// A block that a ``SessionScheduler`` is to run later.
///
/// Sendable because the block is behind a lock, and the timer is confined to the scheduler's loop.
public final class ScheduledBlock: Cancellable, @unchecked Sendable {
    private let block: Lock<(() -> Void)?>
    private weak let owner: SessionScheduler?
    /// Confined to the loop.
    var timer: (any EventLoopTimer)?

    init(_ block: @escaping () -> Void, owner: SessionScheduler) {
        self.block = Lock(block)
        self.owner = owner
    }

    var isCancelled: Bool { block.withLock { $0 == nil } }

    /// Forgets the block and frees what it captured. From any thread; does nothing once it has run or was cancelled.
    public func cancel() {
        guard take() != nil, let owner else { return }
        if owner.loop.isCurrent {
            cancelTimer(of: owner)
        } else {
            owner.loop.execute { [self] in cancelTimer(of: owner) }
        }
    }

    /// The block, which is the caller's to run; nil from then on.
    func take() -> (() -> Void)? {
        block.withLock { block in
            defer { block = nil }
            return block
        }
    }

    /// The block of a repeating timer, which stays.
    func peek() -> (() -> Void)? { block.withLock { $0 } }

    func cancelOnLoop() {
        _ = take()
        timer?.cancel()
        timer = nil
    }

    private func cancelTimer(of owner: SessionScheduler) {
        timer?.cancel()
        owner.forget(self)
    }
}
