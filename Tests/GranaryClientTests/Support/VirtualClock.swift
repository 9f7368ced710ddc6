@testable import GranaryClient

/// A clock that advances when a test says so, from one piece of work to the next.
@MainActor
final class VirtualClock: ClientClock {
    private(set) var now = Duration.zero
    /// Called with the time that passes, before the work at its end runs.
    var whenPassing: (Duration) -> Void = { _ in }
    private var entries: [(due: Duration, number: Int, work: Work)] = []
    private var count = 0
    private static let slice = Duration.seconds(1)

    /// The number of pieces of work that are due later.
    var pendingCount: Int { entries.count { $0.work.body != nil } }

    func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> any ScheduledWork {
        let work = Work(work)
        insert(work, after: delay)
        return Handle(work)
    }

    /// Schedules work that nobody cancels.
    func run(after delay: Duration, _ work: @escaping @MainActor () -> Void) { insert(Work(work), after: delay) }

    /// Advances to the next piece of work and runs it, unless it is due after a time. Returns false then.
    func step(until limit: Duration) -> Bool {
        entries.removeAll { $0.work.body == nil }
        guard let next = entries.min(by: { ($0.due, $0.number) < ($1.due, $1.number) }), next.due <= limit else {
            guard limit - now > Self.slice else {
                pass(to: limit)
                return false
            }
            pass(to: now + Self.slice)
            return true
        }
        // In slices, so that what the host does in between arrives in between.
        guard next.due - now <= Self.slice else {
            pass(to: now + Self.slice)
            return true
        }
        entries.removeAll { $0.number == next.number }
        pass(to: next.due)
        let body = next.work.body
        next.work.body = nil
        body?()
        return true
    }

    /// Advances by a time and runs everything that becomes due.
    func advance(by duration: Duration) {
        let end = now + duration
        while step(until: end) {}
    }

    private func pass(to time: Duration) {
        guard time > now else { return }
        let passing = time - now
        now = time
        whenPassing(passing)
    }

    private func insert(_ work: Work, after delay: Duration) {
        count += 1
        entries.append((now + max(delay, .zero), count, work))
    }

    @MainActor
    private final class Work {
        var body: (@MainActor () -> Void)?

        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    /// Cancels its work when it is released.
    private final class Handle: ScheduledWork {
        private let work: Work

        init(_ work: Work) { self.work = work }

        isolated deinit { work.body = nil }
    }
}
