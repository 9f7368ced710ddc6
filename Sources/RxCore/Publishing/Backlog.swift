/// A FIFO queue with amortized constant-time operations.
@usableFromInline
@frozen
struct Backlog<Element> {
    /// The slots before `head` are nil, so that dequeued elements are released.
    @usableFromInline var places: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { head == places.count }

    /// The element that ``takeFirst()`` returns next.
    @inlinable var first: Element? { head < places.count ? places[head] : nil }

    @inlinable
    mutating func append(_ element: Element) {
        places.append(element)
    }

    @inlinable
    mutating func takeFirst() -> Element? {
        guard head < places.count else { return nil }
        let element = places[head]
        places[head] = nil
        head += 1
        if head >= 32, head * 2 >= places.count {
            places.removeFirst(head)
            head = 0
        }
        return element
    }
}
