/// Something that is to happen at a time. It knows its place in the heap, so that it can be moved and taken out.
class TimerEntry {
    fileprivate(set) var place = -1

    /// Whether it stands in the heap.
    final var isQueued: Bool { place >= 0 }

    /// Its time has come; it stands in the heap no more.
    func timePassed(now: UInt64) {}
}

/// Entries by time, the first on top: a binary heap.
struct TimerHeap {
    private struct Item {
        var time: UInt64
        let entry: TimerEntry
    }

    private var items: ContiguousArray<Item> = []

    /// When the first entry is due.
    var first: UInt64? { items.first?.time }

    /// When an entry that stands in the heap is due.
    func time(of entry: TimerEntry) -> UInt64 { items[entry.place].time }

    /// Puts an entry in, or moves it if it is in.
    mutating func set(_ entry: TimerEntry, at time: UInt64) {
        if entry.isQueued {
            items[entry.place].time = time
        } else {
            entry.place = items.count
            items.append(Item(time: time, entry: entry))
        }
        settle(entry.place)
    }

    mutating func remove(_ entry: TimerEntry) {
        guard entry.isQueued else { return }
        let place = entry.place
        entry.place = -1
        let last = items.removeLast()
        guard place < items.count else { return }
        items[place] = last
        last.entry.place = place
        settle(place)
    }

    /// Takes out the first entry if it is due.
    mutating func popDue(now: UInt64) -> TimerEntry? {
        guard let first = items.first, first.time <= now else { return nil }
        remove(first.entry)
        return first.entry
    }

    private mutating func settle(_ place: Int) {
        if place > 0, items[place].time < items[(place - 1) / 2].time { rise(place) } else { sink(place) }
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, items[place].time < items[(place - 1) / 2].time {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var least = place
            let left = 2 * place + 1
            if left < items.count, items[left].time < items[least].time { least = left }
            if left + 1 < items.count, items[left + 1].time < items[least].time { least = left + 1 }
            if least == place { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        items.swapAt(one, other)
        items[one].entry.place = one
        items[other].entry.place = other
    }
}
