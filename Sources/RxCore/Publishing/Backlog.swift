/// A queue: what is taken comes in the order in which it was added, each in constant time on average.
@usableFromInline
@frozen
struct Backlog<Element> {
    /// Taken places are nil, so that what was taken is not kept alive.
    @usableFromInline var places: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { head == places.count }

    /// The element that is taken next.
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
