import Dispatch
import Locking

/// The main queue, for closures that are not sendable.
enum MainQueue {
    /// Runs `action` on the main queue, later.
    static func run(_ action: @escaping () -> Void) {
        let action = UnsafeTransfer(action)
        DispatchQueue.main.async { action.value() }
    }
}
