/// Waits until a condition is met on the main actor, and returns whether it was met within a generous limit.
@MainActor
func soon(within limit: Duration = .seconds(300), _ condition: @MainActor () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        let isLast = ContinuousClock.now >= end
        if await condition() { return true }
        if isLast { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
}
