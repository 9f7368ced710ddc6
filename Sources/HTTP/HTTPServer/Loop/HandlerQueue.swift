/// A FIFO queue of handlers that wait for the end of a round.
struct HandlerQueue {
    /// The number of empty places at the front that are tolerated before the queue is compacted.
    private static let maxVacant = 1024

    private var handlers: ContiguousArray<EpollHandler?> = []
    private var head = 0

    var isEmpty: Bool { head == handlers.count }

    var count: Int { handlers.count - head }

    mutating func append(_ handler: EpollHandler) { handlers.append(handler) }

    /// Removes the first handler, or returns `nil` if the queue is empty or the handler at this position was removed
    /// before.
    mutating func removeFirst() -> EpollHandler? {
        guard !isEmpty else { return nil }
        defer { closeGap() }
        return handlers[head].take()
    }

    /// Removes a handler at any position.
    mutating func remove(_ handler: EpollHandler) {
        // Leaves a hole instead of closing the gap: `count` bounds the rounds, and a shift would cost time for each
        // removal.
        for place in head..<handlers.count where handlers[place] === handler { handlers[place] = nil }
    }

    private mutating func closeGap() {
        head += 1
        if head == handlers.count {
            handlers.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= HandlerQueue.maxVacant, head * 2 >= handlers.count {
            handlers.removeFirst(head)
            head = 0
        }
    }
}
