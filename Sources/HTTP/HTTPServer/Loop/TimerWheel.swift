/// A hierarchy of timing wheels (Varghese and Lauck, 1987). Inserting, moving and removing an entry take constant time,
/// however many entries there are.
///
/// Every wheel has 64 slots. One slot spans a full turn of the wheel below; a slot of the lowest wheel spans about a
/// millisecond. An entry is in the lowest wheel whose current turn contains its time, and moves down when its slot is
/// reached. Times are exact: entries are removed in the order of their times, to the nanosecond, and entries with the
/// same time in the order of insertion.
struct TimerWheel {
    private struct Node {
        var time: UInt64
        var entry: TimerEntry?
        var next: Int32
        var previous: Int32
        var list: Int32
    }

    /// The nodes of one slot, in insertion order.
    private struct List {
        var first: Int32 = -1
        var last: Int32 = -1
        /// A lower bound of the times of the entries. Removing an entry does not raise it.
        var earliest = UInt64.max
    }

    private static let slotBits = 6
    private static let slotMask: UInt64 = 63
    /// A slot of the lowest wheel spans 2^20 ns.
    private static let tickBits = 20
    /// Enough for every 64-bit time: 44 bits of ticks.
    private static let levels = 8
    /// Entries that are due are in a separate list, ordered by time, until they are removed.
    private static let dueList = Int32(levels << slotBits)
    /// Entries that were already due when they were set, in that order, until the next round begins.
    private static let nextRoundList = dueList + 1

    private var nodes: ContiguousArray<Node> = []
    private var free: Int32 = -1
    private var lists = ContiguousArray(repeating: List(), count: Int(nextRoundList) + 1)
    /// One bit for each slot that is not empty, one word for each wheel; `occupiedLevels` has one bit for each wheel.
    private var occupied = ContiguousArray<UInt64>(repeating: 0, count: levels)
    private var occupiedLevels: UInt8 = 0
    /// The current tick of the wheels: no entry is in a slot before it.
    private var tick: UInt64 = 0
    /// One nanosecond after the time of the current round. An entry with an earlier time waits for the next round.
    private var roundEnd: UInt64 = 0

    // A removal does not search for the next entry: most deadlines are moved or removed long before their time. The
    // price is an occasional round in which no entry is due.
    /// The time of the first entry, or `UInt64.max` if the wheel is empty. It is too early if that entry was removed,
    /// until the wheels are turned to that time.
    private(set) var first = UInt64.max

    func time(of entry: TimerEntry) -> UInt64 { nodes[Int(entry.place)].time }

    /// Begins a round: entries that were already due when they were set in the previous round can now be popped.
    ///
    /// Otherwise, entries that keep setting one another to the current time would never let a round end.
    mutating func beginRound(at now: UInt64) {
        roundEnd = now == .max ? now : now + 1
        guard lists[Int(TimerWheel.nextRoundList)].first >= 0 else { return }
        moveToDue(from: Int(TimerWheel.nextRoundList), .max)
    }

    /// Inserts an entry, or moves it if it is in the wheel. A time before the end of the current round is due in the
    /// next round.
    mutating func set(_ entry: TimerEntry, at time: UInt64) {
        if entry.isQueued {
            unlink(entry.place)
            nodes[Int(entry.place)].time = time
        } else {
            entry.place = allocate(entry, time)
        }
        if time < first { first = time }
        if time < roundEnd { append(entry.place, to: Int(TimerWheel.nextRoundList)) } else { link(entry.place) }
    }

    /// Removes an entry if it is in the wheel.
    mutating func remove(_ entry: TimerEntry) {
        guard entry.isQueued else { return }
        unlink(entry.place)
        release(entry.place)
        entry.place = -1
    }

    /// Removes and returns the first entry if it is due.
    mutating func popDue(now: UInt64) -> TimerEntry? {
        guard first <= now else { return nil }
        if lists[Int(TimerWheel.dueList)].first < 0 { turn(to: now) }
        let place = lists[Int(TimerWheel.dueList)].first
        guard place >= 0, let entry = nodes[Int(place)].entry else {
            let next = lists[Int(TimerWheel.nextRoundList)].earliest
            first = min(next, firstList.map { lists[$0].earliest } ?? .max)
            return nil
        }
        remove(entry)
        return entry
    }
}

extension TimerWheel {
    /// The first slot that is not empty. All entries of a wheel are due before those of the wheels above.
    private var firstList: Int? {
        guard occupiedLevels != 0 else { return nil }
        let level = occupiedLevels.trailingZeroBitCount
        return level << TimerWheel.slotBits | occupied[level].trailingZeroBitCount
    }

    /// Turns the wheels until an entry is due or none is left.
    private mutating func turn(to now: UInt64) {
        while let list = firstList, lists[list].earliest <= now, lists[Int(TimerWheel.dueList)].first < 0 {
            let level = list >> TimerWheel.slotBits
            let slot = UInt64(list) & TimerWheel.slotMask
            let shift = UInt64(level * TimerWheel.slotBits)
            let start = ((tick >> shift) & ~TimerWheel.slotMask | slot) << shift
            if start > tick { tick = start }
            if level == 0 { moveToDue(from: list, now) } else { descend(from: list) }
        }
    }

    /// Distributes the entries of a slot over the wheels below.
    private mutating func descend(from list: Int) {
        var place = empty(list)
        while place >= 0 {
            let next = nodes[Int(place)].next
            link(place)
            place = next
        }
    }

    /// Moves the due entries of a list to the list of due entries. The others are due later in the same tick.
    private mutating func moveToDue(from list: Int, _ now: UInt64) {
        // Sorted here, where a slot's entries are few, so that inserting needs no order. `order` makes the sort stable.
        var due: [(time: UInt64, order: Int, place: Int32)] = []
        var place = empty(list)
        while place >= 0 {
            let (time, next) = (nodes[Int(place)].time, nodes[Int(place)].next)
            if time <= now { due.append((time, due.count, place)) } else { append(place, to: list) }
            place = next
        }
        if due.count > 1 { due.sort { ($0.time, $0.order) < ($1.time, $1.order) } }
        for item in due { append(item.place, to: Int(TimerWheel.dueList)) }
    }
}

extension TimerWheel {
    private mutating func allocate(_ entry: TimerEntry, _ time: UInt64) -> Int32 {
        let node = Node(time: time, entry: entry, next: -1, previous: -1, list: -1)
        guard free >= 0 else {
            nodes.append(node)
            return Int32(nodes.count - 1)
        }
        let place = free
        free = nodes[Int(place)].next
        nodes[Int(place)] = node
        return place
    }

    private mutating func release(_ place: Int32) {
        nodes[Int(place)].entry = nil
        nodes[Int(place)].next = free
        free = place
    }

    /// Adds a node to the slot of its time.
    private mutating func link(_ place: Int32) {
        // The highest bit in which the time and the current tick differ selects the wheel: below it both are in the
        // same turn. The mask keeps a difference of 0 in the lowest wheel.
        let target = max(nodes[Int(place)].time >> UInt64(TimerWheel.tickBits), tick)
        let distance = (target ^ tick) | TimerWheel.slotMask
        let level = (UInt64.bitWidth - 1 - distance.leadingZeroBitCount) / TimerWheel.slotBits
        let slot = target >> UInt64(level * TimerWheel.slotBits) & TimerWheel.slotMask
        append(place, to: level << TimerWheel.slotBits | Int(slot))
    }

    private mutating func append(_ place: Int32, to list: Int) {
        let last = lists[list].last
        nodes[Int(place)].previous = last
        nodes[Int(place)].next = -1
        nodes[Int(place)].list = Int32(list)
        lists[list].last = place
        lists[list].earliest = min(lists[list].earliest, nodes[Int(place)].time)
        guard last < 0 else { return nodes[Int(last)].next = place }
        lists[list].first = place
        guard list < TimerWheel.dueList else { return }
        occupied[list >> TimerWheel.slotBits] |= 1 << (UInt64(list) & TimerWheel.slotMask)
        occupiedLevels |= 1 << UInt8(list >> TimerWheel.slotBits)
    }

    private mutating func unlink(_ place: Int32) {
        let (next, previous, list) = (nodes[Int(place)].next, nodes[Int(place)].previous, Int(nodes[Int(place)].list))
        if previous >= 0 { nodes[Int(previous)].next = next } else { lists[list].first = next }
        if next >= 0 { nodes[Int(next)].previous = previous } else { lists[list].last = previous }
        if lists[list].first < 0 { _ = empty(list) }
    }

    /// Removes all nodes of a list; returns the first of them.
    private mutating func empty(_ list: Int) -> Int32 {
        defer { lists[list] = List() }
        if list < TimerWheel.dueList {
            let level = list >> TimerWheel.slotBits
            occupied[level] &= ~(1 << (UInt64(list) & TimerWheel.slotMask))
            if occupied[level] == 0 { occupiedLevels &= ~(1 << UInt8(level)) }
        }
        return lists[list].first
    }
}
