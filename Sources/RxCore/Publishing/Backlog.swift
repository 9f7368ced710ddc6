/// A FIFO queue with amortized constant-time operations.
@usableFromInline
@frozen
struct Backlog<Element> {
    /// The slots before `head` are nil, so that dequeued elements are released.
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { head == slots.count }

    /// The element that ``takeFirst()`` returns next.
    @inlinable var first: Element? { head < slots.count ? slots[head] : nil }

    @inlinable
    mutating func append(_ element: Element) {
        slots.append(element)
    }

    @inlinable
    mutating func takeFirst() -> Element? {
        guard head < slots.count else { return nil }
        let element = slots[head]
        slots[head] = nil
        head += 1
        // Moves at most as many elements as were taken since the last time, so that the cost is constant on average.
        if head >= 32, head * 2 >= slots.count {
            slots.removeFirst(head)
            head = 0
        }
        return element
    }
}
