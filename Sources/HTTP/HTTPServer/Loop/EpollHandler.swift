/// A user of a descriptor that a loop watches: a listener or a connection. Confined to its loop.
class EpollHandler: TimerEntry {
    final let descriptor: Int32
    /// The index in the loop's handler table, or -1 while the handler is not in it.
    fileprivate(set) final var slot: Int32 = -1
    /// Whether the handler waits for the end of the loop's round.
    fileprivate(set) final var isMarked = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    func becameReady(_ readiness: UInt32) {}

    /// Called once at the end of a round in which the handler was marked.
    func roundEnded() {}

    /// Called when the server shuts down: an idle handler ends, the others finish their work.
    func drain() {}

    /// Called when the loop ends: closes the handler immediately.
    func cutOff() {}
}

/// The handlers of a loop, found by a key that the kernel returns with every event. An event for a removed handler
/// finds no handler.
struct HandlerTable {
    private struct Slot {
        var handler: EpollHandler?
        var generation: UInt32
    }

    private var slots: ContiguousArray<Slot> = []
    private var free: ContiguousArray<Int32> = []

    /// Inserts a handler and returns the key of its events.
    mutating func insert(_ handler: EpollHandler) -> UInt64 {
        // A batch of events may hold one for a handler that an earlier event of the batch has removed, and its slot may
        // be in use again. The generation in the key tells the two apart.
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

    /// All handlers, in no particular order.
    var all: [EpollHandler] { slots.compactMap(\.handler) }
}

extension EpollHandler {
    /// Marks the handler; returns whether it was not marked before.
    final func mark() -> Bool {
        defer { isMarked = true }
        return !isMarked
    }

    final func unmark() { isMarked = false }

    /// Removes the mark and calls ``roundEnded()``.
    final func endRound() {
        unmark()
        // A handler that was removed in the meantime has no slot.
        if slot >= 0 { roundEnded() }
    }
}
