/// A queue of actions, ordered by time and, at the same time, by number.
struct Agenda<Moment: Comparable> {
    private struct Entry {
        let date: Moment
        let number: UInt
        let action: () -> Void
    }

    private var lastNumber: UInt = 0
    /// Sorted in descending order, so that removing the next entry is cheap.
    private var entries: [Entry] = []

    /// The number of entries.
    var count: Int { entries.count }

    var nextDate: Moment? { entries.last?.date }

    /// Returns the next number of the sequence 1, 2, 3 and so on.
    mutating func nextNumber() -> UInt {
        lastNumber += 1
        return lastNumber
    }

    /// Adds an action with a number, which may be that of an earlier action.
    mutating func add(at date: Moment, number: UInt, _ action: @escaping () -> Void) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let entry = entries[middle]
            if (entry.date, entry.number) > (date, number) { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(date: date, number: number, action: action), at: low)
    }

    /// Removes and returns the next action that is due at `date`, with its scheduled time.
    mutating func takeNext(until date: Moment) -> (date: Moment, action: () -> Void)? {
        guard let next = entries.last, next.date <= date else { return nil }
        entries.removeLast()
        return (next.date, next.action)
    }

    /// Removes all actions with a number. Returns them so that the caller releases them outside its lock.
    mutating func remove(_ number: UInt) -> [() -> Void] {
        let removed = entries.filter { $0.number == number }
        entries.removeAll { $0.number == number }
        return removed.map(\.action)
    }
}
