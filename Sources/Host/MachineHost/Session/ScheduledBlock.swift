public import CombineCore
import HTTPModel
import Locking

/// A block that a ``SessionScheduler`` runs later.
public final class ScheduledBlock: Cancellable, @unchecked Sendable {
    // Sendable: the block is protected by a lock, because `cancel()` may be called from any thread. The timer is
    // confined to the scheduler's loop.
    private let block: Lock<(() -> Void)?>
    private weak let owner: SessionScheduler?
    /// Whether the block is scheduled again when the machine is restored.
    let isCaptured: Bool
    /// The loop's timer. Confined to the loop.
    var timer: (any EventLoopTimer)?
    /// The time at which it runs, on the loop's clock. Confined to the loop.
    var due = Duration.zero

    init(_ block: @escaping () -> Void, owner: SessionScheduler, isCaptured: Bool) {
        self.isCaptured = isCaptured
        self.block = Lock(block)
        self.owner = owner
    }

    var isCancelled: Bool { block.withLock { $0 == nil } }

    /// Cancels the block and releases its captured values. Has no effect after the block has run or was cancelled. May
    /// be called from any thread.
    public func cancel() {
        guard take() != nil, let owner else { return }
        if owner.loop.isCurrent {
            cancelTimer(of: owner)
        } else {
            owner.loop.execute { [self] in cancelTimer(of: owner) }
        }
    }

    /// Returns the block to run and removes it, so that it runs at most once.
    func take() -> (() -> Void)? {
        // The caller runs or releases the block outside of the lock: its captured values may call `cancel()` when they
        // are deallocated.
        block.withLock { block in
            defer { block = nil }
            return block
        }
    }

    /// Returns the block of a repeating timer without removing it.
    func peek() -> (() -> Void)? { block.withLock { $0 } }

    func cancelOnLoop() {
        _ = take()
        timer?.cancel()
        timer = nil
    }

    private func cancelTimer(of owner: SessionScheduler) {
        owner.loop.assertCurrent()
        timer?.cancel()
        owner.forget(self)
    }
}
