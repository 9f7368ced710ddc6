/// What is due when, by the second. Something that is looked at when its second comes and turns out to be due later is put
/// back; so a deadline that is moved on by every request costs nothing until it would have come. The cost of a second is
/// that of what lies in it.
struct DeadlineBuckets<Element> {
    private var buckets: [[Element]]
    private(set) var count = 0
    /// The second that has been looked at last.
    private(set) var now: Tick = 0

    /// Deadlines further off than this many seconds are looked at early.
    let horizon: Tick

    init(horizon: Tick = 256) {
        self.horizon = horizon
        buckets = Array(repeating: [], count: Int(horizon))
    }

    /// Puts something in the bucket of its deadline, or of the next second if that has passed; gives the second in which it
    /// will be looked at.
    mutating func insert(_ element: Element, deadline: Tick) -> Tick {
        let tick = min(max(deadline, now + 1), now + horizon - 1)
        buckets[Int(tick % horizon)].append(element)
        count += 1
        return tick
    }

    /// Moves on to the next second, and takes out what lies in it.
    mutating func advance() -> [Element] {
        now += 1
        let place = Int(now % horizon)
        guard !buckets[place].isEmpty else { return [] }
        let due = buckets[place]
        buckets[place] = []
        count -= due.count
        return due
    }

    /// Sets the second of an empty set of buckets, so that time in which there was nothing to do need not be walked through.
    mutating func skip(to tick: Tick) {
        precondition(count == 0, "time is skipped only while nothing waits, \(count) wait")
        now = tick
    }
}
