/// A timer wheel with one bucket per second.
///
/// An element whose deadline has moved is inserted again when its old second is reached. So a deadline that every
/// request extends costs nothing until the original time. Each second costs only as much as the elements in it.
struct DeadlineBuckets<Element> {
    private var buckets: [[Element]]
    private(set) var count = 0
    /// The second that was processed last.
    private(set) var now: Tick = 0

    /// The number of buckets. Elements with a later deadline are returned early, and inserted again.
    let horizon: Tick

    init(horizon: Tick = 256) {
        assert(horizon > 1, "expected a horizon of at least two seconds, got \(horizon)")
        self.horizon = horizon
        buckets = Array(repeating: [], count: Int(horizon))
    }

    /// Inserts an element for its deadline, or for the next second if that has passed. Returns the second in which it
    /// will be returned.
    mutating func insert(_ element: Element, deadline: Tick) -> Tick {
        let tick = min(max(deadline, now + 1), now + horizon - 1)
        buckets[Int(tick % horizon)].append(element)
        count += 1
        assert(tick > now && tick - now < horizon, "expected a second within \(horizon) after \(now), got \(tick)")
        return tick
    }

    /// Inserts an element unless it will be returned early enough.
    ///
    /// - Parameter next: The second in which the element will be returned.
    mutating func schedule(_ element: Element, deadline: Tick, next: inout Tick) {
        // An element that is returned too early is inserted again. So a deadline that moves later costs nothing.
        if next <= now || deadline < next { next = insert(element, deadline: deadline) }
    }

    /// Advances by one second and returns the elements that are due, unless that second is not over, or nothing waits.
    ///
    /// - Parameter time: The present second.
    mutating func takeDue(before time: Tick) -> [Element]? {
        count > 0 && now < time ? advance() : nil
    }

    /// Advances by one second and removes the elements that are due.
    mutating func advance() -> [Element] {
        now += 1
        let place = Int(now % horizon)
        guard !buckets[place].isEmpty else { return [] }
        let due = buckets[place]
        buckets[place] = []
        count -= due.count
        assert(count >= 0, "expected to remove what was inserted, got \(-count) elements more")
        return due
    }

    /// Sets the current second of an empty wheel, instead of advancing through a long idle time.
    mutating func skip(to tick: Tick) {
        precondition(count == 0, "skip requires an empty wheel, \(count) elements are waiting")
        assert(tick >= now, "expected time to pass, got second \(tick) after \(now)")
        now = tick
    }
}
