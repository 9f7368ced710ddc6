/// A queue in which sources take turns: the first element of each source comes before the second one of any other. The elements
/// of one source stay in the order in which they were added. Adding and removing an element take constant time, amortized.
package struct FairQueue<Element> {
    /// The elements of one source, and the source after it in the circle of those that have any.
    private struct Line {
        // A removed element is overwritten with nil; otherwise the line would keep it alive until the array shrinks.
        var elements: ContiguousArray<Element?> = []
        var head = 0
        var next: WorkSource

        mutating func add(_ element: Element, where precedes: (Element, Element) -> Bool) {
            var place = elements.count
            while place > head, let other = elements[place - 1], precedes(element, other) { place -= 1 }
            elements.insert(element, at: place)
        }

        /// Removes and returns the first element, and whether there is no other.
        mutating func removeFirst() -> (element: Element?, wasLast: Bool) {
            let element = elements[head].take()
            head += 1
            if head >= 64, head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return (element, head == elements.count)
        }
    }

    private var lines: [WorkSource: Line] = [:]
    /// The source whose turn was last. The one after it in the circle is next.
    private var last = WorkSource.server
    /// The number of elements.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// The element that ``removeFirst()`` would return; nil if the queue is empty.
    package var first: Element? {
        guard count > 0, let line = (lines[last]?.next).flatMap({ lines[$0] }) else { return nil }
        return line.elements[line.head]
    }

    /// Adds an element of a source. A source without others comes after all those that wait.
    ///
    /// - Parameter precedes: Returns whether an element comes before one of the same source that was added earlier.
    package mutating func append(
        _ element: Element, of source: WorkSource, where precedes: (Element, Element) -> Bool = { _, _ in false }
    ) {
        count += 1
        if lines[source] == nil { join(source) }
        lines[source]?.add(element, where: precedes)
    }

    /// Removes and returns the first element of the source whose turn it is; nil if the queue is empty.
    package mutating func removeFirst() -> Element? {
        guard count > 0, let source = lines[last]?.next, let removed = lines[source]?.removeFirst() else { return nil }
        count -= 1
        if removed.wasLast { leave(source) } else { last = source }
        return removed.element
    }

    private mutating func join(_ source: WorkSource) {
        lines[source] = Line(next: lines[last]?.next ?? source)
        lines[last]?.next = source
        last = source
    }

    private mutating func leave(_ source: WorkSource) {
        guard let line = lines.removeValue(forKey: source) else { return }
        lines[last]?.next = line.next
    }
}
