/// What is to be done when: actions in the order of their moments and, at the same moment, of their numbers.
struct Agenda<Moment: Comparable> {
    private struct Entry {
        let date: Moment
        let number: UInt
        let action: () -> Void
    }

    private var lastNumber: UInt = 0
    /// The next entry comes last, where it is cheap to take.
    private var entries: [Entry] = []

    /// The moment of the next entry.
    var nextDate: Moment? { entries.last?.date }

    /// Gives out the numbers 1, 2, 3 and so on.
    mutating func nextNumber() -> UInt {
        lastNumber += 1
        return lastNumber
    }

    /// Notes an action under a number, which may be that of an earlier action.
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

    /// Takes out the next action that is due by then, and says for when it was noted.
    mutating func takeNext(until date: Moment) -> (date: Moment, action: () -> Void)? {
        guard let next = entries.last, next.date <= date else { return nil }
        entries.removeLast()
        return (next.date, next.action)
    }

    /// Takes out everything under that number, to be dropped when no lock is held.
    mutating func remove(_ number: UInt) -> [() -> Void] {
        let removed = entries.filter { $0.number == number }
        entries.removeAll { $0.number == number }
        return removed.map(\.action)
    }
}
