/// Waits until a condition that other threads meet is met, and returns whether it was met within a generous limit.
///
/// The last check begins after the limit, because the task itself may have waited that long for a thread.
package func eventually(
    within limit: Duration = .seconds(300), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        let isLast = ContinuousClock.now >= end
        if try await condition() { return true }
        if isLast { return false }
        // A cancelled task checks without pauses, until the limit.
        try? await Task.sleep(for: .milliseconds(2))
    }
}
