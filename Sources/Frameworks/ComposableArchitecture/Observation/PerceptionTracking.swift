import Observation

/// Calls a closure, and another one when something is about to change for the first time that the former has read.
///
/// The name that the observation has in code for older systems. It is `withObservationTracking(_:onChange:)`.
public func withPerceptionTracking<Result>(
    _ apply: () -> Result, onChange: @autoclosure () -> @Sendable () -> Void
) -> Result {
    withObservationTracking(apply, onChange: onChange())
}
