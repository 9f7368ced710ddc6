import Dispatch
import Locking

/// The main queue, for closures that are not `Sendable`.
enum MainQueue {
    static func run(_ action: @escaping () -> Void) {
        // Stores are confined to the main queue outside hosted sessions, so the closure touches its captures there
        // only.
        let action = UnsafeTransfer(action)
        DispatchQueue.main.async { action.value() }
    }
}
