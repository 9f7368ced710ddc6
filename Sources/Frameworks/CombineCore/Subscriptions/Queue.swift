/// A first-in, first-out queue. Adding and removing an element take constant time, amortized.
@usableFromInline
package struct Queue<Element> {
    // A removed element is overwritten with nil; otherwise the queue would keep it alive until the array shrinks.
    @usableFromInline var elements: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { head == elements.count }

    @inlinable package var count: Int { elements.count - head }

    /// The element that is removed next.
    @inlinable package var first: Element? { head < elements.count ? elements[head] : nil }

    /// Returns what a closure returns for the element that is removed next, without a copy of it; nil if the queue is empty.
    @inlinable
    package func withFirst<Result>(_ body: (borrowing Element) -> Result) -> Result? {
        guard head < elements.count else { return nil }
        return elements.withUnsafeBufferPointer { elements in
            switch elements[head] {
            case .some(let element): body(element)
            case nil: nil
            }
        }
    }

    /// Adds an element at the end.
    @inlinable
    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Removes and returns the first element, or returns nil if the queue is empty.
    @inlinable
    package mutating func removeFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            // Small buffers are kept, since the next element usually arrives soon. A large one is released, so that one
            // burst does not determine the memory of the stream from then on.
            elements.removeAll(keepingCapacity: head <= 16)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            // Only once at least half of the array is vacant, so that each element moves a constant number of times on
            // average.
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
