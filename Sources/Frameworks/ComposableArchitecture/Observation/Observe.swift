import Observation

/// Runs a closure, and again whenever something changes that it has read: members of a ``Store``, of observable state, or of an
/// observable object.
///
/// Changes of one action, and actions that are processed before the closure runs again, cause one run.
///
/// ```swift
/// let token = observe { label.text = "\(store.count)" }
/// ```
///
/// - Parameter apply: The closure.
/// - Returns: A token. The observation ends when it is cancelled or released.
@MainActor
public func observe(_ apply: @escaping @MainActor @Sendable () -> Void) -> ObserveToken {
    let token = ObserveToken()
    run(apply, until: token)
    return token
}

@MainActor
private func run(_ apply: @escaping @MainActor @Sendable () -> Void, until token: ObserveToken) {
    guard !token.isCancelled else { return }
    withObservationTracking(apply) { [weak token] in
        // The notification precedes the change.
        Task { @MainActor [weak token] in
            if let token { run(apply, until: token) }
        }
    }
}
