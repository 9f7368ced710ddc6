/// Something with a descriptor that a loop watches: a listener, a connection. Confined to its loop.
class EpollHandler: TimerEntry {
    /// What is watched.
    final let descriptor: Int32
    /// Where it stands in its loop's table; -1 while it is in none.
    fileprivate(set) final var slot: Int32 = -1
    /// Whether it waits for the end of the loop's round.
    fileprivate(set) final var isMarked = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The descriptor is ready for these.
    func becameReady(_ readiness: UInt32) {}

    /// The handler was marked, and the round has come to its end.
    func roundEnded() {}

    /// The server is going down: what waits for nothing ends.
    func drain() {}

    /// The loop ends, and everything on it.
    func cutOff() {}
}

/// A loop's handlers, found by a number that the kernel gives back with every event: no look-up by key, and an event
/// that was meant for a handler which is gone finds nobody.
struct HandlerTable {
    private struct Slot {
        var handler: EpollHandler?
        var generation: UInt32
    }

    private var slots: ContiguousArray<Slot> = []
    private var free: ContiguousArray<Int32> = []

    /// Puts a handler in and answers the key of its events.
    mutating func insert(_ handler: EpollHandler) -> UInt64 {
        let slot = free.popLast() ?? Int32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot(handler: nil, generation: 0)) }
        slots[Int(slot)].handler = handler
        handler.slot = slot
        return key(of: handler)
    }

    func key(of handler: EpollHandler) -> UInt64 {
        UInt64(slots[Int(handler.slot)].generation) << 32 | UInt64(handler.slot)
    }

    mutating func remove(_ handler: EpollHandler) {
        let slot = Int(handler.slot)
        slots[slot].handler = nil
        slots[slot].generation &+= 1
        free.append(handler.slot)
        handler.slot = -1
    }

    subscript(key: UInt64) -> EpollHandler? {
        let slot = Int(key & 0xFFFF_FFFF)
        guard slot < slots.count, slots[slot].generation == UInt32(truncatingIfNeeded: key >> 32) else { return nil }
        return slots[slot].handler
    }

    /// All of them, in no order.
    var all: [EpollHandler] { slots.compactMap(\.handler) }
}

extension EpollHandler {
    /// Marks the handler; answers whether it was not before.
    final func mark() -> Bool {
        defer { isMarked = true }
        return !isMarked
    }

    final func unmark() { isMarked = false }

    /// Calls ``roundEnded()`` for a mark.
    final func endRound() {
        unmark()
        // One that was removed meanwhile has no slot.
        if slot >= 0 { roundEnded() }
    }
}
