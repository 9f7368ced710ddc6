import Dispatch

/// The main queue, for closures that are not sendable.
enum MainQueue {
    /// Runs `action` on the main queue, later.
    static func run(_ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        DispatchQueue.main.async { parcel.action() }
    }

    /// Sendable because whoever hands an action over gives it away, and it is run once, where it arrives.
    private struct Parcel: @unchecked Sendable {
        let action: () -> Void
    }
}
